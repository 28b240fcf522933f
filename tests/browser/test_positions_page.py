"""The positions page in a browser: every scheme, and what an eye or a screen reader would stumble over."""

import pytest
from playwright.sync_api import Page, expect

from embedlib.positional import SCHEMES
from tests.browser.conftest import NewPage
from tests.browser.idle import idle, rerun
from tests.browser.serving import Server

# One of each kind of figure; tests without a browser open the page with every scheme.
KINDS = ("none", "sinusoidal", "rope", "t5", "transformer_xl")


@pytest.mark.parametrize(
    "scheme", [name if name in KINDS else pytest.param(name, marks=pytest.mark.thorough) for name in SCHEMES]
)
def test_every_scheme_draws_its_figures(page: Page, scheme: str) -> None:
    page.goto(f"/positions?scheme={scheme}")
    idle(page)
    assert page.get_by_test_id("stException").count() == 0
    charts = page.get_by_test_id("stPlotlyChart")
    assert charts.count() == charts.locator(".main-svg:first-child").count()
    assert (charts.count() > 0) == (scheme != "none")


def test_the_marked_position_moves_by_key(page: Page) -> None:
    page.goto("/positions")
    idle(page)
    slider = page.get_by_role("slider", name="Position marked in every figure")
    with rerun(page):
        slider.press("ArrowRight")
    expect(slider).to_have_value("9")
    assert "position=9" in page.url


@pytest.mark.thorough
def test_a_deep_link_on_a_cold_server_opens_the_scheme(cold_server: Server, new_page: NewPage) -> None:
    page = new_page(cold_server)
    page.goto("/positions?scheme=rope&rope.pairing=halves&positions=32")
    idle(page)
    expect(page.get_by_role("heading", name="Rotary (RoPE)")).to_be_visible()
    assert "rope.pairing=halves" in page.url
