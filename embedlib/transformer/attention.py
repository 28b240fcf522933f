"""Attention of one layer with random weights, the same for every scheme."""

import torch
from torch import Tensor


def random_qk(rows: Tensor, n_heads: int, seed: int) -> tuple[Tensor, Tensor]:
    """Project rows to queries and keys, each (…, n_heads, seq_len, head_dim), by two random matrices.

    W_q and W_k are normal(0, 1/sqrt(d_model)), drawn in float32 on the CPU from the seed alone: every scheme and every
    number of heads has the same two, and rows of unit variance give queries and keys of unit variance.
    """
    check_rows(rows)
    d_model = rows.shape[-1]
    if n_heads < 1 or d_model % n_heads:
        divisors = ", ".join(str(number) for number in range(1, d_model + 1) if d_model % number == 0)
        raise ValueError(f"n_heads={n_heads} must divide d_model={d_model}: choose among {divisors}")
    generator = torch.Generator().manual_seed(seed)
    weights = torch.empty(2, d_model, d_model, dtype=torch.float32).normal_(std=d_model**-0.5, generator=generator)
    w_q, w_k = weights.to(rows)  # (d_model, d_model) each
    return split_heads(rows @ w_q, n_heads), split_heads(rows @ w_k, n_heads)


def split_heads(x: Tensor, n_heads: int) -> Tensor:
    """Cut each row into heads: (…, seq_len, d_model) to (…, n_heads, seq_len, head_dim)."""
    return x.reshape(*x.shape[:-1], n_heads, x.shape[-1] // n_heads).transpose(-3, -2)


def join_heads(x: Tensor) -> Tensor:
    """Join heads: (…, n_heads, seq_len, head_dim) to (…, seq_len, d_model)."""
    return x.transpose(-3, -2).flatten(-2)


def check_rows(rows: Tensor) -> None:
    """Raise ValueError unless rows are floating point (…, seq_len, d_model) with at least one position."""
    if rows.ndim < 2 or rows.shape[-2] < 1 or not rows.is_floating_point():
        raise ValueError(
            f"rows is {rows.dtype} of shape {tuple(rows.shape)}: it must be floating point of shape "
            "(…, seq_len, d_model), with at least 1 position"
        )
