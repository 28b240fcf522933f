"""How far the neighbourhoods in a picture are those of the table it was made from."""

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from embedlib.neighbours.bounds import blocks_of, take_rows
from embedlib.neighbours.search import METRICS, Progress, Table, nearest_neighbours
from embedlib.random import sample_rows

# Distances from some rows to all are held at once, this many: 64 MB in float64.
_DISTANCES = 2**23


class SampledFaithfulness(NamedTuple):
    """What a sample of rows says about a picture.

    Attributes:
        share: mean share of a row's k nearest in the table that are among its k nearest in the picture, in [0, 1].
        chance: what points strewn at random would have, k / (n_rows - 1).
        n_sampled: the number of rows asked.
    """

    share: float
    chance: float
    n_sampled: int


def trustworthiness(
    table: Table, points: Table, *, k: int = 10, metric: str = "euclidean", progress: Progress | None = None
) -> float:
    """Say how far to trust what is close in the picture: 1 where all k nearest points are nearest rows too.

    Every stranger among a point's k nearest counts by how far down the row's true order it stands. All rows are ranked
    from all others, n_rows² d operations in float64, in about 200 MB: past some 20,000 rows see sampled_faithfulness.

    Args:
        table: (n_rows, d) finite, what was pictured.
        points: (n_rows, n_dimensions) finite, where its rows are shown; near is by Euclidean distance there.
        k: at least 1, less than n_rows / 2.
        metric: what near means in the table: "cosine", "dot" or "euclidean".
        progress: called with the share done, rising to 1; may raise to cancel.

    Returns:
        In [0, 1]; about 0.5 for points strewn at random.

    Raises:
        ValueError: table and points of different lengths, k out of range, or as for nearest_neighbours.

    Source: Venna and Kaski 2001, Neighborhood preservation in nonlinear projection methods, §2, eq. 1.
    """
    _check(table, points, k, metric, most=(len(table) - 1) // 2)
    return _agreement(table, metric, points, "euclidean", k, progress)


def continuity(
    table: Table, points: Table, *, k: int = 10, metric: str = "euclidean", progress: Progress | None = None
) -> float:
    """Say how far what is close in the table stays close in the picture: trustworthiness with the two exchanged.

    Every one of a row's k nearest that the picture has moved away counts by how far down the picture's order it stands.
    Args, Returns and Raises are those of trustworthiness.

    Source: Venna and Kaski 2001, §2, eq. 2.
    """
    _check(table, points, k, metric, most=(len(table) - 1) // 2)
    return _agreement(points, "euclidean", table, metric, k, progress)


def kept_neighbours(true_ids: Tensor, shown_ids: Tensor) -> Tensor:
    """Return the share of each row's true neighbours that are neighbours in the picture too.

    Args:
        true_ids: (n_rows, k) ids, none twice in a row, as nearest_neighbours gives them for the table.
        shown_ids: (n_rows, any number) ids for the same rows, as it gives them for the points.

    Returns:
        (n_rows,) float32 in [0, 1], on the device of true_ids.

    Raises:
        ValueError: another shape, or no true neighbours.
    """
    if true_ids.ndim != 2 or shown_ids.ndim != 2 or len(true_ids) != len(shown_ids) or not true_ids.shape[1]:
        raise ValueError(
            f"true_ids has shape {tuple(true_ids.shape)} and shown_ids {tuple(shown_ids.shape)}: "
            "both must be (n_rows, k) with as many rows, and k at least 1"
        )
    shown = shown_ids.to(true_ids.device)
    kept = torch.zeros(true_ids.shape, dtype=torch.bool, device=true_ids.device)
    for column in range(shown.shape[1]):  # no (n_rows, k, k)
        kept |= true_ids == shown[:, column, None]
    return kept.float().mean(dim=1)


def sampled_faithfulness(
    table: Table, points: Table, *, k: int = 10, n_samples: int = 1000, metric: str = "euclidean", seed: int = 0
) -> SampledFaithfulness:
    """Measure the share of true neighbours that a picture keeps, for some rows among all of them.

    Args:
        table: (n_rows, d) finite, what was pictured.
        points: (n_rows, n_dimensions) finite, where its rows are shown.
        k: in [1, n_rows - 1].
        n_samples: at least 1; from n_rows on, every row is asked.
        metric: what near means in the table: "cosine", "dot" or "euclidean".
        seed: at least 0; chooses the rows as sample_rows does.

    Returns:
        SampledFaithfulness; the share's standard error is at most 0.5 / sqrt(n_sampled).

    Raises:
        ValueError: table and points of different lengths, k or n_samples out of range, or as for nearest_neighbours.
    """
    _check(table, points, k, metric, most=len(table) - 1)
    if n_samples < 1:
        raise ValueError(f"n_samples={n_samples} must be at least 1")
    rows = sample_rows(len(table), n_samples, seed=seed)
    true_ids, shown_ids = (
        nearest_neighbours(x, take_rows(x, rows), k, by, exclude=rows).ids.cpu()
        for x, by in ((table, metric), (points, "euclidean"))
    )
    share = float(kept_neighbours(true_ids, shown_ids).double().mean())
    return SampledFaithfulness(share=share, chance=k / (len(table) - 1), n_sampled=len(rows))


def _agreement(ranked: Table, ranked_by: str, near: Table, near_by: str, k: int, progress: Progress | None) -> float:
    """Return 1 less the normed sum, over each row's k nearest in `near`, of their ranks in `ranked` beyond k."""
    n_rows = len(ranked)
    step = max(_DISTANCES // n_rows, 1)
    beyond = 0
    for start in range(0, n_rows, step):
        rows = np.arange(start, min(start + step, n_rows))
        at = slice(start, start + len(rows))
        ids = nearest_neighbours(near, near[at], k, near_by, exclude=rows).ids.cpu()  # (step, k)
        farness = _farness(ranked, at, ranked_by)  # (step, n_rows)
        farness[
            torch.arange(len(rows)), torch.from_numpy(rows)
        ] = -torch.inf  # itself: closer than all, and not counted
        for column in ids.T:
            limit = farness.gather(1, column[:, None])  # (step, 1)
            closer = torch.count_nonzero(farness < limit, dim=1)  # itself among them, so that this is the rank
            beyond += int((closer - k).clamp(min=0).sum())
        if progress is not None:
            progress((start + len(rows)) / n_rows)
    return 1 - 2 * beyond / (n_rows * k * (2 * n_rows - 3 * k - 1))


def _farness(table: Table, at: slice, metric: str) -> Tensor:
    """Return what orders all rows from nearest to farthest for rows [at], (n_queries, n_rows) float64 on the CPU."""
    asked = _as_float64(table[at])
    farness = torch.empty(len(asked), len(table), dtype=torch.float64)
    for rows in blocks_of(table):
        block = rows.exact.cpu().double()
        here = farness[:, rows.start : rows.start + len(block)]
        if metric == "euclidean":
            here.copy_(torch.cdist(asked, block))
        elif metric == "dot":
            here.copy_(asked @ block.T).neg_()
        else:
            here.copy_(_units(asked) @ _units(block).T).neg_()
    return farness


def _units(x: Tensor) -> Tensor:
    """Scale rows to length 1; rows of zeros stay."""
    return torch.nn.functional.normalize(x, dim=1, eps=torch.finfo(x.dtype).tiny)


def _as_float64(x: Table) -> Tensor:
    """Return a copy on the CPU."""
    return x.detach().cpu().double() if isinstance(x, Tensor) else torch.from_numpy(x.astype(np.float64))


def _check(table: Table, points: Table, k: int, metric: str, *, most: int) -> None:
    if len(table) != len(points):
        raise ValueError(f"points has {len(points)} rows: it must have one for each of the table's {len(table)}")
    if metric not in METRICS:
        raise ValueError(f"metric={metric!r} must be one of {', '.join(METRICS)}")
    if not 1 <= k <= most:
        raise ValueError(f"k={k} must be between 1 and {most} for {len(table)} rows")
