"""The picture of points on a page of its own, in a real browser, with WebGL and without."""

import io
import json
import re
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.accessibility import violations
from tests.browser.conftest import NewPage
from tests.browser.idle import asking, assert_no_sideways_scroll, drawn, idle, place_of, rerun, tap
from tests.browser.serving import Server
from tests.messages import message, wording
from ui.components import browser_code
from ui.components.point_cloud.labels import LABELS

COUNT = 3000


def about(index: int) -> str:
    """What stands under a point's name."""
    return f"{message(LABELS['id'], id=index + 7)} · {'odd' if index % 2 else 'even'}"


def pointer(page: Page, what: str) -> object:
    """Ask for the page's one pointer: "hovered" or "chosen"."""
    file = f"/{browser_code.script_address('first')}"
    return page.evaluate("async ([file, what]) => (await import(file)).link[what]", [file, what])


# What is drawn, and where, is looked at with WebGL and without; all else has nothing to do with it.
PLAIN = pytest.param("plain", marks=pytest.mark.thorough)
EITHER_WAY = pytest.mark.parametrize("painter", ["webgl", PLAIN], indirect=True)


@pytest.fixture
def painter(request: pytest.FixtureRequest) -> str:
    """What draws the points: "webgl", or "plain" where a test asks for that too."""
    return str(getattr(request, "param", "webgl"))


@pytest.fixture(scope="module")
def kept(new_shared_page: NewPage) -> tuple[NewPage, dict[tuple[str, str], Page]]:
    """Pages that several tests look at, by painter and query, and what opens them."""
    return new_shared_page, {}


@pytest.fixture
def open_cloud(
    painter: str, new_page: NewPage, scenes: Server, kept: tuple[NewPage, dict[tuple[str, str], Page]]
) -> Callable[..., Page]:
    """Open the page, in a browser that has WebGL or one that has not; with `shared` as the test before has left it.

    A test that asks for a shared page chooses and marks nothing that it does not let go.
    """
    new_shared_page, opened = kept

    def make(query: str = "", *, shared: bool = False, **options: Any) -> Page:
        if shared and (painter, query) in opened:
            page = opened[painter, query]
            page.bring_to_front()  # behind another tab a picture of it takes a second
            page.mouse.move(5, 5)
            page.get_by_test_id("cloud-reset").click()
            still(page)
            return page
        page = new_shared_page(scenes) if shared else new_page(scenes, **options)
        if shared:
            opened[painter, query] = page
        if painter == "plain":
            page.add_init_script(
                "const get = HTMLCanvasElement.prototype.getContext;"
                "HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {"
                "  return kind === 'webgl2' ? null : get.call(this, kind, ...rest);"
                "};"
            )
        page.goto(f"/?scene=point_cloud&{query}")
        page.wait_for_selector('[data-testid="point-cloud"][data-view]')
        idle(page)
        still(page)
        assert page.get_by_test_id("point-cloud").get_attribute("data-painter") == painter
        return page

    return make


def places() -> np.ndarray[Any, np.dtype[np.float32]]:
    generator = np.random.default_rng(1)
    drawn: np.ndarray[Any, np.dtype[np.float32]] = generator.normal(size=(COUNT, 3)).astype(np.float32)
    return drawn * np.float32([3, 2, 1])


def view(page: Page) -> dict[str, Any]:
    state: dict[str, Any] = json.loads(page.get_by_test_id("point-cloud").get_attribute("data-view") or "{}")
    return state


def still(page: Page) -> None:
    """Wait until nothing glides any more, and what has come to rest has its names."""
    drawn(page)
    page.wait_for_selector('[data-testid="point-cloud"][data-view*=\'"busy":false\']')


def on_screen(page: Page) -> np.ndarray[Any, np.dtype[np.float64]]:
    """(n, 2): where every point must be on the page, from the camera that the picture tells and the coordinates."""
    camera, points = view(page), places().astype(np.float64)
    low, high = points.min(axis=0), points.max(axis=0)
    framed = (points - (low + high) / 2) * (2 / (high - low).max()) - np.array(camera["centre"])
    seen = framed @ np.array(camera["turn"]).reshape(3, 3).T
    box = place_of(page.get_by_test_id("cloud-canvas"))
    x = box["x"] + camera["middle"][0] + seen[:, 0] * camera["scale"]
    y = box["y"] + camera["middle"][1] - seen[:, 1] * camera["scale"]
    return np.stack([x, y], axis=1)


