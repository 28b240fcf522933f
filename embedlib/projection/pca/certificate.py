"""How far Ritz values can be from the exact eigenvalues, and whether one was missed."""

import math
from dataclasses import dataclass

import numpy as np

from embedlib.projection.pca.sources import Array

# Each variance is right to this share of itself.
VARIANCE_TOLERANCE = 1e-4
# And the components lie this near the space of the exact ones, in radians.
ANGLE_TOLERANCE = 1e-3
# Odds, over random start blocks, that a certificate is given wrongly.
FAILURE = 1e-9
# Where between two neighbouring Ritz values a dividing line is tried, from the lower one.
_LINES = (0.2, 0.5, 0.8)


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
