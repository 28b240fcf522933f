"""The positions page in a browser: every scheme, and what an eye or a screen reader would stumble over."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.idle import draw_all, idle, linked, rerun, settled
from tests.messages import wording

# One of each kind of figure; tests without a browser open the page with every scheme.
KINDS = ("none", "rope", "t5", "transformer_xl")  # and the sinusoids, below


def charts_of(page: Page, query: str = "") -> int:
    """Open the page and have all of it drawn; return how many charts there are."""
    page.goto(f"/positions{query}")
    idle(page)
    draw_all(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    drawn: int = settled(
        page,
        """() => {
            const charts = [...document.querySelectorAll('[data-testid="stPlotlyChart"]')];
            return charts.every(chart => chart.querySelector(".main-svg")) ? charts.length : null;
        }""",
    )
    return drawn


@pytest.mark.parametrize("scheme", KINDS)
def test_every_kind_of_scheme_draws_its_figures(page: Page, scheme: str) -> None:
    assert (charts_of(page, f"?scheme={scheme}") > 0) == (scheme != "none")


def test_the_page_opens_with_its_figures_drawn_and_the_marked_position_moves_by_key(page: Page) -> None:
    assert charts_of(page)
    slider = page.get_by_role("slider", name=wording("ui.positions:slider"))
    with rerun(page):
        slider.press("ArrowRight")
    expect(slider).to_have_value("9")
    expect(page).to_have_url(linked("position=9"))
