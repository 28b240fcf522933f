"""The pipeline page as its readers use it: typing, choosing, hovering, playing, linking."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from embedlib import embed_text
from embedlib.positional import SCHEMES
from tests.browser.conftest import NewPage
from tests.browser.idle import (
    PAUSE,
    TRAFFIC,
    asking,
    choose_page,
    draw,
    drawn,
    idle,
    linked,
    middle_of,
    place_of,
    rerun,
)
from tests.browser.serving import Server, running_server
from tests.messages import wording
from tests.waiting import PATIENCE

CAT = "The cat sat on the mat"
START = "/?text=The+cat+sat+on+the+mat&table=random"


@pytest.fixture(scope="module")
def kinds() -> list[str | None]:
    """Of the messages that the page opened once has received."""
    return []


@pytest.fixture(scope="module")
def kept(new_shared_page: NewPage, server: Server, kinds: list[str | None]) -> Page:
    message = ForwardMsg()

    def note(frame: str | bytes) -> None:
        message.ParseFromString(frame)  # type: ignore[arg-type]
        kinds.append(message.WhichOneof("type"))

    page = new_shared_page(server)
    page.on("websocket", lambda socket: socket.on("framereceived", note))
    page.goto(START)
    idle(page)
    return page


@pytest.fixture
def opened(kept: Page) -> Page:
    """The page opened once for all, on its first text and with no token chosen; what came into view before is made."""
    kept.bring_to_front()
    kept.mouse.move(5, 5)
    chosen, area = kept.locator('[data-testid="token-chip"][aria-selected="true"]'), kept.get_by_test_id("live-text")
    if chosen.count():
        with rerun(kept):
            chosen.click()
    if area.input_value() != CAT:
        with rerun(kept):
            area.fill(CAT)
    kept.wait_for_url(f"**{START}*")
    asking(kept, lambda: chips(kept) == ["The", "·cat", "·sat", "·on", "·the", "·mat"])
    return kept


@pytest.fixture
def fresh(page: Page) -> Page:
    """The page in a visit of its own, with nothing made below the window."""
    page.goto(START)
    idle(page)
    return page


def chips(page: Page) -> list[str]:
    return [text.split("\n")[0].strip() for text in page.get_by_test_id("token-chip").all_inner_texts()]


def hover_cell(page: Page, row: int, column: int, panel: int = 0) -> str:
    """Put the mouse on a cell of one of the three bands; return what the readout at the pointer says."""
    rows, columns = shape_of(page)
    box = place_of(page.get_by_test_id("sum-cells").nth(panel))
    page.mouse.move(box["x"] + (column + 0.5) / columns * box["width"], box["y"] + (row + 0.5) / rows * box["height"])
    expect(page.get_by_test_id("vector-sum")).to_have_attribute("data-cell", f"{row},{column}")
    return page.get_by_test_id("sum-readout").inner_text()


def shape_of(page: Page) -> tuple[int, int]:
    """Return how many rows and columns the bands have, as their name says."""
    name = page.get_by_test_id("sum-bands").get_attribute("aria-label") or ""
    rows, columns = map(int, re.findall(r"\d+", name))
    return rows, columns


@pytest.mark.thorough
def test_tokens_of_a_text_from_right_to_left_begin_on_the_right(opened: Page) -> None:
    with rerun(opened):
        opened.get_by_test_id("live-text").fill("שלום עולם GPT 12")
    tokens = opened.get_by_test_id("token-chip")
    expect(tokens.last).to_contain_text("12")
    lefts = tokens.evaluate_all("chips => chips.map(chip => Math.round(chip.getBoundingClientRect().left))")
    assert lefts == sorted(lefts, reverse=True)
    tokens.first.focus()
    opened.keyboard.press("ArrowLeft")
    expect(tokens.nth(1)).to_be_focused()
    opened.keyboard.press("ArrowRight")
    expect(tokens.first).to_be_focused()


def test_the_mark_of_a_token_stands_by_the_token_before_it_in_scripts_from_right_to_left_too(
    opened: Page,
) -> None:
    with rerun(opened):
        opened.get_by_test_id("live-text").fill("a \u0627\u0644")
    expect(opened.get_by_test_id("token-chip")).to_have_count(2)
    assert chips(opened)[1] == "·\u0627\u0644"
    mark, letter = (
        opened.get_by_test_id("token-chip")
        .nth(1)
        .locator("bdi")
        .evaluate(
            """(name) => [0, 1].map((at) => {
            const range = document.createRange();
            range.setStart(name.firstChild, at);
            range.setEnd(name.firstChild, at + 1);
            return range.getBoundingClientRect().left;
        })"""
        )
    )
    assert mark < letter


def test_typing_changes_the_tokens_and_the_address_without_filling_the_history(opened: Page) -> None:
    area = opened.get_by_test_id("live-text")
    expect(area).to_have_value(CAT)
    entries = opened.evaluate("history.length")
    area.press("Control+End")
    with rerun(opened):
        area.press_sequentially(" again", delay=30)
    asking(opened, lambda: chips(opened) == ["The", "·cat", "·sat", "·on", "·the", "·mat", "·again"])
    expect(area).to_have_value(f"{CAT} again")
    expect(opened).to_have_url(linked("text=The+cat+sat+on+the+mat+again"))
    assert opened.evaluate("history.length") == entries


def test_enter_sends_the_text_and_only_with_shift_makes_a_line(opened: Page) -> None:
    area = opened.get_by_test_id("live-text")
    area.press("Control+End")
    with rerun(opened):
        area.press_sequentially(" again")
        area.press("Enter")
    expect(area).to_have_value(f"{CAT} again")
    expect(area).to_be_focused()
    with rerun(opened):
        area.press("Shift+Enter")
    expect(area).to_have_value(f"{CAT} again\n")


def test_a_key_runs_only_what_follows_the_text(opened: Page, kinds: list[str | None]) -> None:
    assert "navigation" in kinds  # as the page came
    kinds.clear()
    area = opened.get_by_test_id("live-text")
    area.press("Control+End")
    with rerun(opened):
        area.press_sequentially("s")
    assert "delta" in kinds
    assert "navigation" not in kinds
    expect(opened).to_have_url(linked("text=The+cat+sat+on+the+mats"))


@pytest.mark.thorough
def test_a_section_below_the_window_is_made_when_the_reader_comes_near(fresh: Page) -> None:
    waiting = fresh.locator("[data-near]")
    chart = fresh.locator(".st-key-norms .js-plotly-plot")
    expect(waiting.first).to_be_attached()
    expect(chart).to_have_count(0)
    idle(fresh)
    runs = TRAFFIC[fresh].finished
    idle(fresh)
    assert TRAFFIC[fresh].finished == runs  # what has not come near is not made, however long one waits
    code = fresh.get_by_test_id("stHeading").last  # of the section below
    code.evaluate("heading => { heading.dataset.same = '' }")
    with rerun(fresh):
        fresh.locator('[data-near="rows-norms"]').scroll_into_view_if_needed()
    expect(chart).to_be_visible()
    expect(code).to_have_attribute("data-same", "")  # what stands below has not been made anew
    expect(fresh.locator(".st-key-near-rows-norms")).to_have_css("min-height", re.compile("auto|0px"))  # let go
    with rerun(fresh):
        fresh.get_by_test_id("live-text").press_sequentially("s")
    expect(chart).to_be_visible()  # once made it stays, and follows the text


def test_a_cell_of_any_band_shows_its_sum(opened: Page) -> None:
    expected = embed_text(CAT)
    parts = (expected.token_embeddings, expected.position_vectors, expected.input_embeddings)
    for panel in range(3):
        row, column = 3, 5 + panel  # another cell each time, so that no readout is that of the band before
        readout = hover_cell(opened, row, column, panel).replace("−", "-")
        numbers = re.search(r"(-?\d\.\d+) \+ \(?(-?\d\.\d+)\)? [=≈] (-?\d\.\d+)$", readout)
        assert numbers, readout
        for text, part in zip(numbers.groups(), parts, strict=True):
            assert float(text) == pytest.approx(float(part[row, column]), abs=0.00051)


def test_a_chosen_chip_lights_up_in_every_view_and_in_the_link(opened: Page) -> None:
    draw(opened, "rows-projection")
    with rerun(opened):
        opened.get_by_test_id("token-chip").nth(2).click()
    expect(opened.get_by_test_id("token-chip").nth(2)).to_have_attribute("aria-selected", "true")
    opened.mouse.move(5, 5)
    asking(opened, lambda: line_states(opened) == ["", "", "chosen", "", "", ""], lambda: line_states(opened))
    expect(opened.get_by_test_id("token-detail")).to_contain_text("20 73 61 74")
    expect(opened).to_have_url(linked("token=2"))
    names = opened.get_by_test_id("stPlotlyChart").first.locator("text")
    expect(names.filter(has_text="·sat").first).to_be_visible()
    with rerun(opened):
        opened.locator(".st-key-vector-sum .band.token .label").nth(4).click()
    expect(opened.get_by_test_id("token-chip").nth(4)).to_have_attribute("aria-selected", "true")
    expect(opened).to_have_url(linked("token=4"))


def line_states(page: Page) -> list[str]:
    """Return the class of each line from the matrix to the token rows, in the order of the text."""
    states: list[str] = page.locator(".st-key-vector-sum .lines path:not(.stem)").evaluate_all(
        "paths => paths.map(path => path.getAttribute('class'))"
    )
    return states


def test_a_token_is_followed_from_its_chip_to_its_line_and_its_rows_and_back_from_the_matrix(opened: Page) -> None:
    cat = opened.get_by_test_id("token-chip").nth(1)
    cat.hover()
    asking(opened, lambda: line_states(opened) == ["", "hovered", "", "", "", ""], lambda: line_states(opened))
    expect(opened.get_by_test_id("sum-cells").locator(".mark.hovered:visible")).to_have_count(3)
    opened.mouse.move(5, 5)
    expect(cat).not_to_have_class(re.compile(r"\bhovered\b"))
    strip = place_of(opened.get_by_test_id("matrix-strip"))
    below = 0.5 + 3797 / 50_257 * strip["height"] + 5  # ·cat has the largest id of the text
    opened.mouse.move(strip["x"] + 5, strip["y"] + below)
    expect(cat).to_have_class(re.compile(r"\bhovered\b"))
    opened.mouse.move(strip["x"] + 5, strip["y"] + strip["height"] - 3)  # no row of the text is near
    expect(cat).not_to_have_class(re.compile(r"\bhovered\b"))


def point(page: Page, position: int) -> Locator:
    return page.locator(".st-key-projection .scatterlayer .trace").last.locator(".point").nth(position)


def click_point(page: Page, position: int) -> None:
    """Click a token's row in the projection."""
    place_of(page.locator(".st-key-projection .js-plotly-plot"))
    with rerun(page):
        page.mouse.click(*middle_of(point(page, position)))