def names(page: Page) -> dict[int, np.ndarray[Any, np.dtype[np.float64]]]:
    """Index of each named point of the crowd -> left, top, right, bottom of its name on the page."""
    box = place_of(page.get_by_test_id("cloud-canvas"))
    boxes = json.loads(page.get_by_test_id("point-cloud").get_attribute("data-landmarks") or "[]")
    return {
        index: np.array([left, top, left + width, top + height]) + np.tile([box["x"], box["y"]], 2)
        for index, left, top, width, height in boxes
    }


def gap(box: np.ndarray[Any, np.dtype[np.float64]], spot: np.ndarray[Any, np.dtype[np.float64]]) -> float:
    """How many pixels a spot is away from a box, 0 inside."""
    return float(np.linalg.norm(np.maximum(0, np.maximum(box[:2] - spot, spot - box[2:]))))


def assert_legible(page: Page) -> None:
    """Each name is beside its own point, and over no other name."""
    shown, spots = names(page), on_screen(page)
    boxes = list(shown.values())
    for number, one in enumerate(boxes):
        for other in boxes[number + 1 :]:
            assert (one[2:] <= other[:2]).any() or (other[2:] <= one[:2]).any()
    for index, box in shown.items():
        assert 5 < gap(box, spots[index]) < 12


def lonely(spots: np.ndarray[Any, np.dtype[np.float64]]) -> int:
    """The one of the first points that is farthest from its nearest neighbour, so that a click can only mean it."""
    apart = np.linalg.norm(spots[:400, None] - spots[None], axis=2)
    apart[np.arange(400), np.arange(400)] = np.inf
    return int(apart.min(axis=1).argmax())


@pytest.mark.parametrize(
    ("painter", "query"),
    [
        ("webgl", ""),
        *(
            pytest.param(painter, query, marks=pytest.mark.thorough)
            for painter, query in (
                ("plain", ""),
                *(("webgl", "space=1"), ("plain", "space=1")),
                *(("webgl", "scale=1e30"), ("plain", "scale=1e30")),
                *(("webgl", "space=1&scale=1e-30"), ("plain", "space=1&scale=1e-30")),
            )
        ),
    ],
    indirect=["painter"],
)
def test_a_point_answers_where_its_coordinates_put_it_and_a_click_chooses_it_and_lets_it_go(
    open_cloud: Callable[..., Page], query: str
) -> None:
    page = open_cloud(query, shared=True)
    spots = on_screen(page)
    index = lonely(spots)
    page.mouse.move(*spots[index])
    said = f"point {index}\n{about(index)}"
    expect(page.get_by_test_id("cloud-tip")).to_have_text(said, use_inner_text=True)
    with rerun(page):
        page.mouse.click(*spots[index])
    expect(page.get_by_text(f"chosen={index}", exact=True)).to_have_count(1)
    with rerun(page):
        page.mouse.click(*spots[index])
    expect(page.get_by_text("chosen=None", exact=True)).to_have_count(1)


@pytest.mark.parametrize(
    "query",
    ["count=1", *(pytest.param(query, marks=pytest.mark.thorough) for query in ("count=1&space=1", "count=1&scale=0"))],
)
def test_a_single_point_lies_in_the_middle(open_cloud: Callable[..., Page], query: str) -> None:
    page = open_cloud(query)
    box = place_of(page.get_by_test_id("cloud-canvas"))
    x, y = view(page)["middle"]
    page.mouse.move(box["x"] + x, box["y"] + y)
    expect(page.get_by_test_id("cloud-tip")).to_have_text(f"point 0\n{about(0)}", use_inner_text=True)


