"""Components' large data in a real browser: fetched once, and once more where the server has dropped them."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.idle import TRAFFIC
from tests.browser.serving import Server


def test_data_that_the_server_has_dropped_are_drawn_after_all(scenes: Server, new_page: NewPage) -> None:
    page = new_page(scenes)
    answers: list[int] = []
    page.on("response", lambda answer: answers.append(answer.status) if "/component-data/" in answer.url else None)
    page.goto("/?scene=evicted")
    expect(page.get_by_text("runs=2")).to_be_visible()  # which serves them again
    expect_the_value(page)
    assert answers == [404, 200]
    page.get_by_role("button", name="another run").click()
    expect(page.get_by_text("runs=3")).to_be_visible()
    expect_the_value(page)
    assert answers == [404, 200]  # the browser has them
    traffic = TRAFFIC[page]
    traffic.complaints = [said for said in traffic.complaints if "/component-data/" not in said]  # the 404


def expect_the_value(page: Page) -> None:
    """Point at the first cell, whose value comes with the data."""
    page.mouse.move(0, 0)
    page.get_by_role("img", name="a picture").hover(position={"x": 1, "y": 1})
    expect(page.get_by_test_id("grid-panel").locator(".value")).to_have_text("1.0000")
