"""The compare page in a browser: every scheme beside every other, and one pointer through all of them."""

import re
from contextlib import suppress

import pytest
from playwright.sync_api import Locator, Page, TimeoutError, expect

from embedlib.positional import SCHEMES
from tests.browser.conftest import NewPage
from tests.browser.idle import asking, draw, draw_all, idle, linked, place_of, rerun, settled
from tests.browser.serving import Server
from tests.messages import wording

ALL = ",".join(SCHEMES)
UNDEFINED = re.compile(f"^({'|'.join(re.escape(SCHEMES[name].title) for name in ('none', 'alibi'))})$")
CAT = "?text=The+cat+sat+on+the+mat"


def grid(page: Page, number: int = 0) -> Locator:
    return page.get_by_test_id("matrix-grid").nth(number)


def open_compare(page: Page, query: str = "") -> None:
    page.goto(f"/compare{query}")
    idle(page)
    draw(page, "compare-attention", "compare-similarity", "compare-measures")
    expect(page.get_by_test_id("measures")).to_be_visible()


@pytest.fixture(scope="module")
def cat(new_shared_page: NewPage, server: Server) -> Page:
    """The page with its four schemes, a text and its second token, opened once for those who leave the schemes."""
    page = new_shared_page(server, width=1280)
    open_compare(page, CAT + "&token=1")
    return page


