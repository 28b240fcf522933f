"""The batches page in a browser: windows over what one types, files, one token in every view, a phone."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.idle import assert_no_sideways_scroll, draw_all, drawn, idle, linked, place_of, rerun
from tests.browser.serving import Server
from tests.messages import whole, wording

WINDOWS = ".st-key-window-text"


def open_page(page: Page, query: str = "") -> None:
    page.goto(f"/batches{query}")
    idle(page)


def swipe(page: Page, *, right: float, down: float) -> None:
    """Move a finger over the middle of the block."""
    box = place_of(page.get_by_test_id("block-stage"))
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)
    moves = [(x + right * step / 10, y + down * step / 10) for step in range(11)]
    for kind, at in [("touchStart", moves[0]), *(("touchMove", move) for move in moves[1:]), ("touchEnd", None)]:
        points = [{"x": at[0], "y": at[1]}] if at else []
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    drawn(page)


@pytest.mark.thorough
def test_what_one_types_or_loads_is_cut_at_once_and_what_is_no_text_is_one_sentence(page: Page) -> None:
    open_page(page, "?batches_source=text&tokenizer=words&max_length=2&stride=1")
    area = page.locator(".st-key-live-text textarea")
    with rerun(page):
        area.fill("one two three four five six")
    expect(page.get_by_text(re.compile(r"6 \w+ → 4 \w+ → 1 \w+"))).to_be_visible()
    with rerun(page):
        page.get_by_label("stride", exact=True).fill("2")
        page.get_by_label("stride", exact=True).press("Enter")
    expect(page.get_by_text(re.compile(r"6 \w+ → 2 \w+ → 1 \w+"))).to_be_visible()
    expect(page).to_have_url(linked("stride=2"))
    open_page(page, "?batches_source=own&tokenizer=bytes")
    box = page.locator("input[type=file]")
    with rerun(page):
        box.set_input_files({"name": "wide.txt", "mimeType": "text/plain", "buffer": "Wide text.".encode("utf-16")})
    expect(page.get_by_text(wording("{file} is not UTF-8: save it…", file="wide.txt"))).to_be_visible()
    with rerun(page):
        box.set_input_files({"name": "own.txt", "mimeType": "text/plain", "buffer": b"abcdefghij"})
    expect(page.get_by_text(re.compile(r"10 \w+ → 10 \w+ → 2 \w+ → 1 \w+"))).to_be_visible()
    expect(page.get_by_text(wording("{file} is not UTF-8: save it…"))).to_have_count(0)


@pytest.mark.thorough
def test_a_chosen_token_is_followed_to_its_batch_and_the_next_one_can_be_had_from_the_end(page: Page) -> None:
    open_page(page, "?batches_source=manual&batch_size=8&shuffle=1&batch_place=40")
    draw_all(page)
    with rerun(page):
        page.locator(f"{WINDOWS} [role=option]").nth(3).click()
    expect(
        page.get_by_text(wording("Token {place:,}, {token}, is not in this batch but in another.", place="43"))
    ).to_be_visible()
    expect(page).to_have_url(linked("batch_token=43"))
    with rerun(page):
        page.get_by_role("button", name=wording("Show batch {number:,}", number=...)).first.click()
    expect(page.get_by_text(wording("Token {place:,}, {token}, is in this batch.", place="43"))).to_be_visible()
    expect(page.locator(".st-key-window-pairs [aria-selected=true]").first).to_be_visible()

    number = int(page.get_by_label(whole(wording("Batch"))).input_value())
    page.get_by_role("heading", name=wording("Questions")).scroll_into_view_if_needed()
    following = page.get_by_role("button", name=wording("Next"))
    expect(following).to_be_in_viewport()
    with rerun(page):
        following.click()
    expect(page.get_by_text(wording("**Batch {number:,}** of {count:,}", number=f"{number + 1:,}"))).to_be_in_viewport()
    expect(page).to_have_url(linked(f"batch={number + 1}"))


@pytest.mark.thorough
def test_on_a_phone_nothing_scrolls_sideways_and_a_finger_turns_the_block_or_scrolls(
    new_page: NewPage, server: Server
) -> None:
    page = new_page(server, width=390, height=844, color_scheme="dark", has_touch=True)
    open_page(page, "?batches_source=manual&max_length=64&batch_size=32&stride=7&shuffle=1&d_model=16")
    draw_all(page)
    for component in ("window-text", "window-pairs", "tensor-block"):
        expect(page.locator(f".st-key-{component}")).to_be_visible()
    assert_no_sideways_scroll(page)
    following = place_of(page.get_by_role("button", name=wording("Next")))
    assert following["x"] + following["width"] <= 390
    expect(page.get_by_test_id("stRadioOption").first).to_have_css("min-width", "44px")  # one may be a full stop alone

    swipe(page, right=10, down=-120)
    idle(page)
    assert "block_" not in page.url
    with rerun(page):
        swipe(page, right=100, down=20)
    expect(page).to_have_url(re.compile(r"[?&]block_yaw=[4-9]\d(&|$)"))
    assert "block_pitch" not in page.url
