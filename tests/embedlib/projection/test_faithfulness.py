import numpy as np
import pytest
import torch
from scipy.spatial.distance import cdist

from embedlib.neighbours.search import METRICS
from embedlib.projection import fit_pca
from embedlib.projection.faithfulness import (
    _as_distances,
    kept_neighbours,
    sampled_faithfulness,
    trustworthiness,
)


def cloud(n_rows: int = 220, width: int = 12) -> tuple[np.ndarray, np.ndarray]:
    table = torch.randn(n_rows, width, generator=torch.Generator().manual_seed(0)).double()
    return table.numpy(), fit_pca(table, 2).transform(table).numpy()


def by_definition(truth: np.ndarray, shown: np.ndarray, k: int) -> float:
    """Return 1 less the normed ranks beyond k, by the formula, of two matrices of (n_rows, n_rows) distances."""
    n_rows = len(truth)
    beyond = 0
    for row in range(n_rows):
        order = [other for other in np.argsort(truth[row], kind="stable") if other != row]
        near = [other for other in np.argsort(shown[row], kind="stable") if other != row][:k]
        beyond += sum(max(order.index(other) + 1 - k, 0) for other in near)
    return 1 - 2 * beyond / (n_rows * k * (2 * n_rows - 3 * k - 1))


def distances(x: np.ndarray, metric: str) -> np.ndarray:
    return -x @ x.T if metric == "dot" else cdist(x, x, metric)


@pytest.mark.parametrize("k", [1, 5, 40])
@pytest.mark.parametrize("metric", METRICS)
def test_ranks_are_those_of_the_formula(k: int, metric: str) -> None:
    table, points = cloud()
    truth, drawn = distances(table, metric), distances(points, "euclidean")
    expected = by_definition(truth, drawn, k)
    assert trustworthiness(table, torch.from_numpy(points), k=k, metric=metric) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("metric", ["cosine", "dot"])
def test_products_become_distances_also_of_zeros(metric: str) -> None:
    table, _ = cloud()
    table[50] = table[7] = 0
    lengths = np.linalg.norm(table, axis=1, keepdims=True) if metric == "cosine" else 1
    rows = table / np.where(lengths == 0, 1, lengths)
    actual = cdist(*[_as_distances(table, metric)] * 2) ** 2
    expected = 2 * (rows**2).sum(axis=1).max() - 2 * rows @ rows.T
    np.fill_diagonal(expected, 0)
    np.testing.assert_allclose(actual, expected, atol=1e-9)


def test_a_picture_that_keeps_everything_is_trusted_wholly() -> None:
    table, _ = cloud()
    assert trustworthiness(table, table * 3 + 1) == 1
    assert sampled_faithfulness(table, table * 3 + 1, n_samples=30).share == 1


def test_kept_neighbours_are_counted_row_by_row() -> None:
    true_ids = torch.tensor([[1, 2, 3, 4], [5, 6, 7, 8], [0, 1, 2, 3]])
    shown_ids = torch.tensor([[4, 3, 2, 1], [8, 9, 10, 0], [7, 8, 9, 10]])
    assert kept_neighbours(true_ids, shown_ids).tolist() == [1, 0.25, 0]


def test_a_sample_of_all_rows_is_the_mean_over_all() -> None:
    table, points = cloud()
    distances = [((x[:, None] - x[None]) ** 2).sum(axis=2) for x in (table, points)]
    total = 0
    for row in range(len(table)):
        near = [set([j for j in np.argsort(d[row], kind="stable") if j != row][:10]) for d in distances]
        total += len(near[0] & near[1])
    actual = sampled_faithfulness(table, points, k=10, n_samples=10_000)
    assert actual.share == pytest.approx(total / (10 * len(table)), abs=1e-7)
    assert actual.chance == 10 / (len(table) - 1)
    assert actual.n_sampled == len(table)
    assert sampled_faithfulness(table, points, n_samples=50, seed=1).n_sampled == 50


@pytest.mark.parametrize("measure", [trustworthiness, sampled_faithfulness])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"points": np.ones((5, 2))}, "points has 5 rows: it must have one for each of the table's 20"),
        ({"k": 0}, "k=0 must be between 1 and "),
        ({"k": 20}, "k=20 must be between 1 and "),
        ({"metric": "l1"}, "metric='l1' must be one of"),
    ],
)
def test_what_cannot_be_measured_is_refused(measure: object, change: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        measure(**{"table": np.eye(20), "points": np.ones((20, 2)), "k": 3, **change})


def test_samples_and_ids_have_their_rules() -> None:
    with pytest.raises(ValueError, match="n_samples=0 must be at least 1"):
        sampled_faithfulness(np.eye(4), np.eye(4), k=1, n_samples=0)
    with pytest.raises(ValueError, match="k=10 must be between 1 and 9 for 20 rows"):
        trustworthiness(np.eye(20), np.eye(20))
    with pytest.raises(ValueError, match="with as many rows"):
        kept_neighbours(torch.ones(3, 2), torch.ones(2, 2))
