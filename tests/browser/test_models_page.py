"""The page of trained models in a browser: what it opens on, and a word that is chosen and in the link."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.idle import draw, idle, linked, rerun
from tests.browser.serving import Server
from tests.messages import wording


@pytest.fixture(scope="module")
def page(new_shared_page: NewPage, server: Server) -> Page:
    """The page opened once, in the smaller window."""
    page = new_shared_page(server, width=1280, height=720)
    page.goto("/models")
    idle(page)
    return page


def test_a_word_chosen_beside_the_other_model_is_marked_and_in_the_link(page: Page) -> None:
    expect(page.locator(".model-facts")).to_contain_text("30,522")
    draw(page, "models-beside")
    expect(page.get_by_test_id("stException")).to_have_count(0)
    words = page.get_by_role("radiogroup", name=wording("Word"))
    with rerun(page):
        words.get_by_text("queen", exact=True).click()
    expect(page).to_have_url(linked("token=3"))
    expect(page.get_by_test_id("stTable").nth(2)).to_contain_text("princess")


@pytest.mark.parametrize(("width", "height"), [(1280, 720), pytest.param(1440, 900, marks=pytest.mark.thorough)])
def test_the_first_window_says_what_the_model_is_made_of(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 0)")
    said = "**{share:.1%} of the model is its token table**, the embedding matrix E: more…"
    expect(page.get_by_text(wording(said))).to_be_in_viewport(ratio=1)
    expect(page.locator(".model-facts")).to_be_in_viewport(ratio=0.5)
