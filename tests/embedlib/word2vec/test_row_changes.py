"""Moves against a plain loop."""

import math

import pytest
import torch

from embedlib.word2vec.history import row_changes


def test_a_move_is_the_length_of_the_way() -> None:
    before, after = (torch.randn(20, 3, generator=torch.Generator().manual_seed(n)) for n in (1, 2))
    after[4] = before[4]
    actual = row_changes(before, after)
    for row in range(20):
        way = [float(a) - float(b) for a, b in zip(after[row], before[row], strict=True)]
        assert float(actual.moves[row]) == pytest.approx(math.hypot(*way))
    assert actual.moves[4] == 0
    assert actual.order.tolist() == sorted(range(20), key=lambda row: -float(actual.moves[row]))


def test_rows_that_moved_equally_far_keep_their_order() -> None:
    assert row_changes(torch.zeros(4, 2), torch.ones(4, 2)).order.tolist() == [0, 1, 2, 3]


def test_shapes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match=r"before \(2, 3\) and after \(3, 2\)"):
        row_changes(torch.zeros(2, 3), torch.zeros(3, 2))
