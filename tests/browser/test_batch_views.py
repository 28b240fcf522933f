"""The three views of a batch in a browser: the text, inputs and targets, the block."""

import re
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from embedlib.embedding import embedding_table
from embedlib.figures import DIVERGING, gradient
from embedlib.texts import reference_manual
from embedlib.tokenizers import get_tokenizer
from tests.browser.conftest import NewPage
from tests.browser.idle import asking, draw, drawn, idle, linked, place_of, rerun
from tests.browser.serving import Server
from tests.messages import wording


def open_page(page: Page, query: str = "", *, d_model: int = 16) -> None:
    page.goto(f"/batches?batches_source=manual&d_model={d_model}&block=token&{query}")
    idle(page)
    draw(page, "batches-shapes", "batches-block")
    expect(page.get_by_test_id("block-stage")).to_be_visible()


def colour_index(page: Page, value: float) -> int:
    """Return which of 255 colours the block gives a number."""
    limit = float(page.get_by_test_id("block-colours").locator("span").last.inner_text())
    return 127 + max(-127, min(127, round(value / limit * 127)))


def test_the_block_shows_and_reads_out_the_tables_numbers_on_every_side_and_inside(page: Page) -> None:
    open_page(page, "max_length=5&stride=3&batch_size=4&block_positions_cut=1&block_yaw=50")
    token_ids = get_tokenizer("gpt2").encode(reference_manual()[:400])
    table = embedding_table(50_257, 16, seed=123)
    colours = gradient(DIVERGING["light"], 255)
    stage, readout = page.get_by_test_id("block-stage"), page.get_by_test_id("block-readout")
    area = place_of(stage)
    sides = set()
    for down in range(60, 420, 60):
        for right in range(100, int(area["width"]) - 100, 120):
            x, y = area["x"] + right, area["y"] + down
            page.mouse.move(x, y)
            drawn(page)
            found = re.fullmatch(r"\w+ (\d+), \w+ (\d+), \w+ (\d+) · ‘.*’: (.+)", readout.text_content() or "")
            if found is None:
                continue
            row, position, dimension = map(int, found.groups()[:3])
            sides.add((row == 0, position == 1, dimension == 0))
            value = float(table[token_ids[3 * row + position], dimension])
            assert found[4] == f"{value:.4f}".replace("-", "−")
            near = Image.open(BytesIO(page.screenshot(clip={"x": x - 4, "y": y - 4, "width": 9, "height": 9})))
            shown = {f"#{r:02x}{g:02x}{b:02x}" for _, (r, g, b) in near.convert("RGB").getcolors() or ()}
            assert colours[colour_index(page, value)] in shown, (found[0], shown)
    assert {(True, False, False), (False, True, False), (False, False, True)} <= sides  # front, top, side

    page.mouse.move(0, 0)
    stage.focus()
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
    expect(readout).to_have_text(re.compile(rf"^\w+ 2, \w+ 2, \w+ 2 · ‘.*’: {re.escape(expected)}$"))
    expect(page).to_have_url(linked("block_samples_cut=2"))
    expect(page).to_have_url(linked("block_positions_cut=1"))
    expect(page).to_have_url(linked("block_yaw=50"))
    assert "block_dimensions_cut" not in page.url


def test_where_the_screen_has_fewer_pixels_than_cells_each_pixel_is_the_mean_of_its_cells(page: Page) -> None:
    open_page(page, "max_length=4&stride=4&batch_size=2&block_yaw=85&block_pitch=0", d_model=256)
    token_ids = get_tokenizer("gpt2").encode(reference_manual()[:400])
    table = embedding_table(50_257, 256, seed=123)
    picture = page.get_by_test_id("tensor-block").locator(".picture canvas").first
    read = """canvas => [canvas.width, canvas.height,
        [...canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data]]"""
    width, height, pixels = picture.evaluate(read)
    assert (height, 256 % width) == (4, 0)
    assert width <= 128
    colours = gradient(DIVERGING["light"], 255)
    means = table[token_ids[:4]].unflatten(1, (width, 256 // width)).mean(-1).flatten().tolist()
    for at, mean in enumerate(means):
        red, green, blue = pixels[4 * at : 4 * at + 3]
        near = colours[max(0, colour_index(page, mean) - 1) : colour_index(page, mean) + 2]  # the limit is rounded
        assert f"#{red:02x}{green:02x}{blue:02x}" in near, (at, mean)


@pytest.fixture(scope="module")
def three(new_shared_page: NewPage, server: Server) -> Page:
    """Three samples that overlap, opened once; without motion, for what lies on the inputs is then there at once."""
    page = new_shared_page(server, reduced_motion="reduce")
    open_page(page, "max_length=4&stride=2&batch_size=3")
    return page


@pytest.mark.thorough
def test_a_token_is_lit_in_every_view_and_chosen_in_all(three: Page) -> None:
    page = three
    marks = page.get_by_test_id("tensor-block").locator(".mark")
    expect(marks).to_have_count(0)
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
    expect(said).to_have_text(wording("In sequence {sample} the model reads…", sample="1", target="2", input="3"))
    expect(page.get_by_test_id("pairs-arrows").locator("path.over")).to_have_count(2)  # in samples 1 and 2
    expect(marks.and_(page.locator(".hovered"))).to_have_count(2)  # the ends of its two rows within the block
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
        re.compile(r"\w+ 9,600 ‘.*’ · " + wording("chosen, but scrolled out of view").pattern)
    )
    with rerun(page):
        page.get_by_test_id("window-back").click()
    expect(first).to_have_attribute("data-position", str(32 * 301 - 8))
    expect(page.get_by_test_id("window-back")).to_be_hidden()
