"""A block-Krylov method: the greatest variances of a wide table from a few products with it, and how sure they are."""

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from embedlib.projection.pca.moments import Moments, moments, scatter_times
from embedlib.projection.pca.solvers import Solution, check_total
from embedlib.projection.pca.sources import Array, Table

# Each variance is right to this share of itself.
VARIANCE_TOLERANCE = 1e-4
# And the components lie this near the space of the exact ones, in radians.
ANGLE_TOLERANCE = 1e-3
# Odds, over random start blocks, that a certificate is given wrongly.
FAILURE = 1e-9
# Where between two neighbouring Ritz values a dividing line is tried, from the lower one.
_LINES = (0.2, 0.5, 0.8)
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


@dataclass(frozen=True)
class RitzPairs:
    """What a block-Krylov basis Q of a positive semidefinite S knows, S Q = Q H + E with E in the last block alone.

    Attributes:
        values: (m,) eigenvalues of H = Qᵀ S Q, falling.
        starts: (block_size, m) first block of each eigenvector of H: its coordinates along the start block.
        residuals: (block_size, m) S q - value q for the vector q that each eigenvector of H stands for; orthogonal to
            Q, in coordinates along the directions that the next block would add.
        start_norm: spectral norm of the Gaussian matrix that the start block is the orthonormal factor of.
        total: trace of S.
    """

    values: Array
    starts: Array
    residuals: Array
    start_norm: float
    total: float


def shortfall(ritz: RitzPairs, count: int) -> float:
    """Return by what factor the `count` greatest values miss their tolerances; at most 1 is a certificate.

    A Ritz value never exceeds the eigenvalue of its rank. What has to be bounded is how far it stays below, and a
    residual alone cannot: it says that some eigenvalue is near, not which. So a line is drawn between Ritz values p and
    p + 1, p >= count, and two things are asked:

    1. No more than p eigenvalues lie above the line. Say there were p + 1, with eigenvectors u. From S Q = Q H + E,
       each u has along the start block only what its residuals allow: the sum over j of
       start_j (residual_j · z) / (λ - θ_j) with |z| <= 1. Some combination of the p + 1 is orthogonal to the p upper
       Ritz vectors, and for it the sum runs over the lower ones alone. If that is smaller than what p + 1 fixed
       directions leave along a random block but with odds of FAILURE, there is no such combination. The sum is
       evaluated for λ from the line to the trace, at steps small beside the distance to the nearest pole.
    2. Then Lehmann's bounds hold: the eigenvalues above the line are at most line + those of
       (θ - line) + (θ - line)^-½ residualᵀ residual (θ - line)^-½, which exceed θ by residual² / (θ - line). And by
       Davis and Kahan the components are within |residual| / (θ - line) of the space of the p greatest.

    Source: Parlett 1998, The Symmetric Eigenvalue Problem, §10 and §11.7; Davis and Kahan 1970; for the Gaussian,
        Halko, Martinsson and Tropp 2011, proposition A.3, https://arxiv.org/abs/0909.4061
    """
    best = math.inf
    block_size = len(ritz.starts)
    if ritz.values[count - 1] <= 0:
        return best
    for above in range(count, min(block_size, len(ritz.values))):
        low, high = ritz.values[above], ritz.values[above - 1]
        for line in (float(low + share * (high - low)) for share in _LINES):
            if not low < line < high:
                continue
            miss = max(_misses(ritz, above, count, line))
            if miss < best:  # the other half takes longer
                least = _least_start(block_size, above + 1, ritz.start_norm)
                best = min(best, max(miss, _reach_of_a_missed_one(ritz, above, line) / least))
    return best


def _misses(ritz: RitzPairs, above: int, count: int, line: float) -> tuple[float, float]:
    """Return how far variances and angle miss their tolerances if `above` eigenvalues lie above the line."""
    distance = ritz.values[:above] - line
    residuals = ritz.residuals[:, :above]
    scaled = residuals / np.sqrt(distance)
    bounds = line + np.linalg.eigvalsh(np.diag(distance) + scaled.T @ scaled)[::-1][:count]
    variance = (bounds / ritz.values[:count] - 1).max() / VARIANCE_TOLERANCE
    angle = np.linalg.norm(residuals[:, :count], 2) / distance[count - 1] / ANGLE_TOLERANCE
    return float(variance), float(angle)


def _reach_of_a_missed_one(ritz: RitzPairs, above: int, line: float) -> float:
    """Return how long the part along the start block can be of what a missed eigenvalue implies."""
    poles, starts, residuals = ritz.values[above:], ritz.starts[:, above:], ritz.residuals[:, above:]
    nearest, farthest = line - poles[0], ritz.total - poles[0]
    steps = np.geomspace(nearest, max(farthest, nearest), 2 + math.ceil(3 * math.log(max(farthest / nearest, 1))))
    longest = max(np.linalg.norm((starts / (poles[0] + step - poles)) @ residuals.T, 2) for step in steps)
    return math.sqrt(above + 1) * float(longest)


def _least_start(block_size: int, n_directions: int, start_norm: float) -> float:
    """Return the least length along the start block of a unit vector among fixed directions, but with odds FAILURE."""
    spare = block_size - n_directions + 1
    inverse = math.e * math.sqrt(block_size) / spare * (FAILURE * math.sqrt(2 * math.pi * spare)) ** (-1 / spare)
    return float(1 / (inverse * start_norm))


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

    Source: Musco and Musco 2015, https://arxiv.org/abs/1504.05477 (the space); `shortfall` (the bound).
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
