"""A block-Krylov method: the greatest variances of a wide table from a few products with it."""

import numpy as np
import torch
from torch import Tensor

from embedlib.projection.pca.certificate import RitzPairs, shortfall
from embedlib.projection.pca.moments import Moments, moments, scatter_times
from embedlib.projection.pca.solvers import Solution, check_total
from embedlib.projection.pca.sources import Array, Table

# Both sides of the table are at least this: narrower, the covariance takes a second or two.
NARROWEST = 2000
# Vectors in the block beyond the components asked for, so that a random start sees every direction that matters.
_SPARE = 12
# Share of the covariance's operations after which the method gives up.
_BUDGET = 0.25
_SEED = 20_020
# By how many times a forecast may miss before it stops the method: the pace often quickens.
_LENIENCE = 100
# Float32 products of vectors are right to about 1e-7 of the geometric mean of the variances they meet.
_WIDEST_FLOAT32 = 1e-5


def solve_krylov(table: Table, n_components: int) -> Solution | None:
    """Find the greatest variances without forming either symmetric matrix, or return None where it is not certain.

    Rayleigh and Ritz on the space that the scatter S spans from a Gaussian block V: V, S V, S² V, …, one pass over the
    table for each, at 4·n·d·block_size operations where the covariance takes n·d·min(n, d). After each, `shortfall`
    bounds the error. It stops when the bound holds, when the budget is spent, or when the pace says that it will be:
    then (a flat spectrum) nothing but the whole matrix tells the directions apart.

    What is certain is this, up to the rounding of products in the table's dtype: for all but one in 10^9 of the start
    blocks, each variance is within 1e-4 of the exact one of its rank, and the components lie within 0.001 radian of the
    space of as many exact ones, or of a few more where the last are nearly equal. The start block is drawn from a
    generator of its own with a fixed seed, so the same table always gets the same answer; the odds are those of a table
    that was not made with that seed in mind.

    Source: Musco and Musco 2015, https://arxiv.org/abs/1504.05477 (the space); `certificate` (the bound).
    """
    width = table.n_features
    assert table.n_samples is not None
    block_size = -8 * (-(n_components + _SPARE) // 8)
    most_passes = int(_BUDGET * min(width, table.n_samples) / (4 * block_size))
    if min(width, table.n_samples) < NARROWEST or most_passes < 3:
        return None
    of = moments(table, with_scatter=False)
    check_total(of)
    if of.total == 0:
        return None

    gaussian = torch.randn(width, block_size, dtype=torch.float64, generator=torch.Generator().manual_seed(_SEED))
    start_norm = float(torch.linalg.matrix_norm(gaussian, 2))
    block = torch.linalg.qr(gaussian.to(of.mean.device)).Q  # (n_features, block_size)
    basis, projected = block, np.zeros((0, 0))
    misses: list[float] = []
    for n_passes in range(1, most_passes + 1):
        image = scatter_times(table, of, block)  # (n_features, block_size)
        inside = basis.T @ image  # (m, block_size)
        projected = _bordered(projected, inside.cpu().numpy())
        block, outside = _new_directions(basis, image - basis @ inside)
        values, vectors = (part[..., ::-1] for part in np.linalg.eigh(projected))
        residuals = outside.cpu().numpy() @ vectors[-block_size:]
        ritz = RitzPairs(values, vectors[:block_size], residuals, start_norm, of.total)
        misses.append(shortfall(ritz, n_components))
        if misses[-1] <= 1:
            return _solution(of, basis, values, vectors, n_components, table)
        if _is_hopeless(misses, most_passes - n_passes):
            return None
        basis = torch.cat([basis, block], dim=1)
    return None


def _bordered(projected: Array, inside: Array) -> Array:
    """Return Qᵀ S Q with the last block's columns, inside (m, block_size), added to it."""
    size, block_size = inside.shape
    grown = np.zeros((size, size))
    grown[: size - block_size, : size - block_size] = projected
    grown[:, size - block_size :] = inside
    grown[size - block_size :] = inside.T
    corner = inside[size - block_size :]
    grown[size - block_size :, size - block_size :] = (corner + corner.T) / 2
    return grown


def _new_directions(basis: Tensor, outside: Tensor) -> tuple[Tensor, Tensor]:
    """Return orthonormal directions, also to the basis, and the factor (block_size, block_size) that gives outside."""
    directions, factor = torch.linalg.qr(outside)
    for _ in range(2):  # where outside is mostly rounding, once is not enough
        directions, again = torch.linalg.qr(directions - basis @ (basis.T @ directions))
        factor = again @ factor
    return directions, factor


def _is_hopeless(misses: list[float], passes_left: int) -> bool:
    """Return whether the pace of the last two passes leads nowhere near a certificate."""
    if len(misses) < 4:
        return False
    pace = (misses[-1] / misses[-3]) ** 0.5
    return bool(misses[-1] * pace**passes_left > _LENIENCE)


def _solution(of: Moments, basis: Tensor, values: Array, vectors: Array, count: int, table: Table) -> Solution | None:
    is_float32 = table.dtype not in (torch.float64, np.float64)
    if is_float32 and values[count - 1] < _WIDEST_FLOAT32 * values[0]:
        return None
    variance = torch.from_numpy(values[:count].copy()).to(of.mean.device)
    chosen = torch.from_numpy(vectors[:, :count].copy()).to(of.mean.device)  # (m, count)
    return Solution(of.n_samples, of.mean, variance, (basis @ chosen).T, of.total)
