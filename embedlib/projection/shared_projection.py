"""Two sets of rows in one picture: the same axes for the tokens before and after their positions are added."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from embedlib.projection import fit_pca


@dataclass(frozen=True, eq=False)
class SharedProjection:
    """Points of two sets along common principal axes.

    Attributes:
        before: (n_rows, n_components) float32.
        after: (n_rows, n_components) float32.
        explained_variance_ratio: (n_components,) float32, the share of both sets' variance along each axis, in [0, 1].
    """

    before: Tensor
    after: Tensor
    explained_variance_ratio: Tensor


def project_together(before: Tensor, after: Tensor, *, n_components: int = 3) -> SharedProjection:
    """Fit one exact PCA to both sets of rows and project both.

    Args:
        before: (n_rows, d_model), at least one row.
        after: (n_rows, d_model).
        n_components: number of axes wanted, at least 1. Where so few points or columns have fewer, the rest are zeros
            that explain nothing.

    Returns:
        SharedProjection on the CPU.

    Raises:
        ValueError: the shapes differ.
    """
    if before.shape != after.shape:
        raise ValueError(f"before is {tuple(before.shape)} but after is {tuple(after.shape)}: they must have one shape")
    n_rows, d_model = before.shape
    points = torch.cat([before, after])  # (2 n_rows, d_model)
    pca = fit_pca(points, min(n_components, d_model, 2 * n_rows))
    placed = pca.transform(points).cpu().float()  # (2 n_rows, k)
    missing = n_components - placed.shape[1]
    placed = functional.pad(placed, (0, missing))  # (2 n_rows, n_components)
    ratio = functional.pad(pca.explained_variance_ratio.cpu().float(), (0, missing))  # (n_components,)
    return SharedProjection(placed[:n_rows], placed[n_rows:], ratio)
