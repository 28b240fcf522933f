"""On a narrow page small multiples stand two in a row, and four once there is room again."""

from playwright.sync_api import Page

from tests.browser.conftest import NewPage
from tests.browser.idle import idle, rerun
from tests.browser.serving import Server


def squares(page: Page) -> list[dict[str, float]]:
    """Where the squares of the heads are."""
    found = page.locator(".st-key-bias .heatmaplayer image").all()
    return [box for square in found if (box := square.bounding_box())]


def test_heads_stand_two_in_a_row_on_a_phone_and_four_on_a_wide_screen(new_page: NewPage, server: Server) -> None:
    page = new_page(server, width=390, height=844)
    page.goto("/positions?scheme=alibi")
    idle(page)
    narrow = squares(page)
    assert len(narrow) == 4
    assert len({round(box["x"]) for box in narrow}) == 2
    assert min(box["width"] for box in narrow) > 120
    with rerun(page):
        page.set_viewport_size({"width": 1440, "height": 900})
    assert len({round(box["x"]) for box in squares(page)}) == 4


def test_a_wide_page_is_drawn_once(new_page: NewPage, server: Server) -> None:
    page = new_page(server)
    page.goto("/positions?scheme=alibi")
    idle(page)
    assert len({round(box["x"]) for box in squares(page)}) == 4
