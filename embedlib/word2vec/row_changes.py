"""How far rows have moved between two moments of a training."""

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