def test_points_of_the_projection_light_up_and_choose_their_tokens_again_and_again(opened: Page) -> None:
    draw(opened, "rows-projection")
    opened.mouse.move(*middle_of(point(opened, 1)))
    expect(opened.get_by_test_id("token-chip").nth(1)).to_have_class(re.compile(r"\bhovered\b"))
    with rerun(opened):
        opened.get_by_test_id("token-chip").nth(2).click()
    for position in (1, 5):
        click_point(opened, position)
        expect(opened.get_by_test_id("token-chip").nth(position)).to_have_attribute("aria-selected", "true")
    with rerun(opened):
        opened.get_by_test_id("live-text").fill("Another text of quite another length")
    click_point(opened, 4)
    expect(opened.get_by_test_id("token-chip").nth(4)).to_have_attribute("aria-selected", "true")
    expect(opened.locator(".st-key-projection .chosen-name")).to_have_text("·another")
    # The chart's own name is marked: a second one would lie over it and its neighbours.
    expect(opened.locator(".st-key-projection .scatterlayer text").filter(has_text="·another")).to_have_count(1)


@pytest.mark.thorough
def test_choosing_leaves_the_zoom_of_the_projection_alone(fresh: Page) -> None:
    draw(fresh, "rows-projection")
    chart = fresh.locator(".st-key-projection .js-plotly-plot")
    chart.scroll_into_view_if_needed()
    span = "chart => chart.layout.xaxis.range.map(Number)"
    whole = chart.evaluate(span)
    chart.locator('[data-title="Zoom in"]').click()
    asking(fresh, lambda: chart.evaluate(span) != whole)
    drawn(fresh, PAUSE)
    before = chart.evaluate(span)
    with rerun(fresh):
        fresh.get_by_test_id("token-chip").nth(2).click()
    assert chart.evaluate(span) == before


