"""Top eigenvectors of the smaller of a table's two symmetric matrices."""

import math
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from embedlib.projection.pca.moments import Moments, moments
from embedlib.projection.pca.sources import DeviceTable, Table, runs_on_host

# Symmetric matrices wider than this are worth scipy, which finds the top eigenvectors without all the others:
# 20 ms instead of 74 at 768 on two cores.
_PARTIAL_WIDTH = 256
# Variance below this share of the greatest, in units of the working precision, is rounding.
_ROUNDING = 64
# Variances that span more than this are computed again with products in float64: of variances 1:1e4 the least
# was off by 1.5e-5 of itself with a float32 scatter, of 1:1e5 by 3e-4, and each is promised to 1e-4.
_WIDEST_FLOAT32 = 1e-3


class Solution(NamedTuple):
    """What a method finds, in float64 on the table's device.

    Attributes:
        n_samples: number of rows.
        mean: (n_features,).
        variance: (r,) the greatest variances, times n_samples, falling; none that is only rounding.
        directions: (r, n_features) orthonormal rows.
        total: all variance, times n_samples.
    """

    n_samples: int
    mean: Tensor
    variance: Tensor
    directions: Tensor
    total: float


def solve_covariance(table: Table, n_components: int) -> Solution:
    """Solve the n_features x n_features side, however the table is read."""
    of = moments(table, with_scatter=True)
    solved = solve_moments(of, n_components, exact=table.dtype in (torch.float64, np.float64))
    return solve_covariance(table.in_float64(), n_components) if solved is None else solved


def solve_moments(of: Moments, n_components: int, *, exact: bool) -> Solution | None:
    """Solve a scatter; None where the variances span more than one of float32 products, not exact, can tell."""
    check_total(of)
    assert of.scatter is not None
    variance, vectors = top_eigenvectors(of.scatter, n_components)
    if not exact and variance[-1] < _WIDEST_FLOAT32 * variance[0]:
        return None
    kept = _above_rounding(variance, of)
    return Solution(of.n_samples, of.mean, variance[kept], vectors.T[kept], of.total)


def solve_gram(table: Table, n_components: int) -> Solution:
    """Solve the n_samples x n_samples side, through a centred copy of the table."""
    mean, centred = _centred_copy(table)
    gram = _self_product(centred.T).to(torch.float64)  # (n_samples, n_samples)
    of = Moments(len(centred), mean, float(gram.trace()), None, None)
    check_total(of)
    variance, vectors = top_eigenvectors(gram, min(n_components, len(centred)))
    if centred.dtype != torch.float64 and variance[-1] < _WIDEST_FLOAT32 * variance[0]:
        del centred, gram
        return solve_gram(table.in_float64(), n_components)
    kept = _above_rounding(variance, of)
    directions = (vectors.T[kept].to(centred.dtype) @ centred).to(torch.float64)  # (r, n_features)
    # They are orthogonal already but for rounding; QR takes the rest out, and keeps each direction up to its sign.
    return Solution(of.n_samples, mean, variance[kept], torch.linalg.qr(directions.T).Q.T, of.total)


def top_eigenvectors(symmetric: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """Return the greatest eigenvalues (count,), falling, and their eigenvectors as columns (size, count)."""
    size = symmetric.shape[0]
    if runs_on_host(symmetric.device) and size > _PARTIAL_WIDTH and count < size // 4:
        from scipy.linalg import eigh  # only wide tables need it

        values, vectors = eigh(symmetric.numpy(), subset_by_index=(size - count, size - 1))
        return torch.from_numpy(values.copy()).flip(0), torch.from_numpy(vectors.copy()).flip(1)
    all_values, all_vectors = torch.linalg.eigh(symmetric)
    return all_values[size - count :].flip(0), all_vectors[:, size - count :].flip(1)


def check_total(of: Moments) -> None:
    """Refuse what cannot be solved: too few rows, or a total that says some entry is not a usable number."""
    if of.n_samples < 2:
        raise ValueError(f"n_samples={of.n_samples} must be at least 2: one point alone has no direction")
    if not math.isfinite(of.total):
        raise ValueError("x has entries that are not finite, or so large that their squares overflow: scale them down")


def _centred_copy(table: Table) -> tuple[Tensor, Tensor]:
    """Return the mean (n_features,), float64, and rows - mean (n_samples, n_features), in the table's dtype."""
    if isinstance(table, DeviceTable):
        rows = table.rows.to(table.dtype)
        mean = rows.mean(dim=0, dtype=torch.float64)
        return mean, (rows - mean).to(rows.dtype)
    copy = np.concatenate(list(table.blocks(2**31)))
    with np.errstate(over="ignore", invalid="ignore"):  # check_total says it in words
        centre = copy.mean(axis=0, dtype=np.float64)
        np.subtract(copy, centre, out=copy, casting="same_kind")
    return torch.from_numpy(centre), torch.from_numpy(copy)


def _self_product(a: Tensor) -> Tensor:
    """Return aᵀ a. On the CPU through NumPy, which sees the symmetry (BLAS syrk) and does half the work."""
    if not runs_on_host(a.device):
        return a.T @ a
    array = a.numpy()
    with np.errstate(over="ignore", invalid="ignore"):  # check_total says it in words
        return torch.from_numpy(array.T @ array)


def _above_rounding(variance: Tensor, of: Moments) -> Tensor:
    """Return which variances (falling) are more than rounding, (count,) bool."""
    eps = torch.finfo(torch.float64).eps
    # Equal rows can miss their own mean by a rounding of float64.
    sum_of_squares = of.total + of.n_samples * of.mean.square().sum()
    return (variance > _ROUNDING * eps * variance[0]) & (variance > (4 * eps) ** 2 * sum_of_squares)
