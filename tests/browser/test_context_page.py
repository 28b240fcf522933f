"""The context page in a browser: it waits for its model without a jump, and follows what one types and clicks."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import violations_when_wide
from tests.browser.conftest import NewPage
from tests.browser.idle import draw_all, idle, layout_shift, linked, place_of, rerun
from tests.browser.serving import Server
from tests.browser.windows import assert_fits_a_phone
from tests.embedlib.contextual.test_model import installed
from tests.messages import wording
from tests.waiting import PATIENCE


@pytest.fixture(scope="module")
def page(new_shared_page: NewPage, server: Server) -> Page:
    """The page, opened once for the tests of this file."""
    installed()
    page = new_shared_page(server)
    page.goto("/context")
    expect(page.locator(".st-key-context-word .js-plotly-plot")).to_be_visible(timeout=PATIENCE * 1000)
    return page


@pytest.mark.thorough
def test_the_page_is_there_before_the_model_and_nothing_jumps_when_it_comes(
    new_page: NewPage, cold_server: Server
) -> None:
    installed()
    page = new_page(cold_server)
    page.goto("/context")
    expect(page.get_by_label(wording("First sentence"))).to_be_visible()
    expect(page.locator(".st-key-context-word .js-plotly-plot")).to_be_visible(timeout=PATIENCE * 1000)
    idle(page)
    assert layout_shift(page) < 0.1


@pytest.mark.thorough
def test_nothing_jumps_on_a_phone_while_the_page_comes_and_it_fits(
    new_page: NewPage, server: Server, page: Page
) -> None:
    assert page  # which has had the model opened
    phone = new_page(server, width=390, height=844, color_scheme="dark", has_touch=True)
    phone.goto("/context")
    expect(phone.locator(".st-key-context-word .js-plotly-plot")).to_be_visible()
    idle(phone)
    assert layout_shift(phone) < 0.1
    draw_all(phone)
    assert_fits_a_phone(phone, "/context")
    assert violations_when_wide(phone) == []


def test_a_sentence_that_one_types_is_measured_at_once_and_is_in_the_link(page: Page) -> None:
    idle(page)
    third = page.get_by_label(wording("Third sentence: the word means the same…"))
    summary = re.compile(r"the two uses with the same meaning( are closer)? \(\d")
    expect(page.get_by_text(summary)).to_be_visible()
    with rerun(page):
        third.fill("A tree")
    expect(page.get_by_text(wording("The third sentence is left out,…"))).to_be_visible()
    expect(page.get_by_text(summary)).to_have_count(0)
    expect(page).to_have_url(linked("context_third=A+tree"))
    expect(page.get_by_role("radio", name="she", exact=True)).to_have_count(0)  # which the third has not
    with rerun(page):
        page.get_by_role("radio", name="a", exact=True).click()
    expect(page).to_have_url(linked("context_word=a"))


def test_a_head_is_chosen_among_all_of_them(page: Page) -> None:
    idle(page)
    draw_all(page)
    box = place_of(page.locator(".st-key-context-heads .heatmaplayer image"))
    with rerun(page):  # six layers, twelve heads
        page.mouse.click(box["x"] + box["width"] * 8.5 / 12, box["y"] + box["height"] * 2.5 / 6)
    title = wording("layer {layer}, head {head}", layer="3", head="8")
    expect(page.get_by_test_id("matrix-grid").get_by_text(title).first).to_be_visible()
    expect(page).to_have_url(re.compile("context_attention=3.*context_head=8|context_head=8.*context_attention=3"))
