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

from embedlib.components.cloud import LABELS
from tests.browser.accessibility import violations
from tests.browser.conftest import NewPage
from tests.browser.idle import SCROLLED, asking, assert_no_sideways_scroll, drawn, idle, place_of, rerun, tap
from tests.browser.serving import Server
from tests.messages import message, wording
from ui.components import browser_code

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


def labels(page: Page) -> list[dict[str, Any]]:
    """Every label: what it names, its text and look, and left, top, right, bottom on the page."""
    seen = (
        page.get_by_test_id("cloud-labels")
        .locator(".label")
        .evaluate_all(
            """labels => labels.map(label => {
            const { left, top, right, bottom } = label.getBoundingClientRect();
            return [label.dataset.id, label.textContent, label.classList[1], [left, top, right, bottom]];
        })"""
        )
    )
    return [{"id": name, "text": text, "look": look, "box": np.array(box)} for name, text, look, box in seen]


def names(page: Page) -> dict[int, np.ndarray[Any, np.dtype[np.float64]]]:
    """Index of each named point of the crowd -> left, top, right, bottom of its name on the page."""
    return {int(label["id"]): label["box"] for label in labels(page) if label["look"] == "crowd"}


def assert_apart(boxes: list[np.ndarray[Any, np.dtype[np.float64]]]) -> None:
    for number, one in enumerate(boxes):
        for other in boxes[number + 1 :]:
            assert (one[2:] <= other[:2] + 0.1).any() or (other[2:] <= one[:2] + 0.1).any()


def gap(box: np.ndarray[Any, np.dtype[np.float64]], spot: np.ndarray[Any, np.dtype[np.float64]]) -> float:
    """How many pixels a spot is away from a box, 0 inside."""
    return float(np.linalg.norm(np.maximum(0, np.maximum(box[:2] - spot, spot - box[2:]))))


def assert_legible(page: Page) -> None:
    """Each name is beside its own point, and over no other name."""
    shown, spots = names(page), on_screen(page)
    assert_apart(list(shown.values()))
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
    page.keyboard.down("Control")
    before = str(page.get_by_test_id("point-cloud").get_attribute("data-view"))
    page.mouse.wheel(0, -60)
    page.keyboard.up("Control")
    expect(page.get_by_test_id("point-cloud")).not_to_have_attribute("data-view", before)
    still(page)
    np.testing.assert_allclose(on_screen(page)[index], spots[index], atol=0.9)  # pointers are at whole pixels
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


