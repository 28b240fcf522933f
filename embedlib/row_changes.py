"""How far rows have moved between two moments of a training, and whether often met words moved farther."""

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, eq=False)
class RowChanges:
    """What has moved.

    Attributes:
        moves: (n_rows,) float32 Euclidean distances, at least 0.
        order: (n_rows,) int64, the rows that moved most first; of equal ones the lower first.
    """

    moves: Tensor
    order: Tensor


def row_changes(before: Tensor, after: Tensor) -> RowChanges:
    """Measure how far each row has moved.

    Args:
        before: (n_rows, d_model) finite floats, on any device.
        after: the same rows later.

    Returns:
        RowChanges on the CPU.

    Raises:
        ValueError: another shape, or not two-dimensional.
    """
    if before.ndim != 2 or before.shape != after.shape:
        raise ValueError(f"before {tuple(before.shape)} and after {tuple(after.shape)} must be (n_rows, d_model) both")
    way = after.detach().cpu().double() - before.detach().cpu().double()  # (n_rows, d_model)
    moves = torch.linalg.vector_norm(way, dim=1).float()
    return RowChanges(moves, moves.argsort(descending=True, stable=True))


def rank_correlation(x: Tensor, y: Tensor) -> float:
    """Tell whether what is great in x is great in y too, whatever the units of both: Spearman's rho.

    Args:
        x: (n,) finite numbers, n at least 2.
        y: (n,) the same.

    Returns:
        In [-1, 1]: 1 where both rise together, -1 where one falls as the other rises; nan where all of one are equal.

    Raises:
        ValueError: other shapes, or fewer than two numbers.

    Source: Spearman 1904, The Proof and Measurement of Association between Two Things; equal values share the mean of
        their ranks.
    """
    if x.ndim != 1 or x.shape != y.shape or len(x) < 2:
        raise ValueError(f"x {tuple(x.shape)} and y {tuple(y.shape)} must be (n,) both, with n at least 2")
    first, second = _mean_ranks(x), _mean_ranks(y)
    first, second = first - first.mean(), second - second.mean()
    return float(((first * second).sum() / (first.square().sum() * second.square().sum()).sqrt()).clamp(-1, 1))


def _mean_ranks(values: Tensor) -> Tensor:
    """Return the rank of each value, (n,) float64; equal ones share the mean of theirs."""
    _, which, counts = torch.unique(values.detach().cpu().double(), return_inverse=True, return_counts=True)
    last = counts.cumsum(dim=0).double()  # the rank of the last of equal values
    ranks: Tensor = (last - (counts.double() - 1) / 2)[which]
    return ranks
