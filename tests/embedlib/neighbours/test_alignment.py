"""Two tables of the same words: turned onto each other as SciPy does it, neighbours counted as sets."""

import numpy as np
import pytest
import torch
from scipy.linalg import orthogonal_procrustes
from scipy.spatial import procrustes
from sklearn.neighbors import NearestNeighbors

from embedlib.neighbours import align_tables, shared_neighbours


def rows(n: int, d: int, seed: int) -> torch.Tensor:
    return torch.randn(n, d, generator=torch.Generator().manual_seed(seed))


def plain(table: torch.Tensor, width: int) -> np.ndarray:
    values = table.double().numpy()
    values = values - values.mean(axis=0)
    values = values / np.linalg.norm(values, axis=1, keepdims=True)
    return np.hstack([values, np.zeros((len(values), width - values.shape[1]))])


def test_a_turned_table_fits_to_rounding_and_every_word_left_out_finds_its_partner() -> None:
    table = rows(80, 6, 1)
    turn, _ = np.linalg.qr(rows(6, 6, 2).double().numpy())
    other = 3.0 * table.double() @ torch.from_numpy(turn) + 5.0
    found = align_tables(table, other)
    np.testing.assert_allclose(found.rotation, turn, atol=1e-9)
    np.testing.assert_allclose(found.residuals, 0, atol=1e-9)
    assert found.residual == pytest.approx(0, abs=1e-12)
    assert found.chance_residual > 0.5
    assert found.ranks.tolist() == [1] * 80


@pytest.mark.parametrize(("first_width", "second_width"), [(12, 7), (7, 12), (8, 8)])
def test_widths_that_differ_are_filled_up_with_zeros(first_width: int, second_width: int) -> None:
    first, second = rows(60, first_width, 3), rows(60, second_width, 4)
    second[:, :4] += 2 * first[:, :4]
    width = max(first_width, second_width)
    source, target = plain(first, width), plain(second, width)
    turn, products = orthogonal_procrustes(source, target)
    found = align_tables(first, second)
    np.testing.assert_allclose(found.rotation.T @ found.rotation, np.eye(width), atol=1e-9)
    assert found.residual == pytest.approx(1 - (products / 60) ** 2)
    assert found.scale == pytest.approx(products / 60)
    expected = np.linalg.norm(products / 60 * source @ turn - target, axis=1)
    np.testing.assert_allclose(found.residuals, expected, atol=1e-9)
    assert (found.residuals**2).sum() == pytest.approx(60 * found.residual)
    assert found.residual < found.chance_residual < 1


def test_the_residual_is_scipys_disparity_where_rows_of_length_one_have_no_mean() -> None:
    first, second = (torch.cat([table, -table]) for table in (rows(30, 5, 5), rows(30, 5, 6)))
    _, _, disparity = procrustes(plain(first, 5), plain(second, 5))
    assert align_tables(first, second).residual == pytest.approx(disparity)


def test_a_word_left_out_has_no_part_in_the_fit() -> None:
    """In as many columns as words a rotation fits anything; what it says of other words is by chance."""
    found = align_tables(rows(60, 60, 7), rows(60, 60, 8))
    assert found.residual < 0.5
    assert 20 < found.ranks.double().mean() < 40


def test_shared_neighbours_are_those_in_both_sets() -> None:
    first, second = rows(50, 6, 9), rows(50, 9, 10)
    second[:, :6] += first
    near = [
        NearestNeighbors(n_neighbors=5, metric="cosine").fit(table).kneighbors(return_distance=False)
        for table in (first.numpy(), second.numpy())
    ]
    expected = [len(set(one) & set(other)) for one, other in zip(*near, strict=True)]
    assert shared_neighbours(first, second, 5).tolist() == expected
    assert sum(expected) > 50


@pytest.mark.parametrize(("first", "second"), [((4, 2), (4, 2)), ((9, 2), (8, 2)), ((9,), (9, 2))])
def test_tables_of_other_words_or_too_few_are_refused(first: tuple[int, ...], second: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"common word|at least 5"):
        align_tables(torch.zeros(first), torch.zeros(second))
