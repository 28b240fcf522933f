"""Start of every map: each row's nearest others in the full space, and a first layout by PCA."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from embedlib.neighbours.blocks import Table
from embedlib.neighbours.search import nearest_neighbours, row_norms
from embedlib.projection.pca import fit_pca

# progress(share, points): the share done in [0, 1], never falling, and where the points are by now, (n_samples,
# n_components) float32 on the CPU and the callback's own to keep; None until they have begun to move.
MapProgress = Callable[[float, Tensor | None], None]

METRICS = ("euclidean", "cosine")
# More rows than this are to be sampled. On one core, of 768 columns: t-SNE in 2-D takes 18 s for 5,000 and 34 s for
# 10,000, in 3-D 30 s and 100 s; UMAP in 2-D 10 s and 31 s. The neighbours are a good part of it.
MAX_POINTS = 10_000

# Rows whose neighbours are found between two reports: 256 among 10,000 x 768 take about 0.1 s.
_ROWS_AT_ONCE = 256
# Of the first picture's spread along its widest axis: enough to part points that begin in one place.
_JITTER = 0.01


@dataclass(frozen=True, eq=False, slots=True)
class Start:
    """The nearest others of each row and the first layout.

    Attributes:
        ids: (n_samples, k) int64, the nearest other rows, the nearest first.
        distances: (n_samples, k) float64, at least 0: Euclidean, or 1 less the cosine.
        points: (n_samples, n_components) float64, centred; the first axis has standard deviation 1.
    """

    ids: NDArray[np.int64]
    distances: NDArray[np.float64]
    points: NDArray[np.float64]


def check_map(x: Table, *, n_components: int, metric: str) -> None:
    """Raise ValueError if no map can be made of a table."""
    if x.ndim != 2:
        raise ValueError(f"x has shape {tuple(x.shape)}: it must be (n_samples, n_features)")
    if len(x) > MAX_POINTS:
        raise ValueError(f"n_samples={len(x)} must be at most MAX_POINTS={MAX_POINTS}: take a sample of the rows")
    if n_components not in (2, 3):
        raise ValueError(f"n_components={n_components} must be 2 or 3")
    if n_components > x.shape[1]:
        raise ValueError(f"n_components={n_components} must be at most n_features={x.shape[1]}")
    if metric not in METRICS:
        raise ValueError(f"metric={metric!r} must be one of {', '.join(METRICS)}")


def find_start(
    x: Table, *, k: int, n_components: int, metric: str, seed: int, report: Callable[[float], None]
) -> Start:
    """Find the nearest others of each row, and the first layout, whatever the number of threads."""
    rows = _float_rows(x)
    points = _first_layout(rows, n_components, metric, seed)  # first: it finds bad entries at once
    norms = row_norms(rows)
    blocks = []
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        own = torch.arange(start, min(start + _ROWS_AT_ONCE, len(rows)))
        blocks.append(nearest_neighbours(rows, rows[own], k, metric, exclude=own, row_norms=norms))
        report((int(own[-1]) + 1) / len(rows))
    similarities = torch.cat([neighbours.similarities for neighbours in blocks]).double().numpy()  # (n_samples, k)
    distances = 1 - similarities if metric == "cosine" else -similarities
    return Start(
        ids=torch.cat([neighbours.ids for neighbours in blocks]).numpy(),
        distances=np.maximum(distances, 0.0),
        points=points,
    )


def _float_rows(x: Table) -> Tensor:
    """Return the rows on the CPU in float32, or float64 if they are; a map has few enough of them."""
    rows = x.detach().cpu() if isinstance(x, Tensor) else torch.from_numpy(np.ascontiguousarray(x))
    return rows if rows.dtype == torch.float64 else rows.to(torch.float32)


def _first_layout(rows: Tensor, n_components: int, metric: str, seed: int) -> NDArray[np.float64]:
    """Return the first principal components with a little jitter, (n_samples, n_components)."""
    if metric == "cosine":
        rows = torch.nn.functional.normalize(rows, dim=1, eps=torch.finfo(rows.dtype).tiny)  # zeros stay zeros
    pca = fit_pca(rows, n_components=n_components)
    points = pca.transform(rows).double().numpy()  # (n_samples, n_components)
    points -= points.mean(axis=0)
    spread = float(points[:, 0].std())
    length = float(torch.linalg.vector_norm(rows)) / math.sqrt(len(rows))  # of a typical row
    if spread <= 4 * torch.finfo(rows.dtype).eps * length:  # then they differ by rounding
        same = "point the same way" if metric == "cosine" else "are equal"
        raise ValueError(f"all n_samples={len(rows)} rows of x {same}: there is nothing to map")
    jitter = np.random.default_rng(seed).normal(scale=_JITTER, size=points.shape)
    return np.asarray(points / spread + jitter, dtype=np.float64)
