"""Likeness to one vector agrees with scikit-learn for every row and metric."""

from pathlib import Path

import numpy as np
import pytest
import torch
from sklearn.metrics.pairwise import cosine_similarity, euclidean_distances

from embedlib.neighbours.search import similarity_to


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
        np.testing.assert_allclose(similarity_to(given, query, metric).numpy(), values, atol=2e-6)


def test_another_metric_or_width_is_refused(table: np.ndarray) -> None:
    with pytest.raises(ValueError, match="metric='hamming' must be one of cosine"):
        similarity_to(table, torch.zeros(7), "hamming")
    with pytest.raises(ValueError, match=r"query has shape \(6,\): it must be \(7,\)"):
        similarity_to(table, torch.zeros(6))


def test_numbers_that_cannot_be_written_to_are_read_without_a_warning(table: np.ndarray) -> None:
    torch.set_warn_always(True)  # PyTorch says it once in a process otherwise, perhaps in another test
    try:
        query = torch.from_numpy(table[17])
        expected = similarity_to(table.copy(), query)
        table.flags.writeable = False
        np.testing.assert_array_equal(similarity_to(table, query).numpy(), expected.numpy())
    finally:
        torch.set_warn_always(False)


@pytest.mark.parametrize("scale", [1e-14, 1e-20, 1e-30, 1e-37])
def test_cosines_of_very_short_rows_are_those_of_long_ones(table: np.ndarray, scale: float) -> None:
    query, short = torch.from_numpy(table[17]), table * np.float32(scale)
    expected = cosine_similarity(table, table[17:18])[:, 0]
    np.testing.assert_allclose(similarity_to(short, query).numpy(), expected, atol=1e-6)
    np.testing.assert_allclose(similarity_to(short, torch.from_numpy(short[17])).numpy(), expected, atol=1e-6)
    assert not similarity_to(short, torch.zeros(7)).any()
