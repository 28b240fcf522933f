"""The word order page in a browser: two sentences that one types, and what the schemes make of them."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.idle import idle, linked, rerun
from tests.browser.serving import Server
from tests.messages import wording

BLIND = wording("**Equal outputs for both…", schemes=...)


def open_page(page: Page, query: str = "") -> None:
    page.goto(f"/word_order{query}")
    idle(page)


@pytest.fixture(scope="module")
def opened(new_shared_page: NewPage, server: Server) -> Page:
    """The page opened once for the tests that replace its sentences; it counts the charts that are drawn."""
    page = new_shared_page(server)
    page.add_init_script(
        """
        window.drawn = 0;
        const isLabel = node => node instanceof Element && node.matches(".js-plotly-plot g.annotation");
        new MutationObserver(changes => {
            for (const change of changes) window.drawn += [...change.addedNodes].filter(isLabel).length;
        }).observe(document, {subtree: true, childList: true});
        """
    )
    open_page(page)
    return page


def test_a_chart_is_drawn_once_though_streamlit_asks_for_it_twice(opened: Page) -> None:
    assert opened.evaluate("window.drawn") == opened.locator(".js-plotly-plot g.annotation").count() > 0


def test_what_one_types_is_compared_at_once_and_is_in_the_link(opened: Page) -> None:
    first, second = (
        opened.get_by_label(wording("First sentence")),
        opened.get_by_label(wording("Second sentence")),
    )
    expect(first).to_have_value("the dog saw the man")
    with rerun(opened):
        first.fill("one two three four")
    with rerun(opened):
        second.fill("four three two one")
    expect(opened.get_by_text(wording("Both sentences have the same…", count="4", moved="4"))).to_be_visible()
    expect(opened.get_by_text(wording("Reading backwards keeps every distance,…"))).to_be_visible()
    expect(opened).to_have_url(linked("first=one+two+three+four"))
    expect(opened).to_have_url(linked("second=four+three+two+one"))


@pytest.mark.thorough
def test_a_ready_made_pair_replaces_both_sentences(opened: Page) -> None:
    with rerun(opened):
        opened.get_by_role("button", name=wording("Examples")).click()
        opened.get_by_role("radio", name=wording("I love NLP, reversed")).click()
    expect(opened.get_by_label(wording("First sentence"))).to_have_value("I love NLP")
    expect(opened.get_by_label(wording("Second sentence"))).to_have_value("NLP love I")


@pytest.mark.thorough
def test_the_mask_lets_two_layers_see_what_one_cannot(opened: Page) -> None:
    with rerun(opened):
        opened.locator(".st-key-causal label").first.click()
    expect(opened.get_by_text(BLIND)).to_contain_text(wording("No positions (NoPE)"))
    with rerun(opened):
        opened.get_by_role("radio", name="2", exact=True).click()
    expect(opened.get_by_text(wording("With every scheme the outputs differ."))).to_be_visible()
    expect(opened).to_have_url(linked("causal=1"))


def test_a_sentence_stays_text(opened: Page) -> None:
    page = opened
    with rerun(page):
        page.get_by_label(wording("First sentence")).fill("<img src=x onerror=alert(1)> **b**")
    with rerun(page):
        page.get_by_label(wording("Second sentence")).fill("[a](http://192.0.2.1) $x$")
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.locator("a[href*='192.0.2.1'], img[src='x']")).to_have_count(0)
    expect(page).to_have_url(re.compile("first=%3Cimg"))