@pytest.mark.thorough
def test_all_schemes_draw_their_pictures(page: Page) -> None:
    open_compare(page, f"?schemes={ALL}")
    draw_all(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    panels = grid(page).get_by_test_id("grid-panel")
    expect(panels.get_by_role("heading")).to_have_text([scheme.title for scheme in SCHEMES.values()][1:])
    expect(panels.locator("canvas:visible")).to_have_count(len(SCHEMES) - 1)  # all but the one that does nothing
    expect(page.get_by_test_id("stPlotlyChart").locator(".main-svg:first-child")).to_have_count(4)


def test_a_key_moves_the_pointer_and_enter_chooses(cat: Page) -> None:
    panels = grid(cat).get_by_test_id("grid-panels")
    panels.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        cat.keyboard.press(key)
    expect(grid(cat).get_by_test_id("grid-readout")).to_contain_text(re.compile(r"^\w+ 2 “·sat”, \w+ 1\s"))
    with rerun(cat):
        cat.keyboard.press("Enter")
    expect(cat.get_by_role("option", selected=True)).to_contain_text("sat")


def test_the_cell_under_the_pointer_is_read_in_every_picture(cat: Page) -> None:
    canvas = grid(cat).get_by_test_id("grid-panel").filter(has_text=wording("ALiBi")).locator("canvas")
    cell = place_of(canvas)["height"] / 64
    canvas.hover(position={"x": 2.5 * cell, "y": 10.5 * cell})
    expect(grid(cat).get_by_test_id("grid-readout")).to_contain_text(re.compile(r"\w+ 10, \w+ 2"))
    # Head 0 of four has the slope 1/4; RoPE's column 2 is the sine of pair 1: sin(10 · 10000^(-1/8)).
    expect(grid(cat).get_by_test_id("grid-panel").filter(has_text=wording("ALiBi")).locator(".value")).to_have_text(
        "−2.0000"
    )
    expect(
        grid(cat).get_by_test_id("grid-panel").filter(has_text=SCHEMES["rope"].title).last.locator(".value")
    ).to_have_text("−0.0207")


def test_a_picture_with_less_than_a_pixel_for_a_cell_shows_means_of_cells(page: Page) -> None:
    open_compare(page, "?schemes=sinusoidal&d_model=512")
    canvas = grid(page).locator("canvas").first
    assert place_of(canvas)["width"] < 512  # dimensions; those of position 0 are 0 and 1 in turn
    first_row = "canvas => new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, 1).data.buffer)"
    assert len(set(canvas.evaluate(f"canvas => [...({first_row})(canvas)]"))) == 1


def test_a_click_in_a_picture_chooses_the_token_everywhere(cat: Page) -> None:
    canvas = grid(cat).locator("canvas").last
    with rerun(cat):
        canvas.click(position={"x": 5, "y": place_of(canvas)["height"] * 3.5 / 64})  # row 3 of 64
    expect(cat.get_by_role("option", selected=True)).to_contain_text("on")
    expect(cat.get_by_role("slider", name=wording("Position to follow"))).to_have_value("3")


@pytest.mark.thorough
def test_what_shapes_pictures_stands_right_above_them(cat: Page) -> None:
    parts = [".st-key-position", ".st-key-contributions", ".st-key-live-text", ".st-key-attention"]
    read = "parts => parts.map((part) => document.querySelector(part).getBoundingClientRect().top)"
    tops = settled(cat, read, parts)
    assert tops == sorted(tops)
    assert place_of(cat.locator(parts[1]))["y"] - place_of(cat.locator(parts[0]))["y"] < 150


def test_a_measure_sorts_the_schemes_and_what_is_not_defined_stays_last(cat: Page) -> None:
    table = cat.get_by_test_id("measures").first
    question = wording("Does only the distance count, without tokens?")
    heading, names = table.get_by_role("button", name=question), table.locator("thead th.title")
    for direction in ("descending", "ascending"):
        heading.click()
        expect(table.locator(f"th[aria-sort={direction}]")).to_contain_text(question)
        expect(names.last).to_have_text(SCHEMES["none"].title)
    expect(table.get_by_text("–", exact=True).first).to_be_visible()


@pytest.mark.parametrize("width", [1280, pytest.param(1440, marks=pytest.mark.thorough)])
def test_four_schemes_are_whole(cat: Page, width: int) -> None:
    cat.set_viewport_size({"width": width, "height": 900})
    idle(cat)
    expect(cat.locator(".box.more")).to_have_count(0)
    fits = "part => part.getBoundingClientRect().right <= innerWidth && part.scrollWidth <= part.clientWidth + 1"
    for part in (cat.get_by_test_id("measures").first, cat.locator(".text-table"), grid(cat), grid(cat, 1)):
        asking(cat, lambda part=part: part.evaluate(fits), lambda part=part: part)  # type: ignore[misc]


def test_a_click_past_the_text_moves_the_slider(cat: Page) -> None:
    page = cat
    canvas = grid(page).locator("canvas:visible").first
    with rerun(page):
        canvas.click(position={"x": 20, "y": place_of(canvas)["height"] * 40.5 / 64})
    expect(page.get_by_role("slider", name=wording("Position to follow"))).to_have_value("40")
    expect(page.get_by_role("option", selected=True)).to_have_count(0)


@pytest.mark.thorough
def test_a_scheme_brought_to_the_front_is_in_the_link(page: Page) -> None:
    open_compare(page)
    page.get_by_text(wording("More"), exact=True).click()
    highlight = page.get_by_role("combobox", name=wording("Highlight"))
    alibi = page.get_by_role("option", name=wording("ALiBi"))

    def chosen() -> bool:  # a list closes again where what is around it still scrolls, as in a section that opens
        if not alibi.is_visible():
            highlight.click()
        with suppress(TimeoutError):  # it has closed since it was seen
            alibi.click(timeout=1_000)
            return True
        return False

    with rerun(page):
        asking(page, chosen)
    expect(page).to_have_url(linked("front=alibi"))
    expect(page.locator(".panel.front").first).to_contain_text(wording("ALiBi"))


@pytest.mark.thorough
def test_the_length_moves_by_key(page: Page) -> None:
    open_compare(page)
    draw(page, "compare-past")
    slider = page.get_by_role("slider", name=wording("Positions in the text (in training:…"))
    with rerun(page):
        slider.press("ArrowRight")
    expect(slider).to_have_value("257")
    expect(page).to_have_url(linked("length=257"))


@pytest.mark.thorough
@pytest.mark.parametrize("width", [390, 1440])
def test_pictures_stand_in_as_many_columns_as_there_is_room_for(new_page: NewPage, server: Server, width: int) -> None:
    page = new_page(server, width=width)
    open_compare(page)
    lefts = "panels => new Set(panels.map(panel => Math.round(panel.getBoundingClientRect().x))).size"
    panels = grid(page).get_by_test_id("grid-panel")
    asking(page, lambda: panels.evaluate_all(lefts) == (3 if width == 1440 else 2))


@pytest.mark.thorough
def test_a_heading_says_what_it_means_to_the_pointer_and_to_the_keyboard(page: Page) -> None:
    page.goto("/extrapolation")
    idle(page)
    draw(page, "lengths-table")
    about, heading = page.get_by_test_id("measure-about"), page.get_by_test_id("measures").get_by_role("button").nth(1)
    for point, leave in (
        (heading.hover, lambda: page.mouse.move(0, 0)),
        (lambda: page.keyboard.press("Tab"), heading.blur),
    ):
        page.get_by_test_id("measures").get_by_role("button").first.focus()
        point()
        expect(about).to_be_visible()
        expect(about).to_contain_text(heading.inner_text().split("▼")[0].strip() + "\n")
        leave()
        expect(about).to_be_hidden()


@pytest.mark.thorough
def test_the_cell_is_named_in_every_kind_of_axes_and_few_tokens_stand_along_theirs(page: Page) -> None:
    open_compare(page, CAT)
    panels = grid(page).get_by_test_id("grid-panels")
    panels.focus()
    page.keyboard.press("ArrowRight")
    expect(grid(page).get_by_test_id("grid-readout")).to_have_text(re.compile(r"^\w+ 8, \w+ 0\s+\w+ 8, \w+ 0 “The”\s"))
    names = grid(page, 1).get_by_test_id("grid-panel").first.locator(".names.rows span")
    expect(names).to_have_text(["The", "·cat", "·sat", "·on", "·the", "·mat"])
    expect(grid(page).locator(".names.rows").first).to_be_hidden()


@pytest.mark.parametrize("sent", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_a_scheme_is_typed_mended_tuned_sent_as_a_link_and_removed(
    page: Page, new_page: NewPage, server: Server, sent: bool
) -> None:
    page.goto("/compare?schemes=none,rope&text=The+cat")
    idle(page)
    with rerun(page):
        page.locator(".st-key-own-add button").click()
    with rerun(page):
        page.locator(".st-key-own-name-1 input").fill("漢字 <b>")
        page.keyboard.press("Enter")
    rows, parameters = fields(page)
    start = rows.input_value()
    fault, mathematics = page.locator(".st-key-own-fault-1"), page.locator(".katex-display annotation")
    with rerun(page):
        rows.fill("sin(p / slow)")
    expect(fault.locator("u")).to_have_text("slow")
    expect(fault.get_by_role("alert")).to_have_text(wording("{found} is unknown: use…"))
    expect(page.locator(".st-key-own-left-out-1")).to_be_hidden()  # what the editor says is said once
    assert "漢字 b" not in curves(page)
    with rerun(page):
        parameters.fill("slow = 4 (1..9)")
    expect(fault).to_have_count(0)
    expect(mathematics).to_have_text(re.compile(r"\\sin.*slow"))
    mended = curves(page)
    with rerun(page):
        page.get_by_role("slider", name="slow").press("ArrowRight")
    expect(parameters).to_have_value(re.compile(r"^slow = 4\.\d+ \(1\.0\.\.9\.0\)$"))
    tuned = curves(page)
    assert tuned.keys() == mended.keys()
    assert tuned["漢字 b"] != mended["漢字 b"]
    if not sent:
        return
    again = new_page(server)
    again.goto(page.url)
    idle(again)
    assert curves(again) == tuned
    for field, kept in zip((rows, parameters), fields(again), strict=True):
        expect(kept).to_have_value(field.input_value())
    with rerun(page):
        page.locator(".st-key-own-remove-1 button").click()
    with rerun(page):
        page.locator(".st-key-own-add button").click()
    expect(rows).to_have_value(start)
    expect(page.locator(".st-key-own-name-1 input")).not_to_have_value("漢字 b")


def fields(page: Page) -> list[Locator]:
    """Find where rows and parameters are typed."""
    return [page.locator(f".st-key-own-{line}-1").get_by_test_id("live-text") for line in ("rows", "parameters")]


def curves(page: Page) -> dict[str, list[float]]:
    """Read the lines of the similarity by distance, by their names."""
    draw(page, "compare-similarity")
    found: dict[str, list[float]] = settled(
        page,
        """() => {
            const chart = document.querySelector(".st-key-by-distance .js-plotly-plot");
            const traces = (chart?._fullData ?? []).filter((trace) => trace.name && trace.y?.length > 2);
            return traces.length ? Object.fromEntries(traces.map((trace) => [trace.name, [...trace.y]])) : null;
        }""",
    )
    return found
