from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedlib.figures.labels import CHARACTER, DIAGONAL, LINE, STRAIGHT, place_names, spread_out

SIDES = {"top": 1, "bottom": -1, "middle": 0, "left": -1, "right": 1, "center": 0}
SIZE = (760.0, 440.0)


def box(point: np.ndarray, length: int, place: str) -> tuple[float, float, float, float]:
    """Left, right, bottom, top in px of a name at its place, reckoned from the place's own words."""
    vertical, horizontal = place.split()
    half = np.array([CHARACTER * length, LINE]) / 2
    gap = STRAIGHT if "center" in place or "middle" in place else DIAGONAL
    centre = point + np.array([SIDES[horizontal], SIDES[vertical]]) * (half + gap)
    return centre[0] - half[0], centre[0] + half[0], centre[1] - half[1], centre[1] + half[1]


@pytest.mark.parametrize("count", [5, 40])
def test_no_name_covers_another_name_or_a_point(count: int) -> None:
    points = np.random.default_rng(0).normal(size=(count, 2)).astype(np.float32)
    lengths = [1 + index % 9 for index in range(count)]
    places = place_names(points, points, lengths, size=SIZE)
    scale = min(SIZE[0] / np.ptp(points[:, 0]), SIZE[1] / np.ptp(points[:, 1]))
    boxes = [box(points[index] * scale, lengths[index], place) for index, place in enumerate(places) if place]
    assert len(boxes) >= count / 2
    for one, other in combinations(boxes, 2):
        assert one[1] <= other[0] or other[1] <= one[0] or one[3] <= other[2] or other[3] <= one[2]
    for left, right, bottom, top in boxes:
        inside = (points * scale > [left, bottom]).all(axis=1) & (points * scale < [right, top]).all(axis=1)
        assert not inside.any()


def test_equal_points_are_named_once() -> None:
    points = np.array([[0, 0], [1, 1], [0, 0]], dtype=np.float32)
    assert [bool(place) for place in place_names(points, points, [3, 3, 3], size=SIZE)] == [True, True, False]


@pytest.mark.parametrize(("arrow", "place"), [((0, 1), "bottom center"), ((0, -1), "top center")])
def test_a_name_avoids_its_points_arrow(arrow: tuple[int, int], place: str) -> None:
    points = np.zeros((1, 2), dtype=np.float32)
    ends = np.array([arrow], dtype=np.float32)
    assert place_names(points, np.concatenate([points, ends]), [3], size=SIZE, away=ends) == [place]


@given(st.lists(st.floats(-10, 10), max_size=6), st.floats(0.01, 1))
def test_spread_places_keep_their_order_and_their_distance(values: list[float], gap: float) -> None:
    places = spread_out(values, gap)
    ordered = [place for _, place in sorted(zip(values, places, strict=True))]
    assert all(after - before >= gap - 1e-9 for before, after in pairwise(ordered))
    assert sum(places) == pytest.approx(sum(values), abs=1e-6), "as near as can be: balanced about their values"


def test_places_that_are_apart_already_stay() -> None:
    assert spread_out([3.0, 1.0, 2.0], 0.5) == [3.0, 1.0, 2.0]
    assert spread_out([1.0, 1.0], 0.5) == [0.75, 1.25]


@given(st.lists(st.floats(-10, 10), min_size=1, max_size=6), st.floats(0.01, 1))
def test_places_stay_inside_and_as_far_apart_as_there_is_room(values: list[float], gap: float) -> None:
    places = spread_out(values, gap, low=-1, high=1)
    ordered = [place for _, place in sorted(zip(values, places, strict=True))]
    assert -1 - 1e-9 <= ordered[0] <= ordered[-1] <= 1 + 1e-9
    room = min(gap, 2 / max(1, len(values) - 1))
    assert all(after - before >= room - 1e-9 for before, after in pairwise(ordered))


def test_places_at_a_bound_are_the_nearest_that_there_are() -> None:
    assert spread_out([2.0, 0.2, 3.0], 0.5, low=0, high=1) == [0.5, 0.0, 1.0]
    assert spread_out([-1.0, 0.4], 0.25, low=0, high=1) == [0.0, 0.4]
