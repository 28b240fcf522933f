"""The training page in a browser: it trains by itself, stands still when told to, and ends when nobody looks."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.idle import asking, idle, layout_shift, rerun
from tests.browser.serving import Server
from tests.messages import value_in, wording
from tests.waiting import PATIENCE

PAUSED = wording("paused")
LONG = "/training?train_steps=5000&train_batch_size={}"  # of 8192 pairs each they take minutes


def said(page: Page) -> str:
    return page.locator(".st-key-train-transport .stProgress").inner_text()


def step_of(page: Page) -> int:
    """Read which step is in view; -1 while the picture runs on and alone knows."""
    step = value_in(said(page), "Step {step:,} of {steps:,}", "step")
    return int(step.replace(",", "")) if step else -1


def saved_at(page: Page) -> int:
    """Read at which step the training itself stands, whatever this visitor has been shown."""
    place = "Resumes from step {at:,}; the…"
    step = value_in(page.get_by_text(wording(place)).inner_text(), place, "at")
    assert step
    return int(step.replace(",", ""))


def press(page: Page, key: str) -> None:
    page.locator(f".st-key-{key} button:visible").click()


@pytest.mark.thorough
def test_rows_begin_to_move_by_themselves_in_a_large_window(page: Page) -> None:
    page.goto("/training")
    expect(page.locator(".st-key-train-go button")).to_have_text(wording("Pause"))
    expect(page.get_by_test_id("row-motion")).to_have_attribute(
        "data-step", re.compile(r"[1-9]"), timeout=PATIENCE * 1000
    )


@pytest.mark.thorough
def test_rows_begin_to_move_by_themselves_on_a_phone_and_nothing_jumps_while_the_page_comes(
    new_page: NewPage, server: Server
) -> None:
    page = new_page(server, width=390, height=844)
    page.goto("/training")
    expect(page.locator(".st-key-train-go button")).to_have_text(wording("Pause"))
    expect(page.get_by_test_id("row-motion")).to_have_attribute(
        "data-step", re.compile(r"[1-9]"), timeout=PATIENCE * 1000
    )
    assert layout_shift(page) < 0.1


def opened(new_page: NewPage, server: Server, batch_size: int) -> Page:
    page = new_page(server, reduced_motion="reduce")  # the picture at once: each frame of its way costs a processor
    page.goto(LONG.format(batch_size))
    idle(page)
    return page


def test_a_training_is_stopped_stepped_and_looked_back_on(new_page: NewPage, server: Server) -> None:
    page = opened(new_page, server, 1024)
    figure, progress = page.get_by_test_id("row-motion"), page.locator(".st-key-train-transport .stProgress")
    expect(progress).to_have_text(wording("Step {step:,} of {steps:,}", step="0", steps="5,000"))
    press(page, "train-go")
    expect(figure).to_have_attribute("data-step", re.compile(r"[1-9]"), timeout=PATIENCE * 1000)
    press(page, "train-go")
    expect(progress).to_have_text(PAUSED)
    idle(page)
    before = step_of(page)
    press(page, "train-one")
    asking(page, lambda: step_of(page) > before, patience=PATIENCE)
    expect(progress).to_have_text(PAUSED)
    idle(page)
    with rerun(page):
        page.get_by_test_id("motion-first").click()
    page.wait_for_url(re.compile("train_step=0"))
    with rerun(page):
        page.get_by_test_id("motion-search").fill("dog")
        page.get_by_test_id("motion-search").press("Enter")
    page.wait_for_url(re.compile("train_word=dog"))


@pytest.mark.thorough
def test_a_training_ends_with_its_page(new_page: NewPage, server: Server) -> None:
    page = opened(new_page, server, 8192)
    stood = saved_at(page)
    press(page, "train-go")
    asking(page, lambda: saved_at(page) > stood, patience=PATIENCE)
    page.close()
    other = opened(new_page, server, 8192)

    def stands_still() -> bool:
        before = saved_at(other)
        with rerun(other):
            other.keyboard.press("r")  # Streamlit's own key for one more run
        return saved_at(other) == before

    asking(other, stands_still, patience=PATIENCE)
    assert stood < saved_at(other) < 5_000
