from itertools import combinations

import numpy as np
import pytest

from embedlib.figures.labels import CHARACTER, DIAGONAL, LINE, PLACES, STRAIGHT, place_names

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


def test_equal_points_are_named_once_and_the_first_to_be_served_gets_the_name() -> None:
    points = np.array([[0, 0], [1, 1], [0, 0]], dtype=np.float32)
    assert [bool(place) for place in place_names(points, points, [3, 3, 3], size=SIZE)] == [True, True, False]
    assert [bool(place) for place in place_names(points, points, [3, 3, 3], size=SIZE, first=2)] == [False, True, True]


def test_the_first_is_named_even_where_no_place_is_free() -> None:
    points = np.random.default_rng(1).normal(size=(40, 2)).astype(np.float32)
    assert place_names(points, points, [60] * 40, size=(200.0, 200.0), first=17)[17] in PLACES


@pytest.mark.parametrize(("arrow", "place"), [((0, 1), "bottom center"), ((0, -1), "top center")])
def test_a_name_avoids_its_points_arrow(arrow: tuple[int, int], place: str) -> None:
    points = np.zeros((1, 2), dtype=np.float32)
    ends = np.array([arrow], dtype=np.float32)
    assert place_names(points, np.concatenate([points, ends]), [3], size=SIZE, away=ends) == [place]