def test_no_points_at_all_are_said_to_be_none(open_cloud: Callable[..., Page]) -> None:
    page = open_cloud("count=0")
    expect(page.get_by_test_id("cloud-note")).to_have_text(wording(LABELS["empty"]))


def test_a_finger_on_a_phone_chooses_and_reads_and_who_wants_no_motion_sees_new_places_at_once(
    open_cloud: Callable[..., Page],
) -> None:
    page = open_cloud(width=390, height=844, has_touch=True, reduced_motion="reduce")
    spots = on_screen(page)
    index = lonely(spots)
    with rerun(page):
        tap(page, *spots[index].tolist())
    expect(page.get_by_text(f"chosen={index}", exact=True)).to_have_count(1)
    expect(page.get_by_test_id("cloud-tip")).to_have_text(re.compile(rf"^point {index}\n"), use_inner_text=True)
    assert_no_sideways_scroll(page)
    page.get_by_test_id("cloud-zoom-in").click()
    asking(page, lambda: view(page)["zoom"] != 1)
    assert (view(page)["zoom"], view(page)["busy"]) == (1.6, False)


def colour_at(page: Page, spot: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, np.dtype[np.int64]]:
    x, y = (int(number) for number in spot)
    shot = page.screenshot(clip={"x": x, "y": y, "width": 1, "height": 1})
    return np.asarray(Image.open(io.BytesIO(shot)).convert("RGB")).astype(int)[0, 0]


@pytest.mark.parametrize(
    ("painter", "query"),
    [
        *(("webgl", ""), ("plain", "")),
        *(pytest.param(painter, "space=1", marks=pytest.mark.thorough) for painter in ("webgl", "plain")),
    ],
    indirect=["painter"],
)
def test_points_are_drawn_in_their_colour_where_they_are_and_follow_a_drag(
    open_cloud: Callable[..., Page], query: str
) -> None:
    page = open_cloud(query, shared=True)
    index = lonely(on_screen(page))
    own = np.array([[0x00, 0x67, 0xA8], [0xC2, 0x4A, 0x00]][index % 2])
    for step in ([90, 50], [-60, 30]):
        before = on_screen(page)
        start = before.mean(axis=0)
        assert np.abs(colour_at(page, before[index]) - own).max() < 160  # over the white ground, half transparent
        assert np.argmax(colour_at(page, before[index])) == np.argmax(own)
        if query:
            page.keyboard.down("Shift")  # else a drag turns
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(*(start + np.array(step) / 2))
        page.mouse.move(*(start + np.array(step)))
        page.mouse.up()
        page.keyboard.up("Shift")
        page.mouse.move(5, 5)
        still(page)
        after = on_screen(page)
        np.testing.assert_allclose(after - before, np.broadcast_to(step, after.shape), atol=0.01)
        assert np.argmax(colour_at(page, after[index])) == np.argmax(own)
        assert colour_at(page, after[index]).min() < 190


@EITHER_WAY
def test_a_box_marks_exactly_the_points_inside_it(open_cloud: Callable[..., Page]) -> None:
    page = open_cloud(shared=True)
    spots = on_screen(page)
    low, high = np.quantile(spots, 0.4, axis=0), np.quantile(spots, 0.6, axis=0)
    page.get_by_test_id("cloud-box").click()
    page.mouse.move(*low)
    page.mouse.down()
    page.mouse.move(*((low + high) / 2))
    page.mouse.move(*high)
    with rerun(page):
        page.mouse.up()
    inside = np.flatnonzero(((spots > low) & (spots < high)).all(axis=1)).tolist()
    assert len(inside) > 20
    expect(page.get_by_text(f"marked={inside}", exact=True)).to_have_count(1)
    marked = wording(LABELS["marked"], count=len(inside))
    expect(page.get_by_test_id("cloud-marked")).to_have_text(marked)
    with rerun(page):
        page.get_by_test_id("cloud-clear").click()
    expect(page.get_by_text("marked=[]", exact=True)).to_have_count(1)


