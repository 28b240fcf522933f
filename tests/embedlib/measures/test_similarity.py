"""Diagonals and steps, each against a plain loop."""

import math

import pytest
import torch

from embedlib.measures import adjacent_distance, mean_by_distance


def random_matrix(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(sum(shape)))


@pytest.mark.parametrize("size", [1, 2, 7, 30])
def test_the_mean_of_each_lower_diagonal(size: int) -> None:
    matrix = random_matrix(size, size)
    means = mean_by_distance(matrix)
    assert means.shape == (size,)
    for delta in range(size):
        entries = [float(matrix[m + delta, m]) for m in range(size - delta)]
        assert float(means[delta]) == pytest.approx(sum(entries) / len(entries), abs=1e-12)


def test_what_is_masked_above_the_diagonal_does_not_count() -> None:
    scores = random_matrix(6, 6)
    masked = scores.masked_fill(torch.ones(6, 6, dtype=torch.bool).triu(1), float("-inf"))
    assert torch.equal(mean_by_distance(masked), mean_by_distance(scores))


def test_a_view_is_read_as_the_matrix_it_shows() -> None:
    matrix = random_matrix(6, 6)
    assert torch.equal(mean_by_distance(matrix.T), mean_by_distance(matrix.T.clone()))


def test_each_row_against_the_next() -> None:
    x = random_matrix(5, 3)
    expected = [math.dist(a, b) for a, b in zip(x.tolist()[:-1], x.tolist()[1:], strict=True)]
    assert adjacent_distance(x).tolist() == pytest.approx(expected)
    assert adjacent_distance(x[:1]).shape == (0,)