@pytest.mark.thorough
def test_charts_follow_when_the_theme_is_switched(fresh: Page) -> None:
    draw(fresh, "rows-projection")
    ground = "chart => chart._fullLayout.paper_bgcolor"
    chart = fresh.locator(".st-key-projection .js-plotly-plot")
    assert chart.evaluate(ground) == "#ffffff"
    with rerun(fresh):
        fresh.emulate_media(color_scheme="dark")
    asking(fresh, lambda: chart.evaluate(ground) == "#15181e")


def test_the_page_opens_on_the_sum_in_full_and_play_tells_it_from_the_first_step(fresh: Page) -> None:
    figure = fresh.get_by_test_id("vector-sum")
    expect(figure).to_have_attribute("data-step", "4")
    assert shown_shares(fresh) == [1, 1, 1]
    assert "look=" not in fresh.url
    steps = record_steps(fresh)
    fresh.get_by_test_id("step-play").click()
    expect(figure).to_have_attribute("data-playing", "true")
    expect(figure).to_have_attribute("data-playing", "false")
    assert (steps()[0], steps()[-1]) == ("0", "4")
    for step, shares in enumerate(([0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 0.5], [1, 1, 1])):
        fresh.get_by_test_id(f"step-{step}").click()
        asking(fresh, lambda shares=shares: shown_shares(fresh) == shares)


