import subprocess
import sys
import textwrap
from math import dist, sqrt
from operator import mul
from pathlib import Path

import numpy as np
import pytest
import torch
from scipy.spatial.distance import cdist
from sklearn.neighbors import NearestNeighbors

from embedlib.neighbours.search import (
    METRICS,
    nearest_neighbours,
    neighbour_distances,
    prepare_rows,
    product_similarities,
    ranks,
    rounding_slack,
    row_norms,
)


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a block end after 100 rows at most, so that a small table has several."""
    monkeypatch.setattr("embedlib.neighbours.blocks._BLOCK_ENTRIES", {"cpu": 900})
    monkeypatch.setattr("embedlib.neighbours.search._ROWS_AT_ONCE", 200)


def by_definition(table: np.ndarray, query: np.ndarray, metric: str) -> np.ndarray:
    """Similarities one row at a time in float64, rounded to the table's precision."""
    values = []
    q = query.astype(np.float64).tolist()
    for row in table.astype(np.float64).tolist():
        value = sum(map(mul, row, q))
        if metric == "euclidean":
            value = -dist(row, q)
        elif metric == "cosine":
            length = sqrt(sum(map(mul, row, row)) * sum(map(mul, q, q)))
            value = value / length if length else 0.0
        values.append(value)
    return np.array(values)


def assert_nearest(table: np.ndarray, queries: np.ndarray, metric: str, k: int, **more: object) -> None:
    similarities, ids = nearest_neighbours(table, queries, k, metric, **more)
    values = np.stack([by_definition(table, query, metric) for query in queries])  # (n_queries, n_rows)
    order = np.argsort(-values, axis=1, kind="stable")[:, :k]
    np.testing.assert_allclose(similarities.numpy(), np.take_along_axis(values, order, axis=1), rtol=1e-6, atol=1e-7)
    np.testing.assert_array_equal(ids.numpy(), order)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("n_queries", [1, 260])
@pytest.mark.usefixtures("small_blocks")
def test_neighbours_are_those_of_the_definition(metric: str, dtype: type, n_queries: int) -> None:
    rng = np.random.default_rng(1)
    table = rng.standard_normal((240, 9)).astype(dtype)
    assert_nearest(table, rng.standard_normal((n_queries, 9)).astype(np.float32), metric, 7)


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_many_blocks_agree_with_scikit_learn(metric: str) -> None:
    table = np.random.default_rng(2).standard_normal((10_000, 24), dtype=np.float32)
    distances, ids = (
        NearestNeighbors(n_neighbors=10, algorithm="brute", metric=metric).fit(table).kneighbors(table[::99])
    )
    actual = nearest_neighbours(torch.from_numpy(table), torch.from_numpy(table[::99].copy()), 10, metric)
    np.testing.assert_array_equal(actual.ids.numpy(), ids)
    expected = 1 - distances if metric == "cosine" else -distances
    np.testing.assert_allclose(actual.similarities.numpy(), expected, atol=2e-6)


def test_rows_of_bfloat16_and_steps_over_rows_are_read_as_they_are() -> None:
    table = torch.randn(60, 5, generator=torch.Generator().manual_seed(0))
    halves = table.bfloat16()
    wide = nearest_neighbours(halves.float(), table[:3], 5)
    for same in (nearest_neighbours(halves, table[:3], 5), nearest_neighbours(halves[::1], table[:3], 5)):
        assert torch.equal(same.ids, wide.ids)
        assert torch.equal(same.similarities, wide.similarities)
    backwards = table.numpy()[::-2]
    assert_nearest(backwards, table[:3].numpy(), "cosine", 4)
    assert_nearest(table.numpy().astype(">f4"), table[:3].numpy(), "dot", 4)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.usefixtures("small_blocks")
