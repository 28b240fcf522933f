"""The list of a long page's sections: it follows the page, leads to each section, and is out of the way on a phone."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage
from tests.browser.idle import asking, idle, rerun
from tests.browser.serving import Server
from tests.messages import wording

CURRENT = "[aria-current]"


@pytest.fixture(scope="module")
def compared(new_shared_page: NewPage, server: Server) -> Page:
    """A long page, opened once for those who go to its sections."""
    page = new_shared_page(server)
    page.goto("/compare")
    idle(page)
    return page


def test_a_section_is_reached_though_those_above_it_are_made_on_the_way(compared: Page) -> None:
    expect(compared.locator("[data-near]").nth(2)).to_be_attached()
    links = open_contents(compared).get_by_role("link")
    listed = compared.locator("h1, h2").all_inner_texts()
    expect(links).to_have_text(listed)
    heading = compared.get_by_role("heading", level=2, name=listed[-3], exact=True)
    with rerun(compared):
        links.nth(-3).click()
    expect(heading).to_be_focused()
    open_contents(compared)
    expect(links).to_have_text(listed)  # those of sections that were made now stood there from the start
    asking(compared, lambda: 0 < place(heading) < 120, lambda: place(heading))


def test_the_sections_are_listed_marked_as_they_are_read_and_reached_by_keyboard(compared: Page) -> None:
    page = compared
    page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 0)")
    contents = open_contents(page)
    links = contents.get_by_role("link")
    expect(links).to_have_text(page.locator("h1, h2").all_inner_texts())
    expect(contents.locator(CURRENT)).to_have_text(links.first.inner_text())
    last = page.locator("h2").last
    expect(last).not_to_be_in_viewport()
    links.last.focus()
    page.keyboard.press("Enter")
    expect(last).to_be_in_viewport()
    expect(last).to_be_focused()
    expect(contents).to_be_hidden()
    open_contents(page)
    expect(contents.locator(CURRENT)).to_have_text(last.inner_text())
    links.first.click()
    expect(page.locator("h1")).to_be_in_viewport()
    open_contents(page)
    expect(contents.locator(CURRENT)).to_have_text(links.first.inner_text())


def test_a_page_that_is_loaded_again_stays_where_it_was_read(compared: Page) -> None:
    heading = compared.locator("h2").nth(2)
    open_contents(compared).get_by_role("link", name=heading.inner_text()).click()
    expect(heading).to_be_focused()
    idle(compared)
    asking(compared, lambda: 0 < place(heading) < 120, lambda: place(heading))
    heading.evaluate(  # at the last moment; and as if what stands above had another height
        """heading => addEventListener("pagehide", () => {
            sessionStorage.setItem("before", heading.getBoundingClientRect().top);
            const [path, top, ...place] = JSON.parse(sessionStorage.getItem("read-at"));
            sessionStorage.setItem("read-at", JSON.stringify([path, top - 200, ...place]));
        })"""
    )
    compared.reload()
    idle(compared)
    before = float(compared.evaluate("() => sessionStorage.getItem('before')"))
    asking(compared, lambda: abs(place(heading) - before) < 2, lambda: (before, place(heading)))


def open_contents(page: Page) -> Locator:
    """Open the menu of the page's sections, if it is closed, and return it."""
    contents = page.get_by_role("navigation", name=wording("On this page"))
    if not contents.is_visible():
        page.get_by_role("button", name=wording("On this page")).click()
    expect(contents).to_be_visible()
    return contents


def place(heading: Locator) -> float:
    """Return how far below the window's upper edge a heading stands, without scrolling to it."""
    return float(heading.evaluate("heading => heading.getBoundingClientRect().top"))
