"""The embedding layer's page in a browser: rows that are picked, rows that are multiplied, and what both cost."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.accessibility import violations_when_wide
from tests.browser.conftest import NewPage
from tests.browser.idle import asking, draw, draw_all, idle, linked, place_of, rerun
from tests.browser.serving import Server
from tests.browser.windows import assert_fits_a_phone
from tests.messages import wording

FOX = "?text=Quick+fox+is+in+the+house&tokenizer=words&d_model=3&seed=42"


def open_page(page: Page, query: str = "", *sections: str) -> None:
    page.goto(f"/embedding_layer{query}")
    idle(page)
    draw(page, "layer-product", *sections)
    place_of(page.get_by_test_id("one-hot-product"))


# How far each token row flies as the second step begins, less the way from its row of E: px right and down.
FLIGHTS = """async (root) => {
    root.querySelector('[data-testid="product-forward"]').click();
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    return [...root.querySelectorAll(".result tbody tr")].flatMap((row) => {
        const [cell, source] = [row, root.querySelector(`.matrix [data-id="${row.dataset.id}"]`)]
            .map((line) => line.querySelector(".number"));
        return cell.getAnimations().filter((move) => !(move instanceof CSSTransition)).map((flight) => {
            flight.pause();
            flight.currentTime = 0;
            const [to, from] = [cell, source].map((number) => number.getBoundingClientRect());
            return [Math.round(to.left - from.left), Math.round(to.top - from.top)];
        });
    });
}"""


def product_cell(page: Page, table: str, row: int, column: int) -> Locator:
    """Return a number of "hot", "matrix" or "result"; dimensions are counted from 0, also those out of sight."""
    return page.locator(f'[data-cell="{table} {row} {column}"]')


def test_the_steps_lead_to_rows_that_are_equal_and_each_cell_says_where_it_comes_from(page: Page) -> None:
    open_page(page, FOX + "&layer_ids=2+3+5+1")
    figure, readout = page.get_by_test_id("one-hot-product"), page.get_by_test_id("product-readout")
    verdict = page.get_by_test_id("product-equal")
    expect(verdict).to_contain_text(
        wording(
            "The lookup copies {copied} numbers.…", copied="12", tokens="4", vocab_size="6", d_model="3", products="72"
        )
    )
    expect(figure).to_have_attribute("data-step", "0")
    expect(verdict).not_to_be_visible()
    page.get_by_test_id("product-5").click()
    expect(figure).to_have_attribute("data-step", "5")
    expect(verdict).to_be_visible()
    expect(product_cell(page, "result", 1, 0)).to_have_text("−0.6866")
    product_cell(page, "result", 1, 0).hover()
    expect(readout).to_have_text(
        wording("‘{label}’, dimension…", label="is", dimension="0", factor="(−0.6866)", value="−0.6866")
    )
    expect(page.get_by_role("option", name=re.compile("^is"))).to_have_count(2)  # the chip and the row beside E
    product_cell(page, "matrix", 2, 1).hover()
    expect(readout).to_have_text(wording("row {row} of E, dimension…", row="2", dimension="1", value="1.6806"))
    product_cell(page, "hot", 2, 5).hover()
    expect(readout).to_have_text(wording("The one-hot row of ‘{label}’…", label="the", id="5", value="1", row="5"))
    page.get_by_test_id("product-back").click()
    expect(figure).to_have_attribute("data-step", "4")
    expect(verdict).not_to_be_visible()
    page.get_by_test_id("product-0").click()
    expect(figure).to_have_attribute("data-step", "0")
    expect(page.get_by_test_id("product-name")).to_have_text(
        wording("Step {number} of {count}: {name}", number="1", count="6")
    )
    page.get_by_test_id("product-play").click()
    expect(figure).to_have_attribute("data-playing", "true")
    page.get_by_test_id("product-play").click()
    expect(figure).to_have_attribute("data-playing", "false")


def test_each_token_row_comes_from_its_row_of_e(page: Page) -> None:
    open_page(page, "?text=the+king+the")
    assert page.get_by_test_id("one-hot-product").evaluate(FLIGHTS) == [[0, 0], [0, 0], [0, 0]]


def test_as_many_dimensions_as_there_is_room_for_are_shown_from_where_the_link_says(page: Page) -> None:
    open_page(page, "?tokenizer=words&d_model=300&look=1~one-hot-product.step!4~one-hot-product.cells!7")
    expect(page.get_by_test_id("one-hot-product")).to_have_attribute("data-step", "4")
    columns = "cells => cells.map(cell => Number(cell.dataset.cell.split(' ')[2]))"
    shown = page.locator('[data-cell^="result 0 "]').evaluate_all(columns)
    assert shown == list(range(7, 7 + len(shown)))
    assert len(shown) >= 3
    product_cell(page, "result", 2, 7).focus()
    page.keyboard.press("End")
    expect(product_cell(page, "result", 2, 299)).to_be_focused()
    expect(page).to_have_url(re.compile(rf"one-hot-product\.cells!{300 - len(shown)}(~|&|$)"))


@pytest.fixture(scope="module")
def opened(new_shared_page: NewPage, server: Server) -> Page:
    """The page with a small lookup to measure, opened once for the tests of its controls."""
    page = new_shared_page(server)
    open_page(page, "?layer_cost_rows=5000&layer_cost_width=64&layer_cost_tokens=256", "layer-linear", "layer-cost")
    return page


def test_what_a_lookup_saves_is_measured_on_the_spot(opened: Page) -> None:
    opened.get_by_role("button", name=wording("Measure both")).click()
    expect(opened.get_by_text(wording("**The lookup took {lookup}, the…", lookup=...))).to_be_visible()
    expect(opened.get_by_text(wording("equal bit for bit")).last).to_be_visible()


@pytest.mark.thorough
def test_an_example_and_typed_ids_are_in_the_link_and_a_wrong_id_is_a_sentence(opened: Page) -> None:
    with rerun(opened):
        opened.get_by_role("button", name=wording("Examples")).click()
        opened.get_by_role("radio", name=wording("A whole table: 6 rows of 3 numbers")).click()
    expect(opened).to_have_url(linked("layer_ids=3"))
    field = opened.locator(".st-key-layer_ids input")
    expect(field).to_have_value("3")
    with rerun(opened):
        field.fill("5 0 <b>9</b>")
        field.press("Enter")
    expect(opened.get_by_text(wording("{table} has the rows 0 to…", last="5"))).to_be_visible()
    rows = opened.get_by_test_id("matrix-row")
    asking(opened, lambda: rows.evaluate_all("rows => rows.map(row => row.dataset.id)") == ["5", "0"])
    expect(field).to_have_value("5 0 <b>9</b>")
    expect(opened).to_have_url(re.compile(r"layer_ids=5\+0\+%3Cb%3E9"))


@pytest.mark.thorough
def test_a_token_that_is_chosen_in_the_animation_is_chosen_everywhere(page: Page) -> None:
    open_page(page, FOX)
    with rerun(page):
        product_cell(page, "matrix", 1, 0).focus()  # the first row of E is that of "fox"
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
    expect(page).to_have_url(linked("token=1"))
    chosen = page.locator('[role="option"][aria-selected="true"]')
    expect(chosen).to_have_count(2)  # the chip and the row beside E
    expect(chosen.last).to_contain_text("fox")
    with rerun(page):
        page.get_by_test_id("live-text").fill(" ".join(f"w{number}" for number in range(30)))
    with rerun(page):
        page.get_by_test_id("token-chip").nth(27).click()
    row = page.get_by_test_id("matrix-row").and_(page.locator("[data-position='27']"))
    expect(row).to_have_attribute("aria-selected", "true")  # only rows in sight exist: the list has scrolled to it
    expect(page.get_by_test_id("matrix-note")).to_contain_text(
        wording("Shown: {first} to {last} of {total} tokens; scroll for more", total="30")
    )


@pytest.mark.thorough
def test_a_phone_shows_it_all_in_the_dark_without_motion(new_page: NewPage, server: Server) -> None:
    page = new_page(server, width=390, height=844, color_scheme="dark", reduced_motion="reduce", has_touch=True)
    open_page(page)
    draw_all(page)
    assert_fits_a_phone(page, "/embedding_layer")
    figure = page.get_by_test_id("one-hot-product")
    assert figure.evaluate(FLIGHTS) == []
    expect(figure).to_have_attribute("data-step", "1")
    rights = "tables => tables.map(table => table.getBoundingClientRect().right)"
    assert max(figure.locator("table").evaluate_all(rights)) <= 390 - 16
    assert violations_when_wide(page) == []
