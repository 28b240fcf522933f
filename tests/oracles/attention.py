"""Attention written as plain loops over Python numbers: slow, and with nothing in common with the library."""

import math
from collections.abc import Callable

import torch
from torch import Tensor


def loop_logits(q: Tensor, k: Tensor, logit: Callable[[int, int, int], float], *, causal: bool) -> Tensor:
    """Ask `logit(head, i, j)` for every pair; q and k are (n_heads, seq_len, head_dim)."""
    n_heads, seq_len, _ = q.shape
    logits = [
        [[logit(head, i, j) if j <= i or not causal else -math.inf for j in range(seq_len)] for i in range(seq_len)]
        for head in range(n_heads)
    ]
    return torch.tensor(logits, dtype=torch.float64)


def loop_attend(logits: Tensor, value: Callable[[int, int, int], Tensor]) -> Tensor:
    """Mix `value(head, i, j)`, (head_dim,) each, by the softmax of every row of the logits."""
    mixed = []
    for head, rows in enumerate(logits.tolist()):
        for i, row in enumerate(rows):
            weights = [math.exp(logit) for logit in row]
            total = sum(weights)
            values = [value(head, i, j).tolist() for j in range(len(row))]
            shares = [
                [weight / total * entry for entry in entries] for weight, entries in zip(weights, values, strict=True)
            ]
            mixed.append([sum(column) for column in zip(*shares, strict=True)])
    n_heads, seq_len, _ = logits.shape
    return torch.tensor(mixed, dtype=torch.float64).reshape(n_heads, seq_len, -1)


def dot(a: Tensor, b: Tensor) -> float:
    """Multiply and add, one entry at a time."""
    return sum(x * y for x, y in zip(a.tolist(), b.tolist(), strict=True))
