from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedlib.figures.labels import spread


@given(st.lists(st.floats(-10, 10), max_size=6), st.floats(0.01, 1))
def test_spread_places_keep_their_order_and_their_distance(values: list[float], gap: float) -> None:
    places = spread(values, gap)
    ordered = [place for _, place in sorted(zip(values, places, strict=True))]
    assert all(after - before >= gap - 1e-9 for before, after in pairwise(ordered))
    assert sum(places) == pytest.approx(sum(values), abs=1e-6), "as near as can be: balanced about their values"


def test_places_that_are_apart_already_stay() -> None:
    assert spread([3.0, 1.0, 2.0], 0.5) == [3.0, 1.0, 2.0]
    assert spread([1.0, 1.0], 0.5) == [0.75, 1.25]


@given(st.lists(st.floats(-10, 10), min_size=1, max_size=6), st.floats(0.01, 1))
def test_places_stay_inside_and_as_far_apart_as_there_is_room(values: list[float], gap: float) -> None:
    places = spread(values, gap, low=-1, high=1)
    ordered = [place for _, place in sorted(zip(values, places, strict=True))]
    assert -1 - 1e-9 <= ordered[0] <= ordered[-1] <= 1 + 1e-9
    room = min(gap, 2 / max(1, len(values) - 1))
    assert all(after - before >= room - 1e-9 for before, after in pairwise(ordered))


def test_places_at_a_bound_are_the_nearest_that_there_are() -> None:
    assert spread([2.0, 0.2, 3.0], 0.5, low=0, high=1) == [0.5, 0.0, 1.0]
    assert spread([-1.0, 0.4], 0.25, low=0, high=1) == [0.0, 0.4]
