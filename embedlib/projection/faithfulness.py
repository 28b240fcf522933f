"""Faithfulness of a map: how far its neighbourhoods are those of the table."""

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from embedlib.neighbours.blocks import Table, take_rows
from embedlib.neighbours.search import METRICS, nearest_neighbours
from embedlib.random import sample_rows


class SampledFaithfulness(NamedTuple):
    """Faithfulness of a map, estimated from a sample of rows.

    Attributes:
        share: mean share of a row's k nearest in the table that are among its k nearest in the map, in [0, 1].
        chance: the share for random points, k / (n_rows - 1).
        n_sampled: the number of rows in the sample.
    """

    share: float
    chance: float
    n_sampled: int


def trustworthiness(table: Table, points: Table, *, k: int = 10, metric: str = "euclidean") -> float:
    """Trustworthiness of a map: 1 where all k nearest points are nearest rows too.

    Each of a point's k nearest that is no true neighbour counts by its true rank. scikit-learn ranks all rows from all
    others, about 24 n_rows² bytes at once: past some 5,000 rows see sampled_faithfulness.

    Args:
        table: (n_rows, d) finite.
        points: (n_rows, n_dimensions) finite, where its rows are shown; near is by Euclidean distance there.
        k: at least 1, less than n_rows / 2.
        metric: what near means in the table: "cosine", "dot" or "euclidean".

    Returns:
        In [0, 1]; about 0.5 for random points.

    Raises:
        ValueError: table and points of different lengths, k or metric out of range, or entries that are not finite.

    Source: Venna and Kaski 2001, Neighborhood preservation in nonlinear projection methods, §2, eq. 1.

    >>> from embedlib import trustworthiness
    >>> table = torch.arange(40.0)[:, None].square()
    >>> trustworthiness(table, table, k=3)
    1.0
    """
    from sklearn.manifold import trustworthiness as of_distances  # takes a second to import

    _check_tables(table, points, k, metric, most=(len(table) - 1) // 2)
    return float(of_distances(_as_distances(table, metric), _as_distances(points, "euclidean"), n_neighbors=k))


def _as_distances(x: Table, metric: str) -> NDArray[np.float64]:
    """Return rows whose Euclidean distances have the order of the metric, (n_rows, d or more).

    Among rows of one length, products have the order of distances. Unit rows are, but for zeros; others get a
    coordinate of their own that makes them equally long and changes no product.
    """
    rows: NDArray[np.float64] = np.asarray(x.detach().cpu().double() if isinstance(x, Tensor) else x, dtype=np.float64)
    if metric == "euclidean":
        return np.asarray(rows - rows.mean(axis=0))  # smaller numbers, whose distances lose fewer digits
    if metric == "cosine":
        rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.finfo(np.float64).tiny)
    squares = np.vecdot(rows, rows)
    missing = squares.max() - squares
    missing[missing < 1e-12 * squares.max()] = 0  # rounding
    return np.hstack([rows, np.diag(np.sqrt(missing))[:, missing > 0]])


def kept_neighbours(true_ids: Tensor, shown_ids: Tensor) -> Tensor:
    """Return the share of each row's true neighbours that are neighbours in the map too.

    Args:
        true_ids: (n_rows, k) ids, none twice in a row, as nearest_neighbours gives them for the table.
        shown_ids: (n_rows, any number) ids for the same rows, as it gives them for the points.

    Returns:
        (n_rows,) float32 in [0, 1], on the device of true_ids.

    Raises:
        ValueError: another shape, or no true neighbours.

    >>> from embedlib import kept_neighbours
    >>> kept_neighbours(torch.tensor([[1, 2], [0, 2]]), torch.tensor([[2, 1], [2, 3]])).tolist()
    [1.0, 0.5]
    """
    if true_ids.ndim != 2 or shown_ids.ndim != 2 or len(true_ids) != len(shown_ids) or not true_ids.shape[1]:
        raise ValueError(
            f"true_ids has shape {tuple(true_ids.shape)} and shown_ids {tuple(shown_ids.shape)}: "
            "both must be (n_rows, k) with as many rows, and k at least 1"
        )
    column_ids = shown_ids.to(true_ids.device)
    kept = torch.zeros(true_ids.shape, dtype=torch.bool, device=true_ids.device)
    for column in range(column_ids.shape[1]):  # no (n_rows, k, k)
        kept |= true_ids == column_ids[:, column, None]
    return kept.float().mean(dim=1)


def sampled_faithfulness(
    table: Table, points: Table, *, k: int = 10, n_samples: int = 1000, metric: str = "euclidean", seed: int = 0
) -> SampledFaithfulness:
    """Measure the share of true neighbours that a map keeps, for a sample of the rows.

    Args:
        table: (n_rows, d) finite.
        points: (n_rows, n_dimensions) finite, where its rows are shown.
        k: in [1, n_rows - 1].
        n_samples: at least 1; from n_rows on, every row is in the sample.
        metric: what near means in the table: "cosine", "dot" or "euclidean".
        seed: at least 0; chooses the rows as sample_rows does.

    Returns:
        SampledFaithfulness; the share's standard error is at most 0.5 / sqrt(n_sampled).

    Raises:
        ValueError: table and points of different lengths, k or n_samples out of range, or as for nearest_neighbours.

    >>> from embedlib import sampled_faithfulness
    >>> table = torch.arange(40.0)[:, None].square()
    >>> sampled_faithfulness(table, table, k=3).share
    1.0
    """
    _check_tables(table, points, k, metric, most=len(table) - 1)
    if n_samples < 1:
        raise ValueError(f"n_samples={n_samples} must be at least 1")
    rows = sample_rows(len(table), n_samples, seed=seed)
    true_ids, shown_ids = (
        nearest_neighbours(x, take_rows(x, rows), k, by, exclude=rows).ids.cpu()
        for x, by in ((table, metric), (points, "euclidean"))
    )
    share = float(kept_neighbours(true_ids, shown_ids).double().mean())
    return SampledFaithfulness(share=share, chance=k / (len(table) - 1), n_sampled=len(rows))


def _check_tables(table: Table, points: Table, k: int, metric: str, *, most: int) -> None:
    if len(table) != len(points):
        raise ValueError(f"points has {len(points)} rows: it must have one for each of the table's {len(table)}")
    if metric not in METRICS:
        raise ValueError(f"metric={metric!r} must be one of {', '.join(METRICS)}")
    if not 1 <= k <= most:
        raise ValueError(f"k={k} must be between 1 and {most} for {len(table)} rows")
