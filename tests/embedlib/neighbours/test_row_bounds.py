from unittest.mock import patch

import numpy as np
import pytest
import torch

from embedlib.neighbours.bounds import blocks_of, bound_widths, rows_from, upper_bounds
from embedlib.neighbours.search import METRICS

KINDS = ("normal", "one sign, between two bfloat16", "long and short", "far away", "tiny")


def rows_of(kind: str, n_rows: int, seed: int) -> torch.Tensor:
    x = torch.randn(n_rows, 301, generator=torch.Generator().manual_seed(seed))
    if kind == "one sign, between two bfloat16":  # 301 ones add up to what lies between two as well
        return torch.full_like(x, 1 + 2.0**-8 - 2.0**-20) * 2.0 ** torch.arange(n_rows)[:, None].remainder(5)
    if kind == "long and short":
        return x * 10.0 ** torch.linspace(-12, 12, n_rows)[:, None]
    return x + 1000 if kind == "far away" else x * 1e-21 if kind == "tiny" else x


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(("n_queries", "coarse"), [(1, False), (20, False), (20, True)])
def test_no_similarity_lies_outside_its_bounds(kind: str, metric: str, n_queries: int, coarse: bool) -> None:
    queries = rows_from(rows_of(kind, n_queries, 0), torch.float32)
    (block,) = blocks_of(rows_of(kind, 90, 1), measured=False)
    upper, rows = upper_bounds(queries, block, metric, coarse=coarse)
    a, b = queries.exact.double(), rows.exact.double()
    if metric == "euclidean":
        exact = -((a[:, None] - b[None]) ** 2).sum(dim=2)
    else:
        exact = a @ b.T
        if metric == "cosine":
            exact /= torch.outer(a.norm(dim=1), b.norm(dim=1))
    assert (upper.double() >= exact).all()
    if not coarse:
        assert (upper.double() - bound_widths(queries, rows, metric).double() <= exact).all()


def test_rows_are_measured_before_or_with_their_products() -> None:
    table = torch.randn(500, 40, generator=torch.Generator().manual_seed(2))
    queries = rows_from(table[:3], torch.float32)
    (later,) = blocks_of(table, measured=False)
    (before,) = blocks_of(table)
    assert len(later.norms) == 0
    torch.testing.assert_close(before.norms, table.norm(dim=1))
    torch.testing.assert_close(upper_bounds(queries, later, "dot")[1].norms, before.norms)


def test_blocks_in_memory_are_views_and_others_are_read(tmp_path: pytest.TempPathFactory) -> None:
    array = np.random.default_rng(0).standard_normal((900, 4)).astype(np.float32)
    np.save(tmp_path / "table.npy", array)
    mapped = np.load(tmp_path / "table.npy", mmap_mode="r")
    with patch("embedlib.neighbours.bounds._MOST_ROWS", 400):
        sizes = {
            name: [len(rows.vectors) for rows in blocks_of(table, most_rows=600)]
            for name, table in {
                "array": array,
                "tensor": torch.from_numpy(array),
                "mapped": mapped,
                "halves": array.astype(np.float16),
                "foreign": array.astype(">f4"),
            }.items()
        }
    whole, read = [600, 300], [400, 400, 100]
    assert sizes == {"array": whole, "tensor": whole, "mapped": read, "halves": read, "foreign": read}
    (view,) = blocks_of(array, most_rows=1000)
    assert view.vectors.data_ptr() == array.ctypes.data
