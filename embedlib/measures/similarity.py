"""How alike positions look: the similarity matrix, its diagonals and their trend."""

import torch
from torch import Tensor

from embedlib.measures.context import MeasureContext, has_positions
from embedlib.measures.similarity_matrix import mean_by_distance
from embedlib.positional import PositionalScheme
from embedlib.transformer.encoder import float64_copy

# Less spread than this share of the greatest entry is rounding: the matrix is constant.
_CONSTANT = 1e-12


def similarity_matrix(scheme: PositionalScheme, seq_len: int) -> Tensor | None:
    """Return the scheme's own ``similarity`` in float64.

    Args:
        scheme: any.
        seq_len: number of positions, at least 1.

    Returns:
        (seq_len, seq_len) float64 on the CPU; None, not defined, where the scheme has none (it depends on the content)
        or has not so many positions.

    Raises:
        ValueError: seq_len below 1.
    """
    if seq_len < 1:
        raise ValueError(f"seq_len={seq_len} must be at least 1")
    if not has_positions(scheme, seq_len):
        return None
    try:
        return float64_copy(scheme).similarity(seq_len)
    except ValueError:  # a scheme's word for "not defined"
        return None


def similarity_profile(scheme: PositionalScheme, seq_len: int) -> Tensor | None:
    """Return the mean similarity of positions by their distance, keys before the query.

    Args:
        scheme: any.
        seq_len: number of positions, at least 1.

    Returns:
        (seq_len,) float64, entry delta the mean over all queries that have a key delta before them, in the scheme's own
        unit; None, not defined, where ``similarity_matrix`` is.

    Raises:
        ValueError: seq_len below 1.
    """
    matrix = similarity_matrix(scheme, seq_len)
    return None if matrix is None else mean_by_distance(matrix)


def toeplitz_r2(scheme: PositionalScheme, context: MeasureContext) -> float | None:
    """Return how much of the similarity matrix is told by the distance alone: R² of its diagonals' means.

    Args:
        scheme: any.
        context: its seq_len counts.

    Returns:
        In [0, 1]; 1 where every diagonal is constant. Not defined (None) where there is no similarity matrix, and
        where it is constant, as for "none" or for one position: there is no variance to explain. Where a scheme
        is causal only, keys after the query do not count.
    """
    matrix = similarity_matrix(scheme, context.seq_len)
    if matrix is None:
        return None
    position = torch.arange(context.seq_len)
    delta = position[:, None] - position  # (seq_len, seq_len)
    entries, diagonal = matrix.flatten(), delta.flatten() + context.seq_len - 1  # (seq_len²,) each
    if scheme.causal_only:
        seen = diagonal >= context.seq_len - 1
        entries, diagonal = entries[seen], diagonal[seen]
    if _is_constant(entries):
        return None
    sums = entries.new_zeros(2, 2 * context.seq_len - 1)
    sums[0].index_add_(0, diagonal, entries)
    sums[1].index_add_(0, diagonal, torch.ones_like(entries))
    means = sums[0] / sums[1].clamp(min=1)  # (2·seq_len - 1,)
    within = (entries - means[diagonal]).square().sum()
    return 1 - float(within / (entries - entries.mean()).square().sum())


def monotonicity(scheme: PositionalScheme, context: MeasureContext) -> float | None:
    """Return Spearman's rank correlation of the distance with the mean similarity at it.

    Args:
        scheme: any.
        context: its seq_len counts.

    Returns:
        In [-1, 1]; -1 where each step farther looks less alike. Not defined (None) where there is no profile, and where
        it is constant, as for "none" or for one position.

    Source: Spearman 1904, equal values sharing the mean of their ranks.
    """
    profile = similarity_profile(scheme, context.seq_len)
    if profile is None or _is_constant(profile):
        return None
    return spearman(torch.arange(context.seq_len, dtype=torch.float64), profile)


def spearman(a: Tensor, b: Tensor) -> float:
    """Return the correlation of the ranks of a, (n,), with those of b, (n,); neither may be constant."""
    ranks = torch.stack([_ranks(a), _ranks(b)])  # (2, n)
    centred = ranks - ranks.mean(dim=1, keepdim=True)
    product = centred @ centred.T  # (2, 2)
    return float(product[0, 1] / (product[0, 0] * product[1, 1]).sqrt())


def _ranks(values: Tensor) -> Tensor:
    """Return the rank of each entry, from 0; equal entries share the mean of theirs."""
    _, group, count = torch.unique(values, return_inverse=True, return_counts=True)  # sorted
    last = count.cumsum(0).to(torch.float64)  # one past the last rank of each group
    ranks: Tensor = (last - (count + 1) / 2)[group]
    return ranks


def _is_constant(values: Tensor) -> bool:
    return bool(values.max() - values.min() <= _CONSTANT * values.abs().max())