@pytest.mark.thorough
def test_the_view_outlives_runs_and_new_places_and_points_stay_under_the_zooming_pointer(
    open_cloud: Callable[..., Page],
) -> None:
    page = open_cloud(shared=True)
    spots = on_screen(page)
    index = lonely(spots)
    page.mouse.move(*spots[index])
    before = str(page.get_by_test_id("point-cloud").get_attribute("data-view"))
    page.mouse.wheel(0, -300)
    expect(page.get_by_test_id("point-cloud")).not_to_have_attribute("data-view", before)
    still(page)
    np.testing.assert_allclose(on_screen(page)[index], spots[index], atol=0.6)
    zoomed = view(page)
    assert zoomed["zoom"] > 1.4
    for label in ("another run", "other places"):
        with rerun(page):
            page.get_by_text(label, exact=True).click()
        still(page)
        assert view(page)["zoom"] == zoomed["zoom"]
        assert view(page)["centre"] == zoomed["centre"]
    with rerun(page):
        page.get_by_text("other places", exact=True).click()  # back to those that the other tests know
    page.get_by_test_id("cloud-reset").click()
    still(page)
    assert view(page)["zoom"] == 1


def test_keys_zoom_turn_and_go_from_neighbour_to_neighbour(open_cloud: Callable[..., Page]) -> None:
    page = open_cloud("space=1", shared=True)
    canvas = page.get_by_test_id("cloud-canvas")
    canvas.focus()
    before = view(page)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("+")
    still(page)
    after = view(page)
    assert after["turn"] != before["turn"]
    assert after["zoom"] > before["zoom"]
    page.keyboard.press("0")
    still(page)
    np.testing.assert_allclose(view(page)["turn"], before["turn"], atol=1e-9)
    page.keyboard.press("n")
    said = page.get_by_test_id("cloud-said")
    expect(said).to_have_text(re.compile("^point "))
    name = said.inner_text().split(",")[0]
    with rerun(page):
        page.keyboard.press("Enter")
    expect(said).to_have_text(message(LABELS["chosen"], label=name, id=int(name.split()[1]) + 7))
    nearest = f"point 1, {about(1)}, {message(LABELS['similarity'], value='0.900')}"
    for key, start in [("n", nearest), ("n", "point 2, "), ("p", "point 1, ")]:
        page.keyboard.press(key)
        expect(said).to_have_text(re.compile(f"^{re.escape(start)}"))
    with rerun(page):
        page.keyboard.press("Escape")
    expect(page.get_by_text("chosen=None", exact=True)).to_have_count(1)


def test_a_token_of_the_path_is_the_page_s_token(open_cloud: Callable[..., Page]) -> None:
    page = open_cloud("path=1")
    camera, points = view(page), places().astype(np.float64)
    low, high = points.min(axis=0), points.max(axis=0)

    def spot(place: tuple[float, float, float]) -> tuple[float, float]:
        box = place_of(page.get_by_test_id("cloud-canvas"))
        framed = (np.array(place) - (low + high) / 2) * (2 / (high - low).max()) - np.array(camera["centre"])
        return (
            box["x"] + camera["middle"][0] + framed[0] * camera["scale"],
            box["y"] + camera["middle"][1] - framed[1] * camera["scale"],
        )

    page.mouse.move(*spot((6.0, -4.0, 0.0)))
    asking(page, lambda: pointer(page, "hovered") == 1)
    page.mouse.click(*spot((6.0, -4.0, 0.0)))
    asking(page, lambda: pointer(page, "chosen") == 1)
    page.get_by_test_id("cloud-mix").fill("1")
    still(page)
    page.mouse.move(*spot((-3.0, 4.0, 0.0)))
    asking(page, lambda: pointer(page, "hovered") == 0)


@pytest.mark.parametrize(
    "query",
    [
        "landmarks=index",
        *(pytest.param(f"landmarks=last{space}", marks=pytest.mark.thorough) for space in ("", "&space=1")),
    ],
)
def test_the_most_important_of_the_crowd_have_names_and_none_covers_another(
    open_cloud: Callable[..., Page], query: str
) -> None:
    page = open_cloud(query, shared=True)
    shown = list(names(page))
    assert 15 <= len(shown) <= 40
    importance = [index if "index" in query else COUNT - 1 - index for index in shown]
    assert importance == sorted(importance)
    assert importance[0] == 0
    assert_legible(page)


