"""Labels in a column: as near to their places as they can be without covering each other."""

import math
from collections.abc import Sequence


def spread(values: Sequence[float], gap: float, *, low: float = -math.inf, high: float = math.inf) -> list[float]:
    """Return the places nearest to given ones, by least squares, that keep their order, lie apart and stay inside.

    Args:
        values: the places asked for, in any order.
        gap: how far apart two neighbours must be, at least; where that takes more room than there is, they share it.
        low: the lowest place there is.
        high: the highest, above low.

    Returns:
        A place for each value, in the order of the values.
    """
    gap = min(gap, (high - low) / max(1, len(values) - 1))
    order = sorted(range(len(values)), key=lambda index: values[index])
    # With gap times the rank taken off, "at least a gap apart" becomes "not falling": pool what falls into its mean.
    pools: list[tuple[float, int]] = []
    for rank, index in enumerate(order):
        pools.append((values[index] - gap * rank, 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (left, n_left), (right, n_right) = pools[-2:]
            pools[-2:] = [((left * n_left + right * n_right) / (n_left + n_right), n_left + n_right)]
    # Within bounds the answer is the one without them, cut off at both.
    highest = high - gap * (len(values) - 1)
    levels = [min(max(mean, low), highest) for mean, count in pools for _ in range(count)]
    places = [0.0] * len(values)
    for rank, index in enumerate(order):
        places[index] = levels[rank] + gap * rank
    return places