def test_equal_similarities_come_by_lower_id_first(metric: str) -> None:
    rng = np.random.default_rng(3)
    few = rng.standard_normal((5, 40)).astype(np.float32)
    table = few[rng.integers(0, 5, size=1000)]  # some 200 copies of each, over ten blocks
    actual = nearest_neighbours(table, few, 50, metric)
    for i, query in enumerate(few):
        values = np.array([by_definition(few, query, metric)[j] for j in range(5)])
        best = few[values.argmax()]
        copies = np.flatnonzero((table == best).all(axis=1))
        np.testing.assert_array_equal(actual.ids[i].numpy(), copies[:50])
        assert actual.similarities[i].unique().numel() == 1


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("offset", [100, 300, 1000])
def test_a_cloud_far_from_zero_has_exactly_the_ten_of_float64(metric: str, offset: float) -> None:
    table = (np.random.default_rng(16).standard_normal((2000, 32)) + offset).astype(np.float32)
    wide = table.astype(np.longdouble)  # float64 by itself would not show its own rounding
    products = wide[:40] @ wide.T
    squares = (wide * wide).sum(axis=1)
    values = {
        "dot": products,
        "cosine": products / np.sqrt(squares[:40, None] * squares),
        "euclidean": -np.sqrt(np.maximum(squares[:40, None] + squares - 2 * products, 0)),
    }[metric]
    order = np.argsort(-values, axis=1, kind="stable")[:, :10]
    np.testing.assert_array_equal(nearest_neighbours(table, table[:40], 10, metric).ids.numpy(), order)


def test_rows_that_differ_in_the_last_digit_are_told_apart() -> None:
    rng = np.random.default_rng(5)
    query = rng.standard_normal((1, 768)).astype(np.float32)
    table = np.repeat(query, 64, axis=0)
    for i in range(64):  # ever farther, but for the last, which is the query
        table[i, i] = np.float32(query[0, i]) * np.float32(1 + (64 - i) * 2**-20)
    table[63] = query
    distances = np.sqrt(((table.astype(np.float64) - query) ** 2).sum(axis=1))
    actual = nearest_neighbours(table, query, 64, "euclidean")
    np.testing.assert_array_equal(actual.ids[0].numpy(), np.argsort(distances, kind="stable"))


def test_rows_of_zeros_are_similar_to_nothing() -> None:
    table = np.array([[0, 0], [1, 0], [-1, 0], [1e-40, 1e-40]], dtype=np.float32)
    actual = nearest_neighbours(table, np.array([[2, 0], [0, 0]], dtype=np.float32), 4, "cosine")
    assert actual.ids.tolist() == [[1, 3, 0, 2], [0, 1, 2, 3]]
    assert actual.similarities[0].tolist() == pytest.approx([1, 0.5**0.5, 0, -1], abs=1e-6)
    assert actual.similarities[1].tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("scale", [1e-30, 1e-15, 1e15])
@pytest.mark.parametrize("metric", METRICS)
def test_tiny_and_huge_rows_are_compared_too(metric: str, scale: float) -> None:
    rng = np.random.default_rng(6)
    table = (rng.standard_normal((400, 12)) * scale).astype(np.float32)
    _, ids = nearest_neighbours(table, table[:4], 5, metric, exclude=[0, 1, 2, 3])
    _, same = nearest_neighbours(
        table.astype(np.float64) / scale, table[:4].astype(np.float64) / scale, 5, metric, exclude=[0, 1, 2, 3]
    )
    if metric != "dot" or scale != 1e-30:  # those products are all less than the least float32: equal, by id
        assert torch.equal(ids, same)


def test_excluded_rows_are_left_out() -> None:
    table = np.random.default_rng(7).standard_normal((50, 4)).astype(np.float32)
    everything = nearest_neighbours(table, table[:3], 50)
    own = nearest_neighbours(table, table[:3], 49, exclude=[0, 1, 2])
    several = nearest_neighbours(table, table[:3], 48, exclude=torch.tensor([[0, 9], [-1, 9], [-1, -1]]))
    for i in range(3):
        order = everything.ids[i].tolist()
        assert own.ids[i].tolist() == [j for j in order if j != i]
        assert several.ids[i].tolist() == [j for j in order if j not in ([0, 9], [9], [])[i]][:48]


def test_norms_given_beforehand_change_nothing() -> None:
    table = torch.randn(500, 6, generator=torch.Generator().manual_seed(1))
    norms = row_norms(table)
    torch.testing.assert_close(norms, table.norm(dim=1))
    for metric in METRICS:
        plain = nearest_neighbours(table, table[:5], 3, metric)
        with_norms = nearest_neighbours(table, table[:5], 3, metric, row_norms=norms)
        assert torch.equal(plain.ids, with_norms.ids)
        assert torch.equal(plain.similarities, with_norms.similarities)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.usefixtures("small_blocks")