def record_steps(page: Page) -> Callable[[], list[str]]:
    """Record each time of the sum's player from now on; return what reads them."""
    page.evaluate(
        """() => {
            const inside = node => node.shadowRoot?.querySelector('[data-testid="vector-sum"]');
            const figure = [...document.querySelectorAll("*")].map(inside).find(Boolean);
            window.steps = [];
            new MutationObserver(() => window.steps.push(figure.dataset.step))
                .observe(figure, {attributes: true, attributeFilter: ["data-step"]});
        }"""
    )
    return lambda: list(page.evaluate("window.steps"))


def shown_shares(page: Page) -> list[float]:
    """Return how much of the width of each band is to be seen."""
    part = """(canvas) => {
        const [, right] = getComputedStyle(canvas.parentElement).clipPath.match(/inset\\(\\S+ (.+?)[ )]/) ?? [];
        return right === undefined ? null : 1 - parseFloat(right) / 100;
    }"""
    return [canvas.evaluate(part) for canvas in page.get_by_test_id("sum-canvas").all()]


def test_keys_go_from_cell_to_cell_and_say_its_numbers(opened: Page) -> None:
    bands, figure = opened.get_by_test_id("sum-bands"), opened.get_by_test_id("vector-sum")
    bands.focus()
    for key, cell in (("ArrowDown", "0,0"), ("ArrowDown", "1,0"), ("ArrowRight", "1,1"), ("End", "1,63")):
        bands.press(key)
        expect(figure).to_have_attribute("data-cell", cell)
    expect(opened.locator(".st-key-vector-sum [role=status]")).to_contain_text("·cat")
    with rerun(opened):
        bands.press("Enter")
    expect(opened.get_by_test_id("token-chip").nth(1)).to_have_attribute("aria-selected", "true")
    bands.press("Escape")
    expect(figure).to_have_attribute("data-cell", "")


@pytest.mark.thorough
def test_a_rotated_pair_is_read_as_one_and_marked_in_every_band(page: Page) -> None:
    page.goto(f"{START}&scheme=rope&d_model=64&look=1~vector-sum.cells!9,4,0")  # a window of columns, of former links
    idle(page)
    expected = wording("token {position} ‘{label}’, dimensions…", position="2", label="·sat", first="6", second="7")
    assert expected.fullmatch(hover_cell(page, 2, 7, 1))
    assert page.get_by_test_id("sum-cells").locator(".mark:not(.hovered, .chosen):visible").count() == 6