@pytest.mark.thorough
def test_zooming_in_gives_more_points_a_name_and_takes_none_away_that_is_in_sight(
    open_cloud: Callable[..., Page],
) -> None:
    page = open_cloud("landmarks=index")
    first = names(page)
    page.get_by_test_id("cloud-zoom-in").click()
    still(page)
    page.get_by_test_id("cloud-zoom-in").click()
    still(page)
    assert len(names(page)) > len(first)
    assert_legible(page)
    box = place_of(page.get_by_test_id("cloud-canvas"))
    low = np.array([box["x"] + 204, box["y"] + 130])  # well inside the axes
    high = np.array([box["x"] + box["width"] - 130, box["y"] + box["height"] - 192])
    spots = on_screen(page)
    inside = (spots > low) & (spots < high)
    in_sight = {index for index in first if inside[index].all()}
    assert in_sight
    assert in_sight <= set(names(page))
    page.get_by_test_id("cloud-reset").click()
    still(page)
    assert list(names(page)) == list(first)


@pytest.mark.thorough
@pytest.mark.parametrize("query", ["landmarks=index", "landmarks=index&space=1"])
def test_names_ride_along_with_a_drag_and_only_its_end_brings_new_ones(
    open_cloud: Callable[..., Page], query: str
) -> None:
    page = open_cloud(query)
    before = names(page)
    start = on_screen(page).mean(axis=0)
    if "space" in query:
        page.keyboard.down("Shift")
    page.mouse.move(*start)
    page.mouse.down()
    for step in range(1, 9):
        page.mouse.move(start[0] + 6 * step, start[1] + 4 * step)
        drawn(page)
        now = names(page)
        shift = np.array([6 * step, 4 * step, 6 * step, 4 * step])
        stayed = [
            index for index in before if index in now and np.allclose(now[index] - before[index], shift, atol=0.01)
        ]
        assert len(stayed) >= 0.8 * len(before)  # a name at the edge changes its side, or leaves the picture
        canvas = place_of(page.get_by_test_id("cloud-canvas"))
        for index, box in before.items():  # well inside, every one
            end = box + shift
            if end[2] < canvas["x"] + canvas["width"] - 30 and end[3] < canvas["y"] + canvas["height"] - 80:
                assert index in stayed
    page.mouse.up()
    page.keyboard.up("Shift")
    still(page)
    assert set(now) <= set(names(page))
    assert_legible(page)


@pytest.mark.thorough
def test_names_are_found_anew_after_a_turn(open_cloud: Callable[..., Page]) -> None:
    page = open_cloud("landmarks=index&space=1")
    start = on_screen(page).mean(axis=0)
    page.mouse.move(*start)
    page.mouse.down()
    for step in range(1, 6):
        page.mouse.move(start[0] + 40 * step, start[1] + 5 * step)
    page.mouse.up()
    page.mouse.move(5, 5)
    still(page)
    assert 15 <= len(names(page)) <= 40
    assert_legible(page)


@pytest.mark.thorough
def test_the_crowd_has_no_names_while_a_point_is_chosen(open_cloud: Callable[..., Page]) -> None:
    page = open_cloud("landmarks=index", shared=True)
    before = names(page)
    spots = on_screen(page)
    index = lonely(spots)
    with rerun(page):
        page.mouse.click(*spots[index])
    assert names(page) == {}
    with rerun(page):
        page.mouse.click(*spots[index])
    still(page)
    assert list(names(page)) == list(before)


