"""UMAP: a map that keeps each row beside its neighbours, and more of the clusters' arrangement than t-SNE."""

import threading
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from embedlib.neighbours.blocks import Table
from embedlib.progress import ignore_progress
from embedlib.projection.map_init import MapProgress, Start, check_map, find_start

N_EPOCHS = 500  # umap-learn's own number for up to 10,000 rows
# Epochs between two reports: about 0.1 s apart at 5,000 rows.
_REPORT_EVERY = 5
# Share of the whole time that it takes to find the neighbours.
_NEIGHBOURS_SHARE = 0.2
# umap-learn weighs the graph on several threads; where Numba has but its own way to run them, that must not be entered
# twice at a time.
_weighing = threading.Lock()


def umap_available() -> bool:
    """Return whether umap-learn is installed, without loading it."""
    return find_spec("umap") is not None


def umap(
    x: Table,
    *,
    n_components: int = 2,
    n_neighbors: int = 15,
    min_dist: float = 0.1,
    seed: int = 0,
    metric: str = "euclidean",
    progress: MapProgress | None = None,
) -> Tensor:
    """Map rows to 2 or 3 dimensions by UMAP, so that neighbours in the full space are neighbours in the map.

    umap-learn weighs the neighbours and moves the points; the neighbours are exact and the first layout is PCA's. The
    points move on one core: the same arguments give the same bits on one machine. (n_samples, n_components) float32 on
    the CPU; distances between clusters mean little.

    Args:
        x: (n_samples, n_features) finite floats, at most MAX_POINTS rows. Equal rows end up close together.
        n_neighbors: number of neighbours of each row, itself included; in [2, n_samples].
        min_dist: least distance of points in the map; in [0, 0.99].
        seed: of the jitter (1 % of the spread) by which the first layout differs from the PCA, and of the repelling
            pairs.
        metric: "euclidean", or "cosine" (1 less the cosine; a row of zeros is at 1 from all others).
        progress: called with (share, points) many times a second; an exception from it, such as Cancelled, stops the
            work within about a second and leaves nothing running. The first call in a process compiles umap-learn: for
            some seconds share stays 0, and an exception is delayed. points is None until the points move.

    Raises:
        ImportError: umap-learn is not installed.
        ValueError: an argument out of its range, entries that are not finite, or all rows equal.

    Source: McInnes, Healy & Melville 2018, https://arxiv.org/abs/1802.03426
    """
    check_map(x, n_components=n_components, metric=metric)
    _check_settings(len(x), n_neighbors, min_dist)
    if not umap_available():
        raise ImportError("UMAP needs umap-learn, which is not installed: pip install umap-learn==0.5.12")
    report = progress or ignore_progress
    report(0.0, None)
    _compile()
    report(0.0, None)
    start = find_start(
        x,
        k=n_neighbors - 1,
        n_components=n_components,
        metric=metric,
        seed=seed,
        report=lambda share: report(_NEIGHBOURS_SHARE * share, None),
    )
    points = _initial_points(start)

    def on_epoch(done: int) -> None:
        if done % _REPORT_EVERY == 0:
            share = _NEIGHBOURS_SHARE + (1 - _NEIGHBOURS_SHARE) * done / N_EPOCHS
            report(share, torch.from_numpy(points.copy()))

    _move(points, _graph(start), min_dist=min_dist, n_epochs=N_EPOCHS, seed=seed, on_epoch=on_epoch)
    return torch.from_numpy(points)


def _initial_points(start: Start) -> NDArray[np.float32]:
    """Return the first layout in UMAP's initial size: 10 along the longest side."""
    low = start.points.min(axis=0)
    return np.asarray(10 * (start.points - low) / np.ptp(start.points, axis=0).max(), dtype=np.float32, order="C")


def _graph(start: Start) -> Any:
    """Return the weights of neighbours, a sparse (n_samples, n_samples) matrix in coordinates."""
    from umap.umap_ import fuzzy_simplicial_set

    n_samples, k = start.ids.shape
    ids = np.column_stack([np.arange(n_samples), start.ids]).astype(np.int32)  # (n_samples, n_neighbors)
    distances = np.column_stack([np.zeros(n_samples), start.distances]).astype(np.float32)
    with _weighing:
        # Of the table only its length is read, since the neighbours are given.
        graph, _, _ = fuzzy_simplicial_set(start.points, k + 1, None, "euclidean", knn_indices=ids, knn_dists=distances)
    return graph.tocoo()


def _move(
    points: NDArray[np.float32],
    graph: Any,
    *,
    min_dist: float,
    n_epochs: int,
    seed: int,
    on_epoch: Callable[[int], None],
) -> None:
    """Optimise the layout in place. `on_epoch` is called after each epoch; raise in it to cancel."""
    from umap.umap_ import find_ab_params, make_epochs_per_sample

    a, b = find_ab_params(1.0, min_dist)
    # An edge so weak that its turn never comes is left out.
    kept = graph.data >= graph.data.max() / n_epochs
    every = make_epochs_per_sample(graph.data[kept], n_epochs)  # (n_edges,) epochs between an edge's turns
    every_negative = every / 5  # five pairs repel for one that attracts
    next_turn, next_negative = every.copy(), every_negative.copy()
    states = _random_state(seed) + points[:, :1].astype(np.float64).view(np.int64)  # (n_samples, 3), as umap-learn does
    none = np.zeros(1, dtype=np.float32)
    no_density = (False, none, none, 0, 0, 0, 0, none, none, 0)
    edges = (graph.row[kept], graph.col[kept], len(points), every, a, b, states, 1.0, points.shape[1], True)
    epoch = _epoch()
    for done in range(n_epochs):
        rate = 1 - max(done - 1, 0) / n_epochs  # falls one epoch late, as in umap-learn
        epoch(points, points, *edges, rate, every_negative, next_negative, next_turn, done, *no_density)
        on_epoch(done + 1)


def _random_state(seed: int) -> NDArray[np.int64]:
    """Return three 32-bit numbers, the state of umap-learn's own generator, (3,)."""
    limit = np.iinfo(np.int32).max - 1
    return np.random.default_rng(seed).integers(-limit, limit, size=3)


@cache
def _epoch() -> Callable[..., None]:
    """Return umap-learn's one epoch, compiled to run without the GIL."""
    import numba
    from umap import layouts

    compiled: Callable[..., None] = numba.njit(nogil=True, fastmath=True)(
        layouts._optimize_layout_euclidean_single_epoch
    )
    return compiled


@cache
def _compile() -> None:
    """Compile umap-learn on four points, which takes some seconds once in a process."""
    corners = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.float64)
    start = Start(np.array([[1], [0], [3], [2]]), np.ones((4, 1)), corners)
    _move(_initial_points(start), _graph(start), min_dist=0.1, n_epochs=1, seed=0, on_epoch=lambda _: None)


def _check_settings(n_samples: int, n_neighbors: int, min_dist: float) -> None:
    if n_samples < 3:
        raise ValueError(f"n_samples={n_samples} must be at least 3")
    if not 2 <= n_neighbors <= n_samples:
        raise ValueError(f"n_neighbors={n_neighbors} must be between 2 and n_samples={n_samples}")
    if not 0 <= min_dist <= 0.99:
        raise ValueError(f"min_dist={min_dist:g} must be between 0 and 0.99")
