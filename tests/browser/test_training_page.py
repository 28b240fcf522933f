"""The training page in a browser: it trains by itself, stands still when told to, and ends when nobody looks."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.idle import idle, rerun
from tests.browser.serving import Server

PATIENT = 60_000
LONG = "/training?train_steps=5000&train_batch_size=8192"  # minutes


def said(page: Page) -> str:
    return page.locator(".st-key-train-transport .stProgress").inner_text(timeout=PATIENT)


def step_of(page: Page) -> int:
    found = re.search(r"Step ([\d,]+) of", said(page))
    assert found
    return int(found[1].replace(",", ""))


def saved_at(page: Page) -> int:
    """Read at which step the training itself stands, whatever this visitor has been shown."""
    sentence = page.get_by_text("all that is needed to go on from step").inner_text(timeout=PATIENT)
    found = re.search(r"go on from step ([\d,]+)", sentence)
    assert found
    return int(found[1].replace(",", ""))


def press(page: Page, key: str) -> None:
    page.locator(f".st-key-{key} button:visible").click(timeout=PATIENT)


def test_rows_begin_to_move_by_themselves(page: Page) -> None:
    page.goto("/training")
    expect(page.locator(".st-key-train-go button")).to_have_text(re.compile("Pause"), timeout=PATIENT)
    expect(page.get_by_test_id("row-motion")).to_have_attribute("data-step", re.compile(r"[1-9]"), timeout=PATIENT)


def test_a_training_is_stopped_stepped_looked_back_on_and_ends_with_its_page(new_page: NewPage, server: Server) -> None:
    page = new_page(server)
    page.goto(LONG)
    figure, progress = page.get_by_test_id("row-motion"), page.locator(".st-key-train-transport .stProgress")
    expect(progress).to_contain_text("Step 0 of 5,000 in view · not trained yet", timeout=PATIENT)
    press(page, "train-go")
    expect(figure).to_have_attribute("data-step", re.compile(r"[1-9]"), timeout=PATIENT)
    press(page, "train-go")
    expect(progress).to_contain_text("paused", timeout=PATIENT)
    idle(page, timeout=60)
    before = step_of(page)
    press(page, "train-one")
    expect(progress).not_to_contain_text(f"Step {before:,} of", timeout=PATIENT)
    expect(progress).to_contain_text("paused", timeout=PATIENT)
    assert step_of(page) > before
    idle(page, timeout=60)
    with rerun(page, timeout=60):
        page.get_by_test_id("motion-first").click()
    page.wait_for_url(re.compile("train_step=0"), timeout=PATIENT)
    with rerun(page, timeout=60):
        page.get_by_test_id("motion-search").fill("dog")
        page.get_by_test_id("motion-search").press("Enter")
    page.wait_for_url(re.compile("train_word=dog"), timeout=PATIENT)
    stood = saved_at(page)
    press(page, "train-go")
    page.wait_for_function(f"() => !document.body.innerText.includes('go on from step {stood:,},')", timeout=PATIENT)
    page.close()
    other = new_page(server)
    other.wait_for_timeout(1_500)
    other.goto(LONG)
    ended = saved_at(other)
    assert stood < ended < 5_000
    other.reload()
    assert saved_at(other) == ended
    idle(other, timeout=60)
