"""Traces of token frequency in the rows of a table: their lengths by rank, and rows that training hardly touched."""

from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor

QUANTILES = (0.1, 0.5, 0.9)


@dataclass(frozen=True, eq=False, slots=True)
class LengthBands:
    """Quantiles of row lengths by frequency rank, in bins that widen with the rank.

    Attributes:
        ranks: (n_bins,) float32, the geometric middle of each bin; the most frequent token has rank 1.
        quantiles: (3, n_bins) float32, the QUANTILES of the lengths in each bin.
        shortest: (n_bins,) int64, index by rank of each bin's shortest row.
        longest: likewise of its longest.
    """

    ranks: Tensor
    quantiles: Tensor
    shortest: Tensor
    longest: Tensor


def length_bands(lengths: Tensor, *, n_bins: int = 40) -> LengthBands:
    """Summarise the lengths of rows, (n_ranked,) by falling frequency, in at most `n_bins` bins."""
    n_ranked = len(lengths)
    edges = torch.logspace(0, torch.log10(torch.tensor(n_ranked + 1.0, dtype=torch.float64)), n_bins + 1)
    starts = torch.unique(edges.round().long().clamp(1, n_ranked + 1)).tolist()  # the last is one past the last rank
    if starts[-1] <= n_ranked:
        starts.append(n_ranked + 1)
    bins = list(pairwise(starts))
    parts = [lengths[start - 1 : stop - 1].float() for start, stop in bins]
    shares = torch.tensor(QUANTILES)
    return LengthBands(
        torch.tensor([(start * (stop - 1)) ** 0.5 for start, stop in bins]),
        torch.stack([torch.quantile(part, shares) for part in parts], dim=1),  # (3, n_bins)
        torch.tensor([start - 1 + int(part.argmin()) for part, (start, _) in zip(parts, bins, strict=True)]),
        torch.tensor([start - 1 + int(part.argmax()) for part, (start, _) in zip(parts, bins, strict=True)]),
    )


def undertrained_scores(table: Tensor, unused: Tensor) -> Tensor:
    """Return each row's distance to the mean of the unused rows, (n_rows,) float32: small where training hardly was.

    Without unused rows, the distance to the origin: rows without a gradient stay short if weights start small or decay.

    Source: Land and Bartolo 2024, §2.2, https://arxiv.org/abs/2405.05417
    """
    rows = table.float()
    centre = rows[unused].double().mean(dim=0).float() if len(unused) else torch.zeros(rows.shape[1])
    distances: Tensor = torch.linalg.vector_norm(rows - centre, dim=1)
    return distances  # (n_rows,)
