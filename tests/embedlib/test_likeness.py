"""Likeness to one vector agrees with scikit-learn for every row and metric."""

from pathlib import Path

import numpy as np
import pytest
import torch
from sklearn.metrics.pairwise import cosine_similarity, euclidean_distances

from embedlib.likeness import likeness_to


@pytest.fixture
def table() -> np.ndarray:
    rows = np.random.default_rng(5).normal(size=(40_000, 7)).astype(np.float32)
    rows[3] = 0
    return rows


@pytest.mark.parametrize("kind", ["tensor", "array", "file"])
def test_every_metric_agrees_with_independent_code(table: np.ndarray, kind: str, tmp_path: Path) -> None:
    query = torch.from_numpy(table[17])
    given: np.ndarray | torch.Tensor = table
    if kind == "tensor":
        given = torch.from_numpy(table)
    if kind == "file":
        np.save(tmp_path / "table.npy", table)
        given = np.load(tmp_path / "table.npy", mmap_mode="r")
    expected = {
        "cosine": cosine_similarity(table, table[17:18])[:, 0],
        "dot": table @ table[17],
        "euclidean": -euclidean_distances(table.astype(np.float64), table[17:18].astype(np.float64))[:, 0],
    }
    for metric, values in expected.items():
        np.testing.assert_allclose(likeness_to(given, query, metric).numpy(), values, atol=2e-6)


def test_another_metric_or_width_is_refused(table: np.ndarray) -> None:
    with pytest.raises(ValueError, match="metric='hamming' must be one of cosine"):
        likeness_to(table, torch.zeros(7), "hamming")
    with pytest.raises(ValueError, match=r"query has shape \(6,\): it must be \(7,\)"):
        likeness_to(table, torch.zeros(6))