@pytest.mark.thorough
def test_a_long_text_is_scrolled_in_all_bands_at_once_and_says_what_is_in_sight(page: Page) -> None:
    page.goto(f"/?text={'+'.join(f'w{index}' for index in range(90))}&tokenizer=words&table=random")
    idle(page)
    note, bands = page.get_by_test_id("sum-note"), page.get_by_test_id("sum-cells")
    expect(note).to_contain_text(
        wording("Shown: tokens {first} to {last} of {total}", first="0", last="63", total="90")
    )
    tops = [bands.nth(band).bounding_box()["y"] for band in range(3)]  # type: ignore[index]
    page.get_by_test_id("sum-scroller").evaluate("scroller => { scroller.scrollTop = 100; }")
    asking(page, lambda: bands.nth(2).bounding_box()["y"] == tops[2] - 100)  # type: ignore[index]
    assert [bands.nth(band).bounding_box()[("y")] for band in range(3)] == [top - 100 for top in tops]  # type: ignore[index]
    expect(page).to_have_url(re.compile(r"vector-sum\.top!"))
    with rerun(page):
        page.get_by_test_id("token-chip").nth(60).click()
    expect(note).to_contain_text(re.compile(r"\b60\b|–6[0-3]"))


def test_steps_pressed_quickly_add_up_and_play_on_to_the_sum(opened: Page) -> None:
    figure = opened.get_by_test_id("vector-sum")
    opened.get_by_test_id("step-range").press("Home")
    expect(figure).to_have_attribute("data-step", "0")
    opened.get_by_test_id("step-play").click()
    expect(figure).to_have_attribute("data-playing", "true")
    opened.get_by_test_id("step-play").click()
    expect(figure).to_have_attribute("data-playing", "false")
    opened.get_by_test_id("step-range").press("Home")
    expect(figure).to_have_attribute("data-step", "0")
    for _ in range(3):  # what is pressed quickly adds up
        opened.get_by_test_id("step-forward").click()
    expect(figure).to_have_attribute("data-step", "3")
    expect(opened.get_by_test_id("step-name")).to_contain_text(wording("Addition"))
    opened.get_by_test_id("step-play").click()
    expect(figure).to_have_attribute("data-step", "4")
    expect(figure).to_have_attribute("data-playing", "false")


def test_a_reader_who_asks_for_no_motion_sees_whole_steps_only(opened: Page) -> None:
    opened.get_by_test_id("step-range").press("Home")
    expect(opened.get_by_test_id("vector-sum")).to_have_attribute("data-step", "0")
    opened.emulate_media(reduced_motion="reduce")
    steps = record_steps(opened)
    opened.get_by_test_id("step-forward").click()
    opened.get_by_test_id("step-forward").click()
    expect(opened.get_by_test_id("vector-sum")).to_have_attribute("data-step", "2")
    assert {*steps()} <= {"0", "1", "2", "3", "4"}
    opened.emulate_media(reduced_motion="no-preference")


@pytest.mark.thorough
def test_a_deep_link_on_a_cold_server_shows_what_was_linked(cold_server: Server, new_page: NewPage) -> None:
    page = new_page(cold_server)
    page.goto("/?text=na%C3%AFve+%E6%97%A5%E6%9C%AC&d_model=32&scheme=learned&learned.std=0.02&token=1&view=3d")
    idle(page)
    expect(page.get_by_test_id("live-text")).to_have_value("naïve 日本")
    header = embed_text("naïve 日本", d_model=32, scheme="learned", parameters={"std": 0.02})
    expect(page.get_by_test_id("token-chip")).to_have_count(len(header.tokens))
    expect(page.get_by_test_id("token-chip").nth(1)).to_have_attribute("aria-selected", "true")
    shown = re.search(r": (-?\d\.\d+) \+", hover_cell(page, 0, 0).replace("−", "-"))
    assert shown
    assert float(shown[1]) == pytest.approx(float(header.token_embeddings[0, 0]), abs=0.00051)


