"""What people paste: the page answers in a sentence, stays alive, loses nothing and runs nothing."""

import pytest
from playwright.sync_api import Page, expect

from embedlib.examples import EXAMPLES
from tests.browser.idle import idle, rerun
from tests.messages import wording

NASTY = [
    "<script>window.pwned = 1</script><img src=x onerror='window.pwned = 1'>",
    "[link](javascript:window.pwned=1) ![image](http://192.0.2.1/x.png) **bold** $x^2$ :material/home:",
    "<|endoftext|> <|fim_prefix|>",
    "\u202eright to left\u202c שלום \u200b\u200d\ufeff \x07\x1b[31m \x00 end",
    "%{text} <br> &lt;b&gt; <a href='http://192.0.2.1'>link</a>",
    "e\u0301\u0301\u0301 👩‍👩‍👧 日本語 \U0001f9ff",
]


def set_text(page: Page, text: str) -> None:
    """Put a text into the area as a paste does; Playwright's own fill refuses halves of surrogate pairs."""
    page.get_by_test_id("live-text").evaluate(
        "(area, text) => { area.value = text; area.dispatchEvent(new InputEvent('input', {bubbles: true})); }", text
    )


@pytest.mark.parametrize("text", [NASTY[0], *(pytest.param(text, marks=pytest.mark.thorough) for text in NASTY[1:])])
def test_text_stays_text_in_every_view(opened: Page, text: str) -> None:
    with rerun(opened):
        set_text(opened, text)
    opened.get_by_test_id("token-chip").first.hover()
    with rerun(opened):
        opened.get_by_test_id("token-chip").nth(1).click()
    assert opened.evaluate("window.pwned") is None
    expect(opened.get_by_test_id("stException")).to_have_count(0)
    expect(opened.locator("a[href*='192.0.2.1'], img[src*='192.0.2.1']")).to_have_count(0)
    assert "\ufffd" not in opened.locator("body").inner_text()
    # The address carries it to a new session, whole.
    kept = opened.get_by_test_id("live-text").input_value()
    opened.reload()
    idle(opened)
    expect(opened.get_by_test_id("live-text")).to_have_value(kept)


def test_an_empty_text_says_what_to_do_and_the_next_key_goes_on(opened: Page) -> None:
    with rerun(opened):
        opened.get_by_test_id("live-text").fill("")
    expect(opened.get_by_text(wording("The text has no tokens: type…"))).to_be_visible()
    with rerun(opened):
        opened.get_by_test_id("live-text").fill("x")
    expect(opened.get_by_test_id("token-chip")).to_have_count(1)


def test_white_space_alone_is_shown_as_tokens(opened: Page) -> None:
    with rerun(opened):
        opened.get_by_test_id("live-text").fill(" \n\t ")
    expect(opened.get_by_test_id("token-chip").first).to_be_visible()
    expect(opened.get_by_test_id("token-chips")).to_contain_text("↵")


@pytest.mark.thorough
def test_a_megabyte_is_cut_and_said_and_the_area_keeps_it(opened: Page) -> None:
    text = "lorem ipsum " * 87_382
    with rerun(opened):
        set_text(opened, text)
    expect(
        opened.get_by_text(wording("Used: {limit:,} of {total:,}…", total="1,048,584", limit="20,000"))
    ).to_be_visible()
    assert opened.get_by_test_id("live-text").evaluate("area => area.value.length") == len(text)
    expect(opened.get_by_text(wording("Shown: {limit:,} of {total:,}…", limit="2,000"))).to_be_visible()
    with rerun(opened):
        opened.get_by_test_id("live-text").fill("short again")
    expect(opened.get_by_test_id("token-chip")).to_have_count(2)


def test_half_a_surrogate_pair_is_left_out_and_said(opened: Page) -> None:
    with rerun(opened):
        opened.get_by_test_id("live-text").evaluate(
            "area => { area.value = 'a\\ud83db'; area.dispatchEvent(new InputEvent('input', {bubbles: true})); }"
        )
    expect(opened.get_by_text(wording("Halves of surrogate pairs left…"))).to_be_visible()
    expect(opened.get_by_test_id("token-chip")).to_have_count(1)


def test_a_link_cannot_plant_a_link(page: Page) -> None:
    page.goto("/?seed=[win](http://192.0.2.1)+www.example.org&scheme=![x](http://192.0.2.1/x.png)&d_model=%3Cb%3Ex")
    idle(page)
    alerts = page.get_by_test_id("stAlert")
    expect(alerts).to_have_count(3)
    expect(alerts.filter(has_text="[win](http://192.0.2.1)")).to_have_count(1)
    expect(alerts.locator("a, b, img")).to_have_count(0)
    expect(page.get_by_test_id("live-text")).to_have_value(EXAMPLES["meaning"].text)


@pytest.mark.thorough
def test_a_flood_of_changes_ends_where_it_led(opened: Page) -> None:
    switch = opened.locator("[data-testid='stSidebar'] [data-testid='stCheckbox'] input").first
    was_on = switch.is_checked()
    opened.evaluate(
        """() => {
            const { send } = WebSocket.prototype;
            WebSocket.prototype.send = function (message) {
                WebSocket.prototype.send = send;
                for (let copy = 0; copy < 300; copy += 1) this.send(message);
            };
        }"""
    )
    with rerun(opened):
        switch.dispatch_event("click")
    assert switch.is_checked() is not was_on
