"""The list of a long page's sections: it follows the page, leads to each section, and is out of the way on a phone."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.idle import idle
from tests.browser.serving import Server
from tests.messages import wording

CURRENT = "[aria-current]"


def test_the_sections_are_listed_marked_as_they_are_read_and_reached_by_keyboard(page: Page) -> None:
    page.goto("/projection")
    idle(page)
    contents = page.get_by_role("navigation", name=wording("ui.main:browser.contents"))
    links = contents.get_by_role("link")
    expect(links).to_have_text([heading.inner_text() for heading in page.locator("h1, h2").all()])
    expect(contents.locator(CURRENT)).to_have_text(links.first.inner_text())
    last = page.locator("h2").last
    expect(last).not_to_be_in_viewport()
    links.last.focus()
    page.keyboard.press("Enter")
    expect(last).to_be_in_viewport()
    expect(last).to_be_focused()
    expect(contents.locator(CURRENT)).to_have_text(last.inner_text())
    expect(links.last).to_be_in_viewport()
    links.first.click()
    expect(page.locator("h1")).to_be_in_viewport()
    expect(contents.locator(CURRENT)).to_have_text(links.first.inner_text())


def test_a_phone_keeps_the_list_in_its_drawer(new_page: NewPage, server: Server) -> None:
    page = new_page(server, width=390, height=844)
    page.goto("/projection")
    idle(page)
    expect(page.locator(".page-contents")).not_to_be_in_viewport()
