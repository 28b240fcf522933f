"""Similarity of positions: the similarity matrix, its diagonals and their trend, and distances between rows."""

import torch
from torch import Tensor

from embedlib.measures.context import MeasureContext, has_positions
from embedlib.positional import PositionalScheme
from embedlib.transformer.encoder import float64_copy

# Less spread than this share of the greatest entry is rounding: the matrix is constant.
_CONSTANT = 1e-12


def similarity_matrix(scheme: PositionalScheme, seq_len: int) -> Tensor | None:
    """Return the scheme's own ``similarity``, (seq_len, seq_len) float64 on the CPU.

    None where it depends on the content, or the scheme has not so many positions.
    """
    if seq_len < 1:
        raise ValueError(f"seq_len={seq_len} must be at least 1")
    if not has_positions(scheme, seq_len):
        return None
    try:
        return float64_copy(scheme).similarity(seq_len)
    except ValueError:  # a scheme's word for "not defined"
        return None


def toeplitz_r2(scheme: PositionalScheme, context: MeasureContext) -> float | None:
    """Return how much of the similarity of different positions their distance explains: adjusted R² of its diagonals.

    The main diagonal is left out: any rows are most similar to themselves, and it alone would give a random table .5 at
    64 positions. Each diagonal's mean is a fitted number; the adjustment for them makes chance 0, on average. Where a
    scheme is causal only, keys after the query do not count.

    1 where every diagonal is constant, about 0 for a random table, of either sign. None without a similarity matrix,
    for fewer than three positions, and where all of them are equally similar.

    Source: Theil 1961, Economic Forecasts and Policy, for the adjustment: 1 - (within/(n - groups)) / (total/(n - 1)).
    """
    matrix = similarity_matrix(scheme, context.seq_len)
    if matrix is None:
        return None
    position = torch.arange(context.seq_len)
    delta = position[:, None] - position  # (seq_len, seq_len)
    pairs = delta > 0 if scheme.causal_only else delta != 0
    entries, diagonal = matrix[pairs], delta[pairs] + context.seq_len - 1  # (n_pairs,) each
    if context.seq_len < 3 or _is_constant(entries):
        return None
    sums = entries.new_zeros(2, 2 * context.seq_len - 1)
    sums[0].index_add_(0, diagonal, entries)
    sums[1].index_add_(0, diagonal, torch.ones_like(entries))
    means = sums[0] / sums[1].clamp(min=1)  # (2·seq_len - 1,)
    within = (entries - means[diagonal]).square().sum() / (len(entries) - int((sums[1] > 0).sum()))
    return 1 - float(within / entries.var())


def monotonicity(scheme: PositionalScheme, context: MeasureContext) -> float | None:
    """Return Spearman's rank correlation of the distance with the mean similarity at it, in [-1, 1].

    -1 where each step farther looks less alike. None without a similarity matrix, and where its mean is constant, as
    for "none" or for one position.

    Source: Spearman 1904, equal values sharing the mean of their ranks.
    """
    matrix = similarity_matrix(scheme, context.seq_len)
    if matrix is None:
        return None
    profile = mean_by_distance(matrix)  # of keys before the query, (seq_len,)
    if _is_constant(profile):
        return None
    distance = torch.arange(context.seq_len, dtype=torch.float64)  # its own rank
    # As scipy.stats.spearmanr, whose import takes more than a second.
    return float(torch.corrcoef(torch.stack([distance, _ranks(profile)]))[0, 1])


def _ranks(values: Tensor) -> Tensor:
    """Return the rank of each entry, from 0; equal entries share the mean of theirs."""
    _, group, count = torch.unique(values, return_inverse=True, return_counts=True)  # sorted
    last = count.cumsum(0).to(torch.float64)  # one past the last rank of each group
    ranks: Tensor = (last - (count + 1) / 2)[group]
    return ranks


def _is_constant(values: Tensor) -> bool:
    return bool(values.max() - values.min() <= _CONSTANT * values.abs().max())


def mean_by_distance(matrix: Tensor) -> Tensor:
    """Return the mean of each diagonal of (n, n), from the main one down: entry delta of matrix[m + delta, m].

    Entries above the main diagonal are not read, so the matrix may be causally masked.
    """
    size = len(matrix)
    # Under n rows of zeros, entry [m + delta, m] lies delta·n + m·(n + 1) places from the start: a view whose row delta
    # is that diagonal, ending in zeros. Summed in pairs, so equal entries keep their value at any n.
    padded = torch.cat([matrix, torch.zeros_like(matrix)])  # (2n, n)
    diagonals = padded.as_strided((size, size), (size, size + 1))  # (delta, m)
    return diagonals.sum(dim=1) / torch.arange(size, 0, -1, dtype=matrix.dtype, device=matrix.device)


def adjacent_distance(x: Tensor) -> Tensor:
    """Return the Euclidean distance of each row of (n, width) to the next: (n - 1,)."""
    distance: Tensor = torch.linalg.vector_norm(x.diff(dim=0), dim=1)
    return distance


def pairwise_distance(x: Tensor) -> Tensor:
    """Return the Euclidean distances of all rows of (n, width): (n, n), exactly 0 for equal rows only."""
    # The faster way by a matrix product rounds the distance of close rows to 0.
    distance: Tensor = torch.cdist(x, x, compute_mode="donot_use_mm_for_euclid_dist")  # (n, n)
    return distance