@pytest.mark.thorough
def test_names_keep_off_the_text_s_line_and_off_points_that_are_always_named(open_cloud: Callable[..., Page]) -> None:
    page = open_cloud("landmarks=index&named=1&path=1")
    camera, points = view(page), places().astype(np.float64)
    low, high = points.min(axis=0), points.max(axis=0)
    box = place_of(page.get_by_test_id("cloud-canvas"))
    ends = np.array([[-6.0, -4.0, 0.0], [6.0, -4.0, 0.0]])
    framed = (ends - (low + high) / 2) * (2 / (high - low).max()) - np.array(camera["centre"])
    x = box["x"] + camera["middle"][0] + framed[:, 0] * camera["scale"]
    y = box["y"] + camera["middle"][1] - framed[:, 1] * camera["scale"]
    line = np.linspace([x[0], y[0]], [x[1], y[1]], 400)
    shown, spots = names(page), on_screen(page)
    assert len(shown) > 10
    for name in shown.values():
        assert min(gap(name, spot) for spot in [*line, spots[11], spots[12]]) > 0
    assert not {11, 12} & set(shown)


def written(page: Page) -> list[dict[str, Any]]:
    """Every name of what stands out: its text and look, and left, top, right, bottom on the page."""
    box = place_of(page.get_by_test_id("cloud-canvas"))
    boxes = json.loads(page.get_by_test_id("point-cloud").get_attribute("data-names") or "[]")
    corner = np.tile([box["x"], box["y"]], 2)
    return [
        {"text": text, "look": look, "box": np.array([left, top, left + width, top + height]) + corner}
        for text, look, left, top, width, height in boxes
    ]


@pytest.mark.thorough
@EITHER_WAY
def test_what_recedes_keeps_its_colour_and_what_is_found_stands_out(open_cloud: Callable[..., Page]) -> None:
    page = open_cloud("found=1", shared=True)
    spots = on_screen(page)
    index = lonely(spots)
    own = np.array([[0x00, 0x67, 0xA8], [0xC2, 0x4A, 0x00]][index % 2])
    pixel = colour_at(page, spots[index])
    assert np.argmax(pixel) == np.argmax(own)
    assert np.ptp(pixel) > 20  # no grey
    assert np.abs(pixel - own).max() > 130  # nor as strong as one that is found
    assert np.abs(colour_at(page, spots[26]) - [0x00, 0x67, 0xA8]).max() < 40


@pytest.mark.thorough
@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_a_logarithmic_bar_has_true_values_at_its_ends_and_between_them(
    open_cloud: Callable[..., Page], color_scheme: str
) -> None:
    page = open_cloud("graded=1", color_scheme=color_scheme)
    expect(page.get_by_test_id("cloud-legend")).to_have_text("times met 5 10 100 592", use_inner_text=True)
    bar = place_of(page.get_by_test_id("cloud-legend").locator(".gradient"))
    for text in ("10", "100"):
        tick = place_of(page.get_by_test_id("cloud-legend").locator(".ticks span").get_by_text(text, exact=True))
        share = np.log(int(text) / 5) / np.log(592 / 5)
        assert tick["x"] == pytest.approx(bar["x"] + share * bar["width"], abs=1)
    spots = on_screen(page)
    index = lonely(spots)
    page.mouse.move(*spots[index])
    value = message(LABELS["about"], value=(5, 592)[index % 2])
    expect(page.get_by_test_id("cloud-tip")).to_contain_text(f"times met: {value}")


@pytest.mark.thorough
def test_no_name_covers_another_or_the_chosen_point_and_a_search_has_no_names_beside_it(
    open_cloud: Callable[..., Page],
) -> None:
    page = open_cloud("found=1", shared=True)
    assert sum(name["look"] == "found" for name in written(page)) > 3
    page = open_cloud("found=1&path=1&far=1&crowd=1&chosen=1")
    shown = written(page)
    assert [name["text"] for name in shown if "point 3" in name["text"]] == ["2 point 3"]  # token and point in one
    assert next(name["look"] for name in shown if name["text"] == "2 point 3") == "chosen"
    assert {name["look"] for name in shown} == {"chosen", "path", "neighbour"}
    chosen = on_screen(page)[3]
    for number, one in enumerate(shown):
        assert gap(one["box"], chosen) > 11.5
        for other in shown[number + 1 :]:
            assert (one["box"][2:] <= other["box"][:2]).any() or (other["box"][2:] <= one["box"][:2]).any()


def on_ground(page: Page) -> list[list[float]]:
    """Left, top, width, height of every tick and title inside the picture."""
    state: list[list[float]] = json.loads(page.get_by_test_id("point-cloud").get_attribute("data-written") or "[]")
    assert len(state) > 3
    return state


