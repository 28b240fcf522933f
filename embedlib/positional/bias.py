"""Biases that depend on the distance alone: one value for each distance, laid out as a matrix."""

import torch
from torch import Tensor


def signed_distances(seq_len: int, *, dtype: torch.dtype | None = None, device: torch.device | None = None) -> Tensor:
    """Return all distances, query minus key, among seq_len positions: 1 - seq_len … seq_len - 1."""
    return torch.arange(1 - seq_len, seq_len, dtype=dtype, device=device)


def along_diagonals(by_distance: Tensor) -> Tensor:
    """Return a square with one value on each diagonal: entry (i, j) is the value of distance i - j.

    (…, 2·seq_len - 1) to (…, seq_len, seq_len) without a matrix of indices, which at 2,048 positions would take 34 MB.
    """
    seq_len = (by_distance.shape[-1] + 1) // 2
    return by_distance.unfold(-1, seq_len, 1).flip(-1)  # row i: distances i - seq_len + 1 … i, then reversed
