"""Two tables of the same words: which neighbours they share, and how far one is a rotation of the other."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from embedlib.neighbours.search import nearest_neighbours

FOLDS = 5
SHUFFLES = 5


@dataclass(frozen=True, eq=False, slots=True)
class Alignment:
    """One table rotated onto another.

    Attributes:
        rotation: (d, d) float64, orthogonal, d the greater width.
        scale: factor of the rotated rows.
        residuals: (n_words,) float64, distance of each word's row from its partner, of length 1.
        residual: share of the squares that stays unexplained, in [0, 1].
        chance_residual: the same for words paired at random, the mean of SHUFFLES.
        ranks: (n_words,) int64, rank of a held-out word's partner among all words' rows by cosine, 1 for the nearest;
            fitted in FOLDS parts.
    """

    rotation: Tensor
    scale: float
    residuals: Tensor
    residual: float
    chance_residual: float
    ranks: Tensor


def centred_unit_rows(table: Tensor, width: int) -> Tensor:
    """Centre rows, scale each to length 1, and pad them with zeros; (n_words, width) float64. Rows of zeros stay."""
    rows = table.double() - table.double().mean(dim=0)
    return functional.pad(functional.normalize(rows, dim=1, eps=1e-30), (0, width - table.shape[1]))


def align_tables(first: Tensor, second: Tensor) -> Alignment:
    """Rotate the first table onto the second by the best orthogonal matrix (Procrustes), and measure the error.

    Both are centred and their rows scaled to length 1, so that every word counts the same; the narrower is padded with
    zeros, which preserves angles and lengths. Row i of (n_words, d) is of the same word in both; at least FOLDS words.

    Source: Schönemann 1966, https://doi.org/10.1007/BF02289451; Xing et al. 2015, https://aclanthology.org/N15-1104
    """
    if first.ndim != 2 or second.ndim != 2 or len(first) != len(second):
        raise ValueError(f"tables {tuple(first.shape)} and {tuple(second.shape)} must have a row for each common word")
    n_words = len(first)
    if n_words < FOLDS:
        raise ValueError(f"n_words={n_words} must be at least {FOLDS}")
    width = max(first.shape[1], second.shape[1])
    source, target = centred_unit_rows(first.cpu(), width), centred_unit_rows(second.cpu(), width)  # (n_words, d)
    rotation, explained = _fit_rotation(source, target)
    generator = torch.Generator().manual_seed(0)
    shuffled = [_fit_rotation(source[torch.randperm(n_words, generator=generator)], target)[1] for _ in range(SHUFFLES)]
    turned = source @ rotation
    scale = float((turned * target).sum() / source.square().sum())
    ranks = torch.empty(n_words, dtype=torch.int64)
    for left_out in torch.randperm(n_words, generator=generator).tensor_split(FOLDS):
        kept = torch.ones(n_words, dtype=torch.bool)
        kept[left_out] = False
        near = source[left_out] @ _fit_rotation(source[kept], target[kept])[0] @ target.T  # (n_left_out, n_words)
        own = near.gather(1, left_out[:, None])
        ranks[left_out] = 1 + (near > own).sum(dim=1)
    return Alignment(
        rotation,
        scale,
        torch.linalg.vector_norm(scale * turned - target, dim=1),
        1 - explained,
        1 - sum(shuffled) / SHUFFLES,
        ranks,
    )


def _fit_rotation(source: Tensor, target: Tensor) -> tuple[Tensor, float]:
    """Return the best orthogonal matrix from one to the other, and the share of the squares it explains."""
    from scipy.linalg import orthogonal_procrustes

    rotation, products = orthogonal_procrustes(source.numpy(), target.numpy())
    squares = float(source.square().sum() * target.square().sum())
    return torch.from_numpy(rotation), float(products) ** 2 / squares if squares else 0.0


def shared_neighbours(first: Tensor, second: Tensor, k: int = 10) -> Tensor:
    """Count how many of each word's k nearest others, by cosine, two tables of the same words share: (n_words,) int64.

    k is in [1, n_words - 1]; k² / (n_words - 1) are shared by chance.
    """
    own = torch.arange(len(first))
    near = [nearest_neighbours(table, table, k, exclude=own[:, None]).ids for table in (first, second)]
    return (near[0][:, :, None] == near[1][:, None, :]).sum(dim=(1, 2))  # (n_words,)