@pytest.mark.thorough
def test_in_space_the_box_holds_the_moved_tokens_and_no_name_covers_its_titles(open_cloud: Callable[..., Page]) -> None:
    page = open_cloud("space=1&path=1&far=1&moved=1&landmarks=index")
    box = place_of(page.get_by_test_id("cloud-canvas"))
    far = next(name["box"] for name in written(page) if name["text"].startswith("2 "))
    assert box["x"] < far[0] < far[2] < box["x"] + box["width"]
    assert box["y"] < far[1] < far[3] < box["y"] + box["height"]
    titles = on_ground(page)
    assert (
        box["y"] + min(top for _, top, _, _ in titles) < far[3] + box["height"] / 4
    )  # the upright axis reaches as high
    for _ in range(2):
        shown, named = names(page), written(page)
        for left, top, width, height in on_ground(page):
            title = np.array([left, top, left + width, top + height]) + np.tile([box["x"], box["y"]], 2)
            for name in [*shown.values(), *(name["box"] for name in named)]:
                assert (name[2:] <= title[:2]).any() or (title[2:] <= name[:2]).any()
        assert shown
        page.get_by_test_id("cloud-zoom-in").click()
        still(page)


@pytest.mark.thorough
def test_a_run_that_changes_nothing_sends_neither_names_nor_places_again(new_page: NewPage, scenes: Server) -> None:
    page = new_page(scenes)
    frames: list[bytes] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(frame)))
    page.goto("/?scene=point_cloud&count=50000")
    page.wait_for_selector('[data-testid="point-cloud"][data-view]')
    idle(page)
    first = sum(map(len, frames))
    assert 1_000_000 < first < 1_600_000
    frames.clear()
    with rerun(page):
        page.get_by_text("another run", exact=True).click()
    kinds = [message_kind(frame) for frame in frames]
    assert kinds.count("ref_hash") >= 3  # names, places, and the picture itself
    assert sum(map(len, frames)) < 20_000
    frames.clear()
    with rerun(page):
        page.get_by_text("other places", exact=True).click()
    assert sum(len(frame) > 500_000 for frame in frames) == 1  # the places alone


def message_kind(frame: bytes) -> str:
    message = ForwardMsg()
    message.ParseFromString(frame)
    return str(message.WhichOneof("type"))


@pytest.mark.thorough
@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_nothing_in_the_picture_hinders_a_screen_reader(
    new_page: NewPage, scenes: Server, color_scheme: Literal["light", "dark"]
) -> None:
    page = new_page(scenes, color_scheme=color_scheme)
    page.goto("/?scene=point_cloud&path=1&space=1")
    page.wait_for_selector('[data-testid="point-cloud"][data-view]')
    idle(page)
    page.get_by_test_id("cloud-canvas").focus()
    with rerun(page):
        page.keyboard.press("s")
    assert [line for line in violations(page) if "st-key-cloud" in line or "cloud-" in line] == []
    expect(page.get_by_test_id("cloud-canvas")).to_have_attribute(
        "aria-label", wording(LABELS["figure"], count="3,000", dimensions=3, axes="PC 1, PC 2, PC 3")
    )


def test_a_lost_graphics_processor_is_replaced(new_page: NewPage, scenes: Server) -> None:
    page = new_page(scenes)
    page.goto("/?scene=point_cloud")
    page.wait_for_selector('[data-testid="point-cloud"][data-painter="webgl"]')
    idle(page)
    page.get_by_test_id("cloud-stage").locator(".points canvas").evaluate(
        "canvas => canvas.getContext('webgl2').getExtension('WEBGL_lose_context').loseContext()"
    )
    page.wait_for_selector('[data-testid="point-cloud"][data-painter="plain"]')
    canvas = page.get_by_test_id("cloud-stage").locator(".points canvas")
    colours = """canvas => new Set(new Uint32Array(canvas.getContext('2d')
        .getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size"""
    asking(page, lambda: canvas.evaluate(colours) > 10)
