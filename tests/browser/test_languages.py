"""A page in another language: what only a browser shows of it."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import violations
from tests.browser.conftest import NewPage
from tests.browser.idle import assert_no_sideways_scroll, draw_all, idle, rerun, settled
from tests.browser.serving import Server
from ui.i18n import NAMES, set_run_language
from ui.terms import english_terms

# Where the n-th highlighted term in view is.
TERM = """() => {
  const boxes = [...(CSS.highlights.get("term") ?? [])].map(range => range.getBoundingClientRect());
  const box = boxes.find(({top, bottom, left, width}) => width && top > 70 && bottom < innerHeight && left > 320);
  return box ? [box.left + box.width / 2, box.top + box.height / 2] : null;
}"""
# The terms, once the list at the page's foot has those that are highlighted.
LISTED = """() => {
  const uses = [...(CSS.highlights.get("term") ?? [])].map(range => range.toString());
  const listed = [...document.querySelectorAll("details.terms dt")].map(term => term.innerText);
  return uses.length && JSON.stringify(listed) === JSON.stringify(uses) ? uses : null;
}"""


@pytest.fixture(scope="module")
def french(new_shared_page: NewPage, server: Server) -> Page:
    """A French page, opened once for all."""
    page = new_shared_page(server)
    page.goto("/pipeline?lang=fr&scheme=sinusoidal&table=random&tokenizer=gpt2&d_model=64")
    idle(page)
    return page


def test_a_french_page_says_so_counts_in_french_and_tells_the_english_of_a_term(french: Page) -> None:
    page = french
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.get_by_test_id("sum-colours")).to_contain_text("3,00")
    place = page.wait_for_function(TERM).json_value()
    page.mouse.move(*place)
    expect(page.locator(".term-tip .tooltip")).to_be_visible()
    expect(page.locator(".term-tip .tooltip")).not_to_be_empty()
    page.keyboard.press("Escape")
    expect(page.locator(".term-tip .tooltip")).to_be_hidden()
    terms = page.locator("details.terms")
    terms.locator("summary").press("Enter")  # by the keyboard, what hovering shows
    expect(terms.locator("dd").first).to_be_visible()
    draw_all(page, programs=True)  # or which sections came near as the page moved to its foot decides what follows
    uses = settled(page, LISTED)
    set_run_language("fr")
    known = english_terms()
    set_run_language("en")
    for use, english in zip(uses, terms.locator("dd").all_inner_texts(), strict=True):
        assert english in {known[form] for form in known if singular(form) in singular(use)}
    field = page.get_by_test_id("stNumberInput").first
    expect(field.get_by_test_id("stNumberInputStepUp")).to_have_attribute("aria-label", "Augmenter")


def singular(text: str) -> str:
    """Return a French text without the letters that make its words plurals."""
    return re.sub(r"[sx]\b", "", text.casefold())


def test_a_token_that_is_a_word_of_streamlits_stays_as_it_was_typed(french: Page) -> None:
    page = french
    with rerun(page):
        page.get_by_test_id("live-text").fill("Open the door")
    expect(page.get_by_test_id("stSelectbox").first.get_by_role("button")).to_have_attribute("aria-label", "Ouvrir")
    draw_all(page)
    expect(page.locator(".js-plotly-plot .xtick text", has_text="Open")).to_be_visible()


def test_the_menu_switches_the_language_and_leaves_what_is_typed_and_the_step_in_view(french: Page) -> None:
    page = french
    with rerun(page):
        page.get_by_test_id("live-text").fill("two cats")
    page.get_by_test_id("step-back").click()
    step = page.get_by_test_id("step-range")
    expect(step).to_have_value("3")
    page.locator(".st-key-language").get_by_role("button").click()
    page.get_by_text(NAMES["zh"], exact=True).click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    expect(page).to_have_url(re.compile("lang=zh"))
    expect(page.locator("textarea").first).to_have_value("two cats")
    expect(step).to_have_value("3")
    assert "text=two+cats" in page.url


def test_the_groups_that_a_narrow_window_folds_away_are_counted_in_the_pages_language(page: Page) -> None:
    page.set_viewport_size({"width": 900, "height": 700})
    page.goto("/lessons?lang=fr")
    expect(page.get_by_test_id("stTopNavSection").last).to_have_text(re.compile(r"^\d+ de plus$"))


@pytest.mark.thorough
@pytest.mark.parametrize(
    "path", ["tokens?lang=zh", "compare?lang=zh", "positions?lang=zh", "projection?lang=fr", "lessons?lang=fr"]
)
def test_axe_finds_nothing_in_another_language(page: Page, path: str) -> None:
    page.goto(f"/{path}")
    idle(page)
    assert_no_sideways_scroll(page)
    assert not violations(page)


def test_the_language_can_be_switched_again_and_again(new_page: NewPage, server: Server) -> None:
    page = new_page(server)
    page.goto("/positions?scheme=rope")
    idle(page)
    for code, title in (
        ("fr", "Rotatif (RoPE)"),
        ("zh", "旋转 (RoPE)"),
        ("en", "Rotary (RoPE)"),
        ("fr", "Rotatif (RoPE)"),
    ):
        page.locator(".st-key-language button").click()
        page.get_by_text(NAMES[code], exact=True).last.click()
        expect(page.locator("h1")).to_have_text(title)
        idle(page)
        expect(page.get_by_test_id("stAlert")).to_have_count(0)
