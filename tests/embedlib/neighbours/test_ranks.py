"""Places against embedlib.neighbours.analogies and nearest_neighbours, which work them out in another way."""

import pytest
import torch

from embedlib.neighbours.analogies import analogy, rank_of
from embedlib.neighbours.ranks import places_around, places_of_answers
from embedlib.neighbours.search import nearest_neighbours

ROWS = torch.randn(40, 6, generator=torch.Generator().manual_seed(5))


def test_the_first_around_a_row_are_its_nearest_neighbours() -> None:
    found = places_around(ROWS, 7)
    expected = nearest_neighbours(ROWS, ROWS[7][None], 39, exclude=[7])
    assert found.first(39) == expected.ids[0].tolist()
    torch.testing.assert_close(found.similarities[found.first(39)], expected.similarities[0])
    assert [int(found.places[row]) for row in found.first(39)] == list(range(1, 40))
    assert found.places[7] == 0
    assert found.first(100) == found.first(39)


def test_the_first_answers_are_those_of_an_analogy_and_so_is_every_place() -> None:
    found = places_of_answers(ROWS, 3, 11, 20)
    expected = analogy(ROWS, 3, 11, 20, k=5)
    assert found.first(5) == expected.ids.tolist()
    torch.testing.assert_close(found.similarities[found.first(5)], expected.similarities)
    for row in range(40):
        if row in (3, 11, 20):
            assert found.places[row] == 0
        else:
            assert int(found.places[row]) == rank_of(ROWS, expected.query, row, exclude=[3, 11, 20])


def test_one_row_named_twice_is_left_out_once() -> None:
    found = places_of_answers(ROWS, 3, 3, 20)
    assert sorted(found.places.tolist()) == [0, 0, *range(1, 39)]


def test_of_equal_rows_the_lower_comes_first_and_zeros_are_as_near_as_right_angles() -> None:
    rows = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 0.0], [0.0, 0.0]])
    found = places_around(rows, 0)
    assert found.places.tolist() == [0, 3, 1, 2, 4]
    assert found.similarities.tolist() == [1, 0, 1, 1, 0]


def test_rows_that_do_not_exist_are_refused() -> None:
    with pytest.raises(ValueError, match=r"rows=\[40\] must all be in \[0, n_rows=40\)"):
        places_around(ROWS, 40)
    with pytest.raises(ValueError, match=r"rows=\[0, -1, 2\]"):
        places_of_answers(ROWS, 0, -1, 2)