def spot_of(page: Page, place: tuple[float, float, float]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Where a place of the coordinates is on the page, in a flat picture."""
    camera, points = view(page), places().astype(np.float64)
    low, high = points.min(axis=0), points.max(axis=0)
    box = place_of(page.get_by_test_id("cloud-canvas"))
    framed = (np.array(place) - (low + high) / 2) * (2 / (high - low).max()) - np.array(camera["centre"])
    x, y = framed[:2] * camera["scale"]
    return np.array([box["x"] + camera["middle"][0] + x, box["y"] + camera["middle"][1] - y])


def test_a_token_in_the_picture_is_the_page_s_token(open_cloud: Callable[..., Page]) -> None:
    page = open_cloud("tokens=1")
    assert {label["text"] for label in labels(page) if label["look"] == "token"} == {"first", "second"}
    x, y = spot_of(page, (6.0, -4.0, 0.0))
    page.mouse.move(x, y)
    asking(page, lambda: pointer(page, "hovered") == 1)
    page.mouse.click(x, y)
    asking(page, lambda: pointer(page, "chosen") == 1)
    asking(page, lambda: [label["text"] for label in labels(page) if label["look"] == "lit"] == ["second"])


@pytest.mark.parametrize("shape", ["wide", "tall"])
@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844)])
def test_the_picture_fills_its_column_and_points_all_of_it_but_its_edges(
    open_cloud: Callable[..., Page], shape: str, width: int, height: int
) -> None:
    page = open_cloud("" if shape == "wide" else "tall=1", width=width, height=height)
    points = places().astype(np.float64) if shape == "wide" else places().astype(np.float64)[:, [1, 0, 2]]
    extent, camera = np.ptp(points[:, :2], axis=0), view(page)
    drawn_px = extent * (2 / np.ptp(points, axis=0).max()) * camera["scale"]
    frame = np.array([camera["plot"]["width"], camera["plot"]["height"]])
    assert 40 < (frame - drawn_px).min() < 130  # px on both sides together, for tools, titles and numbers
    assert frame[0] == place_of(page.get_by_test_id("point-cloud"))["width"]
    assert frame.max() > 260


def test_the_wheel_scrolls_the_page_until_the_picture_is_clicked(open_cloud: Callable[..., Page]) -> None:
    page = open_cloud(width=1000, height=520)
    x, y = on_screen(page).mean(axis=0)
    page.mouse.move(x, y)
    page.mouse.move(x + 20, y)
    page.mouse.wheel(0, 60)
    expect(page.get_by_test_id("cloud-help")).to_have_text(LABELS["wheel"])
    asking(page, lambda: page.evaluate(SCROLLED) > 0)
    assert view(page)["zoom"] == 1
    expect(page.get_by_test_id("cloud-help")).to_contain_text(LABELS["help_always"])
    page.keyboard.down("Control")
    page.mouse.wheel(0, -60)
    page.keyboard.up("Control")
    asking(page, lambda: view(page)["zoom"] > 1)
    before, zoom = page.evaluate(SCROLLED), view(page)["zoom"]
    page.mouse.down()
    page.mouse.up()
    page.mouse.wheel(0, -60)
    asking(page, lambda: view(page)["zoom"] > zoom)
    assert page.evaluate(SCROLLED) == before


def test_a_cloud_that_scrolls_past_under_the_pointer_does_not_speak_of_zooming(open_cloud: Callable[..., Page]) -> None:
    page = open_cloud(width=1000, height=520)
    cloud = page.get_by_test_id("cloud-canvas")
    place_of(cloud)
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollBy(0, -150)")
    box = cloud.evaluate("(cloud) => cloud.getBoundingClientRect().toJSON()")
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] - 10)  # above the picture
    page.mouse.wheel(0, 40)
    asking(page, lambda: cloud.evaluate("(cloud) => cloud.matches(':hover')"))
    page.mouse.wheel(0, 40)
    drawn(page)
    expect(page.get_by_test_id("cloud-help")).to_contain_text(LABELS["help_always"])


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
    assert 8 <= len(shown) <= 16
    importance = [index if "index" in query else COUNT - 1 - index for index in shown]
    assert importance[0] == 0
    assert np.median(importance) < COUNT / 8
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
    assert set(names(page)) == set(first)


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
    assert 8 <= len(names(page)) <= 16
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
    assert set(names(page)) == set(before)


@pytest.mark.thorough
def test_names_keep_off_the_text_s_tokens_and_off_points_that_are_always_named(
    open_cloud: Callable[..., Page],
) -> None:
    page = open_cloud("landmarks=index&named=1&tokens=1")
    shown, spots = names(page), on_screen(page)
    assert len(shown) > 6
    tokens = [spot_of(page, place) for place in ((-6.0, -4.0, 0.0), (6.0, -4.0, 0.0))]
    for name in shown.values():
        assert min(gap(name, spot) for spot in [*tokens, spots[11], spots[12]]) > 0
    assert not {11, 12} & set(shown)


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
    assert sum(label["look"] == "found" for label in labels(page)) > 3
    page = open_cloud("found=1&tokens=1&far=1&crowd=1&chosen=1")
    shown = labels(page)
    assert [label["look"] for label in shown if label["text"] == "point 3"] == ["chosen"]  # token and point in one
    assert {label["look"] for label in shown} == {"axis", "chosen", "token"}  # neighbours stand in the list beside
    chosen = on_screen(page)[3]
    assert_apart([label["box"] for label in shown])
    for label in shown:
        assert gap(label["box"], chosen) > 11.5


@pytest.mark.thorough
def test_in_space_the_frame_holds_far_tokens_and_no_name_covers_the_titles_of_the_axes(
    open_cloud: Callable[..., Page],
) -> None:
    page = open_cloud("space=1&tokens=1&far=1&landmarks=index")
    box = place_of(page.get_by_test_id("cloud-canvas"))
    far = next(label["box"] for label in labels(page) if label["text"] == "far")
    assert box["x"] < far[0] < far[2] < box["x"] + box["width"]
    assert box["y"] < far[1] < far[3] < box["y"] + box["height"]
    for _ in range(2):
        shown = labels(page)
        assert {label["text"] for label in shown if label["look"] == "axis"} == {"PC 1", "PC 2", "PC 3"}
        assert names(page)
        assert_apart([label["box"] for label in shown])
        page.get_by_test_id("cloud-zoom-in").click()
        still(page)


@pytest.mark.thorough
def test_a_run_that_changes_nothing_fetches_neither_names_nor_places_again(new_page: NewPage, scenes: Server) -> None:
    page = new_page(scenes)
    fetched: list[int] = []
    page.on("response", lambda answer: fetched.append(len(answer.body())) if "/component-data/" in answer.url else None)
    page.goto("/?scene=point_cloud&count=50000")
    page.wait_for_selector('[data-testid="point-cloud"][data-view]')
    idle(page)
    still(page)
    assert len(fetched) == 3  # names, places, colours
    fetched.clear()
    with rerun(page):
        page.get_by_text("another run", exact=True).click()
    assert fetched == []
    with rerun(page):
        page.get_by_text("other places", exact=True).click()
    still(page)
    assert fetched == [pytest.approx(50_000 * 12, rel=0.01)]  # the places alone


@pytest.mark.thorough
@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_nothing_in_the_picture_hinders_a_screen_reader(
    new_page: NewPage, scenes: Server, color_scheme: Literal["light", "dark"]
) -> None:
    page = new_page(scenes, color_scheme=color_scheme)
    page.goto("/?scene=point_cloud&tokens=1&space=1")
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
