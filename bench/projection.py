"""Cost of principal components and neighbours, each against scikit-learn in the same run."""

import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from bench.library import D_MODEL, VOCAB_SIZE
from bench.table import Row
from bench.timing import CAN_SAY_PEAKS, interleave, one_thread, ratio, run_alone, wall_seconds
from embedlib import embedding_table, fit_pca, nearest_neighbours, row_norms

WIDE = (20_000, 4_096)
ON_DISK = (1_000_000, 384)
QUERIES = {1: 0.25, 64: 0.5}  # how many at once, and what share of scikit-learn's time they may take

FROM_DISK = """
import numpy as np
from embedlib import fit_pca, nearest_neighbours
table = np.load({path!r}, mmap_mode="r")
queries = np.array(table[500:564])
"""


def rows() -> Iterator[Row]:
    """Yield the rows of the table as they are measured."""
    table = embedding_table(VOCAB_SIZE, D_MODEL)
    yield from component_rows(table)
    with one_thread():  # scikit-learn takes all cores
        yield from neighbour_rows(table)
    yield from wide_rows()
    if CAN_SAY_PEAKS:
        yield from disk_rows()


def component_rows(table: Tensor) -> Iterator[Row]:
    """Compare thirty exact components with scikit-learn's; three are in bench.library."""
    from sklearn.decomposition import PCA

    array = table.numpy()
    mine, other = interleave(
        lambda: wall_seconds(lambda: fit_pca(table, 30)), lambda: wall_seconds(lambda: PCA(30).fit(array)), rounds=5
    )
    what = f"exact PCA of {VOCAB_SIZE} x {D_MODEL}, 30 components"
    yield Row(what, str(mine), f"scikit-learn PCA(30): {other}", ratio(mine, other), 1.05)


def neighbour_rows(table: Tensor) -> Iterator[Row]:
    """Compare ten neighbours of one query and of many with scikit-learn's brute force, in both of its metrics."""
    from sklearn.neighbors import NearestNeighbors

    array, norms = table.numpy(), row_norms(table)
    for n_queries, limit in QUERIES.items():
        queries = table[100 : 100 + n_queries] + 0.1
        points = queries.numpy()
        for metric in ("euclidean", "cosine"):
            fitted = NearestNeighbors(n_neighbors=10, algorithm="brute", metric=metric).fit(array)
            what = f"10 neighbours of {n_queries} in {VOCAB_SIZE} x {D_MODEL}, {metric}"
            different = _different_ids(nearest_neighbours(table, queries, 10, metric).ids, fitted.kneighbors(points)[1])
            yield Row(f"{what}: ids that differ", str(different), "scikit-learn", different, 0)
            theirs = _timer(partial(fitted.kneighbors, points))
            for name, known in (("rows never met", None), ("lengths known", norms)):
                search = partial(nearest_neighbours, table, queries, 10, metric, row_norms=known)
                mine, other = interleave(_timer(search), theirs, rounds=11)
                yield Row(f"{what}, {name}", str(mine), f"scikit-learn, fitted: {other}", ratio(mine, other), limit)
            if torch.cuda.is_available():
                # The ids are chosen on the CPU, so that a call ends no sooner than the GPU does.
                on_gpu = partial(nearest_neighbours, table.cuda(), queries.cuda(), 10, metric, row_norms=norms.cuda())
                mine, other = interleave(_timer(on_gpu), theirs, rounds=11)
                name = torch.cuda.get_device_name()
                yield Row(f"{what}, on {name}", str(mine), f"scikit-learn: {other}", ratio(mine, other), limit)


def wide_rows() -> Iterator[Row]:
    """Compare the method for wide tables with the exact covariance and with scikit-learn; the variances fall off."""
    from sklearn.decomposition import PCA

    table = _decaying_rows(*WIDE)
    array = table.numpy()
    fitted = fit_pca(table, 3)
    exact = fit_pca(lambda: [table], 3)  # read in blocks, for which there is the covariance alone
    share, expected = fitted.explained_variance_ratio.double(), exact.explained_variance_ratio.double()
    difference = float(((share - expected).abs() / expected).max())
    what = f"PCA of {WIDE[0]} x {WIDE[1]}, 3 components, by {fitted.method}"
    how_far = f"{what}: explained variance, largest relative difference"
    yield Row(how_far, f"{difference:.2g}", "our own covariance", difference, 1e-6)
    mine, other = interleave(
        lambda: wall_seconds(lambda: fit_pca(table, 3)),
        lambda: wall_seconds(lambda: fit_pca(lambda: [table], 3)),
        rounds=2,
    )
    yield Row(what, str(mine), f"our own covariance: {other}", ratio(mine, other), 1.0)
    mine, other = interleave(
        lambda: wall_seconds(lambda: fit_pca(table, 3)),
        lambda: wall_seconds(lambda: PCA(3, random_state=0).fit(array)),
        rounds=2,
    )
    yield Row(what, str(mine), f"scikit-learn PCA(3), randomized: {other}", ratio(mine, other), 1.0)


def disk_rows() -> Iterator[Row]:
    """Measure the peak memory of computations on a table on disk, of a whole process with Python and torch."""
    n_rows, width = ON_DISK
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.npy"
        _write_table(path)
        for name, work in {
            "PCA, 3 components": "fit_pca(table, 3)",
            "10 neighbours of 1": "nearest_neighbours(table, queries[:1], 10)",
            "10 neighbours of 64": "nearest_neighbours(table, queries, 10)",
        }.items():
            done = run_alone(FROM_DISK.format(path=str(path)), work)
            measured = f"{done.held:.0f} MB, {done.seconds[0]:.3g} s"
            file = f"the file: {4 * n_rows * width / 1e6:.0f} MB"
            yield Row(f"{name}, {n_rows:,} x {width} on disk: peak memory, MB", measured, file, done.held, 2000)


def _timer(work: Callable[[], object]) -> Callable[[], float]:
    return lambda: wall_seconds(work)


def _different_ids(ids: Tensor, expected: NDArray[np.int64]) -> int:
    return int((ids.cpu().numpy() != expected).sum())


def _decaying_rows(n_rows: int, width: int) -> Tensor:
    """Return rows whose variances fall with their number, as those of trained tables do, (n_rows, width) float32."""
    generator = torch.Generator().manual_seed(0)
    rank = 256
    directions = torch.randn(rank, width, generator=generator) / torch.arange(1, rank + 1)[:, None].sqrt()
    table = torch.randn(n_rows, rank, generator=generator) @ directions
    return table.add_(torch.randn(n_rows, width, generator=generator), alpha=0.5)


def _write_table(path: Path) -> None:
    """Write normal numbers to a .npy file, a piece at a time."""
    generator = np.random.default_rng(0)
    table = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=ON_DISK)
    for start in range(0, len(table), 50_000):
        block = table[start : start + 50_000]
        block[:] = generator.standard_normal(block.shape, dtype=np.float32)
    table.flush()
