"""t-SNE: a map that keeps each row beside its neighbours, but not the distances between clusters."""

import math

import numpy as np
import torch
from torch import Tensor

from embedlib.neighbours.blocks import Table
from embedlib.progress import ignore_progress
from embedlib.projection.map_init import MapProgress, check_map, find_start

# Iterations in which attraction is exaggerated, so that crowds form before they spread: openTSNE's numbers.
_EARLY = 250
_EXAGGERATION = 12
# Iterations between two reports: at most 0.6 s apart (10,000 rows in 3-D on one core).
_REPORT_EVERY = 5
# From here on in 2-D, repulsion by Fourier transform is quicker than by a tree: 21 s, not 39 s at 10,000.
_FOURIER_FROM = 5_000
# Share of the whole time that it takes to find the neighbours.
_NEIGHBOURS_SHARE = 0.2


def largest_perplexity(n_samples: int) -> float:
    """Return the greatest perplexity for a number of rows: a third of the others; below 2 there is none."""
    return (n_samples - 1) / 3


def tsne(
    x: Table,
    *,
    n_components: int = 2,
    perplexity: float = 30.0,
    n_iter: int = 750,
    seed: int = 0,
    metric: str = "euclidean",
    progress: MapProgress | None = None,
) -> Tensor:
    """Map rows to 2 or 3 dimensions by t-SNE, so that neighbours in the full space are neighbours in the map.

    Neighbours are exact, the first layout is PCA's, and everything runs on one core beside the neighbours' products:
    the same arguments give the same bits on one machine. (n_samples, n_components) float32 on the CPU, centred; only
    neighbourhoods are meaningful.

    Args:
        x: (n_samples, n_features) finite floats, at most MAX_POINTS rows. Equal rows end up close together.
        perplexity: effective number of neighbours of each row; in [2, largest_perplexity(n_samples)].
        n_iter: steps of the descent, at least 50; the first third, up to 250, with exaggerated attraction.
        seed: of the jitter (1 % of the spread) by which the first layout differs from the PCA.
        metric: "euclidean", or "cosine" (1 less the cosine; a row of zeros is at 1 from all others).
        progress: called with (share, points) many times a second; an exception from it, such as Cancelled, stops the
            work within about a second and leaves nothing running. points is None during the search for neighbours.

    Source: van der Maaten & Hinton 2008, https://jmlr.org/papers/v9/vandermaaten08a.html; PCA as the start and learning
    rate n_samples / exaggeration: Kobak & Berens 2019, https://doi.org/10.1038/s41467-019-13056-x
    """
    check_map(x, n_components=n_components, metric=metric)
    _check_settings(len(x), perplexity, n_iter)
    report = progress or ignore_progress
    report(0.0, None)
    start = find_start(
        x,
        k=math.ceil(3 * perplexity),
        n_components=n_components,
        metric=metric,
        seed=seed,
        report=lambda share: report(_NEIGHBOURS_SHARE * share, None),
    )
    # Only a map needs them: 1.4 s, most of it scikit-learn.
    from openTSNE.affinity import PerplexityBasedNN
    from openTSNE.nearest_neighbors import PrecomputedNeighbors
    from openTSNE.tsne import TSNEEmbedding

    affinities = PerplexityBasedNN(
        perplexity=perplexity, knn_index=PrecomputedNeighbors(start.ids, start.distances), n_jobs=1
    )
    by_fourier = n_components == 2 and len(x) >= _FOURIER_FROM
    points = TSNEEmbedding(
        start.points * 1e-4, affinities, negative_gradient_method="fft" if by_fourier else "bh", n_jobs=1
    )
    early = min(_EARLY, n_iter // 3)
    for done, steps, exaggeration in ((0, early, _EXAGGERATION), (early, n_iter - early, 1)):

        def report_step(step: int, _error: float, now: "np.ndarray", done: int = done) -> None:
            share = (done + step) / n_iter
            report(_NEIGHBOURS_SHARE + (1 - _NEIGHBOURS_SHARE) * share, _copy_points(now))

        points.optimize(
            steps,
            exaggeration=exaggeration,
            momentum=0.8,
            inplace=True,
            callbacks=report_step,
            callbacks_every_iters=_REPORT_EVERY,
        )
    placed = _copy_points(points)
    report(1.0, placed.clone())
    return placed


def _copy_points(points: "np.ndarray") -> Tensor:
    """Copy the moving points, (n_samples, n_components) float32."""
    return torch.from_numpy(np.array(points, dtype=np.float32))


def _check_settings(n_samples: int, perplexity: float, n_iter: int) -> None:
    most = largest_perplexity(n_samples)
    if most < 2:
        raise ValueError(f"n_samples={n_samples} must be at least 7: with fewer rows no perplexity is possible")
    if not 2 <= perplexity <= most:
        raise ValueError(
            f"perplexity={perplexity:g} must be between 2 and {most:g}, a third of n_samples={n_samples} less 1"
        )
    if n_iter < 50:
        raise ValueError(f"n_iter={n_iter} must be at least 50: with fewer steps no picture forms")