@pytest.mark.thorough
def test_a_new_server_opens_what_is_linked_first_and_one_that_replaces_it_takes_the_visit_up(
    new_page: NewPage, tmp_path: Path
) -> None:
    (tmp_path / "first").mkdir()
    with running_server(tmp_path / "first") as first:
        page = new_page(first)
        page.goto("/positions?scheme=alibi&text=before&table=random&d_model=32")
        idle(page)
        expect(page).to_have_url(re.compile(r"/positions\?.*scheme=alibi"))
        expect(page.get_by_test_id("stException")).to_have_count(0)
        expect(page.get_by_test_id("stAlertContentError")).to_have_count(0)
        expect(page.get_by_test_id("stMain").get_by_text(SCHEMES["alibi"].title).first).to_be_visible()
        with rerun(page):
            choose_page(page, 0, 0)
        with rerun(page):
            page.get_by_test_id("live-text").fill("typed before the end")
        port = int(first.url.rsplit(":", 1)[1])
        first.pages.clear()  # this one outlives it
    (tmp_path / "second").mkdir()
    with running_server(tmp_path / "second", port=port) as second:
        second.pages.append(page)
        page.wait_for_selector('[data-testid="stApp"][data-test-connection-state="CONNECTED"]', timeout=PATIENCE * 1000)
        expect(page.get_by_test_id("token-chip")).to_have_count(5)
        page.get_by_test_id("live-text").press("Control+End")
        page.get_by_test_id("live-text").press_sequentially(" and after")
        expect(page.get_by_test_id("token-chip")).to_have_count(7)
        TRAFFIC[page].complaints.clear()  # what a browser says of a server that has gone
        expect(page).to_have_url(linked("text=typed+before+the+end+and+after"))
        expect(page).to_have_url(linked("d_model=32"))


@pytest.mark.thorough
def test_a_text_typed_before_the_server_was_told_of_the_visit_gets_into_the_address(opened: Page) -> None:
    asking(opened, lambda: opened.evaluate("'embeddingExplorerAddress' in window"))  # when its module has come
    opened.evaluate("window.embeddingExplorerAddress.session = 'of a server that has gone'")
    with rerun(opened):
        opened.get_by_test_id("live-text").fill("typed at once")
    with rerun(opened):  # the whole page, as with every new visit
        opened.get_by_role("button", name=wording("Reset settings")).click()
    opened.wait_for_url("**/?text=typed+at+once&table=random*")
    expect(opened.get_by_test_id("token-chip").last).to_contain_text("·once")


@pytest.mark.thorough
def test_back_leads_to_the_page_before_and_nothing_is_lost(opened: Page) -> None:
    area = opened.get_by_test_id("live-text")
    with rerun(opened):
        area.fill("kept across pages")
    with rerun(opened):
        choose_page(opened, 1, 0)
    expect(opened).to_have_url(re.compile(r"/word_order\?text=kept"))
    with rerun(opened):
        opened.go_back()
    expect(opened.get_by_test_id("live-text")).to_have_value("kept across pages")


def test_back_undoes_a_control_and_forward_does_it_again_while_what_is_typed_stays(opened: Page) -> None:
    area, chosen = opened.get_by_test_id("live-text"), opened.get_by_test_id("token-chip").nth(1)
    with rerun(opened):
        chosen.click()
    opened.wait_for_url(linked("token=1"))
    with rerun(opened):
        area.fill("typed after it")
    opened.wait_for_url(lambda url: "text=typed" in url and "token=1" in url)
    with rerun(opened):
        opened.go_back()
    known = "[performance.timeOrigin, history.length, embeddingExplorerAddress]"  # to tell a reload from a lost answer
    asking(
        opened,
        lambda: "token" not in opened.url and "text=typed" in opened.url,
        lambda: (opened.url, opened.evaluate(known), area.input_value(), str(TRAFFIC[opened])),
    )
    expect(chosen).to_have_attribute("aria-selected", "false")
    expect(area).to_have_value("typed after it")
    with rerun(opened):
        opened.go_forward()
    opened.wait_for_url(lambda url: "text=typed" in url and "token=1" in url)
    expect(chosen).to_have_attribute("aria-selected", "true")
    expect(area).to_have_value("typed after it")


@pytest.mark.thorough
def test_an_example_replaces_the_text(opened: Page) -> None:
    with rerun(opened):
        opened.get_by_role("button", name=wording("Examples")).click()
        opened.get_by_test_id("stButtonGroup").get_by_text(wording("Three words, three numbers each")).click()
    expect(opened.get_by_test_id("live-text")).to_have_value("I love NLP")
    expect(opened.get_by_test_id("stPopoverBody")).not_to_be_visible()  # the examples lay over the figure
    expect(opened.get_by_role("button", name=wording("Examples"))).to_be_focused()
    assert hover_cell(opened, 2, 0).endswith("0.700 + 0.070 = 0.770")