def test_ranks_are_the_places_among_all_neighbours(metric: str) -> None:
    rng = np.random.default_rng(20)
    table = rng.integers(-2, 3, (450, 3)).astype(np.float32)  # with many ties
    queries, wanted = table[:300] + np.float32(0.5), rng.integers(0, 450, 300)
    left_out = np.stack([(wanted + 1) % 450, np.full(300, -1)], axis=1)
    ids = nearest_neighbours(table, queries, 449, metric, exclude=left_out[:, :1]).ids.numpy()
    actual = ranks(table, queries, wanted, metric, exclude=left_out)
    np.testing.assert_array_equal(actual.numpy(), 1 + np.argmax(ids == wanted[:, None], axis=1))


ROWS_LIKE = {
    "normal": lambda x: x,
    # 301 ones add up to what lies between two bfloat16 as well.
    "one sign": lambda x: (
        torch.full_like(x, 1 + 2.0**-8 - 2.0**-20) * 2.0 ** torch.arange(len(x))[:, None].remainder(5)
    ),
    "long and short": lambda x: x * 10.0 ** torch.linspace(-12, 12, len(x))[:, None],
    "far away": lambda x: x + 1000,
    "tiny": lambda x: x * 1e-21,
}


@pytest.mark.parametrize("kind", ROWS_LIKE)
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(("n_queries", "precision"), [(1, "highest"), (20, "highest"), (20, "medium")])
def test_no_similarity_is_off_by_more_than_is_said(kind: str, metric: str, n_queries: int, precision: str) -> None:
    x = torch.randn(n_queries + 90, 301, generator=torch.Generator().manual_seed(0))
    queries, rows = (
        prepare_rows(ROWS_LIKE[kind](part), torch.float32, torch.device("cpu"), metric)
        for part in (x[:n_queries], x[n_queries:])
    )
    before = torch.get_float32_matmul_precision()
    try:
        torch.set_float32_matmul_precision(precision)
        actual = product_similarities(queries, rows, metric).double()
        slack = rounding_slack(queries, rows, metric).double()
    finally:
        torch.set_float32_matmul_precision(before)
    a, b = queries.exact.double(), rows.exact.double()
    if metric == "euclidean":
        exact = -((a[:, None] - b[None]) ** 2).sum(dim=2)
    else:
        exact = a @ b.T
        if metric == "cosine":
            exact /= torch.outer(a.norm(dim=1), b.norm(dim=1))
    assert ((actual - exact).abs() <= slack).all()


def test_no_queries_have_no_neighbours() -> None:
    actual = nearest_neighbours(np.ones((4, 2), dtype=np.float32), np.empty((0, 2), dtype=np.float32), 3)
    assert actual.ids.shape == actual.similarities.shape == (0, 3)


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("width", [3, 200])
@pytest.mark.usefixtures("small_blocks")
def test_every_row_knows_how_far_its_nearest_is(metric: str, dtype: type, width: int) -> None:
    table = np.random.default_rng(8).standard_normal((450, width)).astype(dtype)
    table[420] = table[3]
    table[110] = 0
    shares: list[float] = []
    actual = neighbour_distances(table, metric=metric, progress=shares.append).numpy()
    with np.errstate(invalid="ignore"):
        distances = np.nan_to_num(cdist(table.astype(np.float64), table.astype(np.float64), metric), nan=1.0)
    np.fill_diagonal(distances, np.inf)
    np.testing.assert_allclose(actual, distances.min(axis=1), rtol=1e-6, atol=1e-15)
    assert actual[3] == actual[420] == 0
    assert actual.dtype == dtype
    assert shares == sorted(shares)
    assert shares[-1] == 1


