"""The three views of a batch in a browser: the text, inputs and targets, the block."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from embedlib.embedding import embedding_table
from embedlib.figures import DIVERGING, gradient
from embedlib.texts import reference_manual
from embedlib.tokenizers import get_tokenizer
from tests.browser.conftest import NewPage
from tests.browser.idle import asking, draw, drawn, idle, linked, place_of, rerun
from tests.browser.serving import Server
from tests.messages import wording

PICTURE = "canvas => canvas.toDataURL()"


def open_page(page: Page, query: str = "") -> None:
    page.goto(f"/batches?batches_source=manual&d_model=16&block=token&{query}")
    idle(page)
    draw(page, "batches-shapes", "batches-block")
    expect(page.get_by_test_id("block-readout")).to_be_visible()


def test_the_block_shows_and_reads_out_the_tables_numbers_on_every_side_and_inside(page: Page) -> None:
    open_page(page, "max_length=5&stride=3&batch_size=4&block_positions_cut=1")
    token_ids = get_tokenizer("gpt2").encode(reference_manual()[:400])
    table = embedding_table(50_257, 16, seed=123)
    limit = float(page.get_by_test_id("tensor-block").locator(".numbers span").last.inner_text())
    colours = gradient(DIVERGING["light"], 255)
    canvas, block = page.get_by_test_id("block-canvas"), page.get_by_test_id("tensor-block")
    area = place_of(canvas)
    sides = set()
    for down in range(60, 420, 60):
        for right in range(100, int(area["width"]) - 100, 120):
            page.mouse.move(area["x"] + right, area["y"] + down)
            drawn(page)
            cell = json.loads(block.get_attribute("data-view") or "")["cell"]
            if cell is None:
                continue
            row, position, dimension = cell
            sides.add((row == 0, position == 1, dimension == 0))
            value = float(table[token_ids[3 * row + position], dimension])
            index = 127 + max(-127, min(127, round(value / limit * 127)))
            near = """(canvas, [x, y]) => [...canvas.getContext("2d").getImageData(x - 4, y - 4, 9, 9).data]"""
            pixels = canvas.evaluate(near, [right, down])
            shown = {f"#{r:02x}{g:02x}{b:02x}" for r, g, b in zip(pixels[::4], pixels[1::4], pixels[2::4], strict=True)}
            assert colours[index] in shown, (cell, value, shown)
    assert {(True, False, False), (False, True, False), (False, False, True)} <= sides  # front, top, side

    page.mouse.move(0, 0)
    canvas.focus()
    with rerun(page):  # the cut follows the pointer into the block, and the link follows the cut
        for key in (
            "Shift+ArrowRight",
            "PageDown",
            "PageDown",
            "Shift+ArrowDown",
            "Shift+ArrowRight",
            "Shift+ArrowRight",
        ):
            page.keyboard.press(key)
    expected = f"{float(table[token_ids[3 * 2 + 2], 2]):.4f}".replace("-", "−")
    expect(page.get_by_test_id("block-readout")).to_have_text(
        re.compile(rf"^\w+ 2, \w+ 2, \w+ 2 · ‘.*’: {re.escape(expected)}$")
    )
    assert json.loads(page.get_by_test_id("tensor-block").get_attribute("data-view") or "")["cut"] == [2, 1, 0]
    expect(page).to_have_url(linked("block_samples_cut=2"))


@pytest.fixture(scope="module")
def three(new_shared_page: NewPage, server: Server) -> Page:
    """Three samples that overlap, opened once; without motion, for what lies on the inputs is then there at once."""
    page = new_shared_page(server, reduced_motion="reduce")
    open_page(page, "max_length=4&stride=2&batch_size=3")
    return page


@pytest.mark.thorough
def test_a_token_is_lit_in_every_view_and_chosen_in_all(three: Page) -> None:
    page = three
    block = page.get_by_test_id("block-canvas")
    before = block.evaluate(PICTURE)
    token = page.get_by_test_id("window-token").nth(5)  # in the windows that start at 2 and at 4
    expect(token.locator(".lane")).to_have_count(2)
    token.hover()
    hovered = page.get_by_test_id("window-pairs").locator(".cell:has(.hovered)")
    expected = []
    for table, ahead in (("inputs", 0), ("targets", 1)):
        for row, start in enumerate((0, 2, 4)):
            expected += [[table, str(row), str(place)] for place in range(4) if start + place + ahead == 5]
    places = "cells => cells.map(({dataset}) => [dataset.table, dataset.row, dataset.place])"
    asking(page, lambda: sorted(hovered.evaluate_all(places)) == sorted(expected))
    hovered.first.hover()
    said = page.get_by_test_id("pairs-readout")  # the relation that the arrow draws
    expect(said).to_have_text(wording("sample {sample}: ‘{token}’ ({id}), target…", sample="1", target="2", input="3"))
    expect(page.get_by_test_id("pairs-arrows").locator("path.over")).to_have_count(2)  # in samples 1 and 2
    asking(page, lambda: block.evaluate(PICTURE) != before)
    with rerun(page):
        hovered.first.click()
    expect(token).to_have_attribute("aria-selected", "true")
    expect(page).to_have_url(linked("batch_token=5"))


def test_laid_on_the_inputs_every_target_is_the_input_that_it_covers(three: Page) -> None:
    page = three
    page.mouse.move(5, 5)
    page.get_by_test_id("pairs-shift").click()
    for width in (1440, 390):  # beside each other, and line under line
        page.set_viewport_size({"width": width, "height": 900})
        idle(page)
        boxes = """cells => cells.map((cell) => {
            const { left, top } = cell.getBoundingClientRect();
            return [Math.round(left), Math.round(top), cell.textContent, Number(cell.dataset.place)];
        })"""
        expect(page.get_by_test_id("pairs-copy")).to_be_visible()
        covered = {
            (left, top): text
            for left, top, text, _ in page.get_by_test_id("pairs-inputs").locator(".cell").evaluate_all(boxes)
        }
        laid = page.get_by_test_id("pairs-copy").locator(".cell").evaluate_all(boxes)
        assert len(laid) == 12
        for left, top, text, place in laid:
            near = [covered.get((left + x, top + y)) for x in (-1, 0, 1) for y in (-1, 0, 1)]
            assert (text in near) if place < 3 else not any(near), (width, place, text)


def test_the_strip_moves_the_stretch_to_the_same_place_twice_and_back_to_the_batch(page: Page) -> None:
    open_page(page, "max_length=4&stride=4&batch_size=8&batch=300&batch_token=9600")
    strip, first = page.get_by_test_id("window-strip"), page.get_by_test_id("window-token").first
    for batch in (301, 302):
        strip.focus()
        with rerun(page):
            page.keyboard.press("Home")
        expect(first).to_have_attribute("data-position", "0")
        with rerun(page):
            page.get_by_role("button", name=wording("Next")).click()
        expect(page.get_by_text(wording("**Batch {number:,}** of {count:,}", number=batch)).first).to_be_visible()
        expect(first).not_to_have_attribute("data-position", "0")
    strip.focus()
    with rerun(page):
        page.keyboard.press("Home")
    expect(page.get_by_test_id("window-elsewhere")).to_have_text(
        re.compile(r"\w+ 9,600 ‘.*’ · " + wording("chosen, not in view").pattern)
    )
    with rerun(page):
        page.get_by_test_id("window-back").click()
    expect(first).to_have_attribute("data-position", str(32 * 301 - 8))
    expect(page.get_by_test_id("window-back")).to_be_hidden()
