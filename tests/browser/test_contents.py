"""The list of a long page's sections: it follows the page, leads to each section, and is out of the way on a phone."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage
from tests.browser.idle import asking, idle, rerun
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


def test_a_section_is_reached_though_those_above_it_are_made_on_the_way(page: Page) -> None:
    page.goto("/compare")
    idle(page)
    assert page.locator("[data-near]").count() > 2
    link = page.get_by_role("navigation", name=wording("ui.main:browser.contents")).get_by_role("link").nth(-3)
    heading = page.locator("h2").nth(-3)
    assert heading.inner_text() == link.inner_text()
    with rerun(page):
        link.click()
    expect(heading).to_be_focused()
    asking(page, lambda: 0 < place(heading) < 120, lambda: place(heading))


def place(heading: Locator) -> float:
    """Return how far below the window's upper edge a heading stands, without scrolling to it."""
    return float(heading.evaluate("heading => heading.getBoundingClientRect().top"))


def test_a_phone_keeps_the_list_in_its_drawer(new_page: NewPage, server: Server) -> None:
    page = new_page(server, width=390, height=844)
    page.goto("/projection")
    idle(page)
    expect(page.locator(".page-contents")).not_to_be_in_viewport()