def test_distances_can_be_cancelled() -> None:
    def stop(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        neighbour_distances(np.eye(3, dtype=np.float32), progress=stop)


def test_a_mapped_file_larger_than_the_memory_used_is_searched(tmp_path: Path) -> None:
    path = tmp_path / "table.npy"
    rows = np.random.default_rng(9).standard_normal((100_000, 384), dtype=np.float32)  # 154 MB
    np.save(path, rows)
    code = """
        import resource, sys
        import numpy as np
        from embedlib.neighbours.search import nearest_neighbours, row_norms
        nearest_neighbours(np.ones((9, 384), dtype=np.float32), np.ones((2, 384), dtype=np.float32), 2)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        table = np.load(sys.argv[1], mmap_mode="r")
        found = nearest_neighbours(table, table[500:532], 3, "euclidean", row_norms=row_norms(table))
        sys.stdout.write(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before} {found.ids[:, 0].tolist()}")
    """
    out = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), path], capture_output=True, text=True, check=True, cwd=Path.cwd()
    ).stdout
    grown, ids = out.split(" ", 1)
    unit = 1 if sys.platform == "darwin" else 1024  # macOS counts bytes, Linux kB
    assert int(grown) * unit < 100 * 2**20  # less than the table
    assert ids == str(list(range(500, 532)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"k": 0}, "k=0 must be between 1 and 4"),
        ({"k": 5}, "k=5 must be between 1 and 4"),
        ({"k": 4, "exclude": [1, 2]}, "k=4 must be between 1 and 3"),
        ({"metric": "manhattan"}, "metric='manhattan' must be one of cosine, dot, euclidean"),
        ({"queries": np.ones(3)}, r"queries has shape \(3,\)"),
        ({"queries": np.ones((2, 5))}, "queries has 5 columns: it must have as many as the table, d=3"),
        ({"queries": np.ones((2, 3), dtype=int)}, "queries is int64"),
        ({"queries": np.array([[0, np.nan, 0], [0, 0, 0]])}, "queries row 0 has entries that are not finite"),
        ({"table": np.ones((4, 3), dtype=complex)}, "table is complex128"),
        ({"table": torch.ones(4, 3, dtype=torch.int32)}, "table is torch.int32"),
        ({"table": np.array([[1, 1, 1], [1, np.inf, 1]])}, "table row 1 has entries that are not finite"),
        ({"table": np.full((4, 3), 1e30, dtype=np.float32)}, "table row 0 .* so large that their squares overflow"),
        ({"exclude": [1]}, r"exclude has shape \(1, 1\): it must be \(n_queries=2,\)"),
        ({"exclude": [1, 4]}, r"exclude has ids in \[1, 4\]: they must be in \[-1, n_rows=4\)"),
        ({"row_norms": torch.ones(3)}, r"row_norms has shape \(3,\): it must be \(n_rows=4,\)"),
    ],
)
def test_what_cannot_be_searched_is_refused(change: dict[str, object], message: str) -> None:
    arguments = {
        "table": np.ones((4, 3), dtype=np.float32),
        "queries": np.ones((2, 3), dtype=np.float32),
        "k": 1,
        **change,
    }
    with pytest.raises(ValueError, match=message):
        nearest_neighbours(**arguments)


def test_distances_need_two_rows_and_a_distance() -> None:
    with pytest.raises(ValueError, match="n_rows=1 must be at least 2"):
        neighbour_distances(np.ones((1, 2), dtype=np.float32))
    with pytest.raises(ValueError, match="metric='dot' has no distance"):
        neighbour_distances(np.ones((3, 2), dtype=np.float32), metric="dot")


@pytest.mark.parametrize(("dtype", "scale"), [(np.float32, 1e-43), (np.float64, 1e-120), (np.float64, 1e120)])
def test_the_angle_of_rows_is_known_whatever_their_length(dtype: type, scale: float) -> None:
    rng = np.random.default_rng(10)
    table = (rng.standard_normal((300, 30)) * scale).astype(dtype)
    table[7] = table[200] = 0
    queries = rng.standard_normal((3, 30)) * (scale if dtype is np.float64 else 1)
    whole = table.astype(np.float64) / scale
    lengths = np.linalg.norm(whole, axis=1)
    lengths[lengths == 0] = 1
    units = queries / np.linalg.norm(queries, axis=1, keepdims=True)
    actual = nearest_neighbours(table, queries, 20)
    expected = units @ (whole / lengths[:, None]).T
    np.testing.assert_allclose(
        actual.similarities.numpy(), -np.sort(-expected, axis=1)[:, :20], rtol=1e-6 if dtype is np.float32 else 1e-12
    )


def test_faint_rows_do_not_hide_the_others() -> None:
    table = np.random.default_rng(11).standard_normal((300, 30)).astype(np.float32)
    faint = table.copy()
    faint[::2] = table[::2] * np.float32(2.0**-120)  # exact, and so the angles stay
    plain, actual = nearest_neighbours(table, table[:3], 20), nearest_neighbours(faint, table[:3], 20)
    assert torch.equal(actual.ids, plain.ids)
    torch.testing.assert_close(actual.similarities, plain.similarities)
