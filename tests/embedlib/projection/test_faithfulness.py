import numpy as np
import pytest
import torch
from sklearn.manifold import trustworthiness as oracle

from embedlib.projection import fit_pca
from embedlib.projection.faithfulness import continuity, kept_neighbours, sampled_faithfulness, trustworthiness


def cloud(n_rows: int = 220, width: int = 12) -> tuple[np.ndarray, np.ndarray]:
    table = torch.randn(n_rows, width, generator=torch.Generator().manual_seed(0)).double()
    return table.numpy(), fit_pca(table, 2).transform(table).numpy()


@pytest.mark.parametrize("k", [1, 5, 40])
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_trustworthiness_is_scikit_learns(k: int, metric: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("embedlib.projection.faithfulness._DISTANCES", 220 * 50)  # five steps
    monkeypatch.setattr("embedlib.neighbours.bounds._MOST_ROWS", 90)
    table, points = cloud()
    expected = oracle(table, points, n_neighbors=k, metric=metric)
    assert trustworthiness(table, torch.from_numpy(points), k=k, metric=metric) == pytest.approx(expected, abs=1e-12)


def test_continuity_is_trustworthiness_the_other_way_round() -> None:
    table, points = cloud()
    assert continuity(table, points, k=7) == pytest.approx(oracle(points, table, n_neighbors=7), abs=1e-12)
    # By cosine: of rows of length 1, whose Euclidean distances order them alike.
    units = table / np.linalg.norm(table, axis=1, keepdims=True)
    expected = oracle(points, units, n_neighbors=7)
    assert continuity(table, points, k=7, metric="cosine") == pytest.approx(expected, abs=1e-12)


def test_a_picture_that_keeps_everything_is_trusted_wholly() -> None:
    table, _ = cloud()
    shares: list[float] = []
    assert trustworthiness(table, table * 3 + 1, progress=shares.append) == 1
    assert continuity(table, table * 3 + 1) == 1
    assert shares[-1] == 1
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
    found = sampled_faithfulness(table, points, k=10, n_samples=10_000)
    assert found.share == pytest.approx(total / (10 * len(table)), abs=1e-7)
    assert found.chance == 10 / (len(table) - 1)
    assert found.n_sampled == len(table)
    assert sampled_faithfulness(table, points, n_samples=50, seed=1).n_sampled == 50


def test_strewn_points_keep_what_chance_would() -> None:
    rng = np.random.default_rng(1)
    found = sampled_faithfulness(rng.standard_normal((400, 6)), rng.standard_normal((400, 2)), k=40)
    assert found.share == pytest.approx(found.chance, abs=0.02)  # 16,000 looked at: standard deviation below 0.003


@pytest.mark.parametrize("measure", [trustworthiness, continuity, sampled_faithfulness])
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
