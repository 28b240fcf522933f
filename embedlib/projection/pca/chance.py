"""How much variance the first principal axis holds by chance, in rows that have no directions."""

import math


def greatest_share_by_chance(n_samples: int, n_features: int) -> float:
    """Return the share of the first axis of independent rows whose columns all vary alike.

    In a sample the axes of a round cloud are not alike: the first is the one that chance has favoured. Its share tends
    to (1 + √(n_features / n_samples))² / n_features as both grow.

    Args:
        n_samples: rows, at least 2.
        n_features: columns, at least 1.

    Returns:
        A share in (0, 1].

    Raises:
        ValueError: an argument out of range.

    Source: Marchenko and Pastur 1967, https://doi.org/10.1070/SM1967v001n04ABEH001994; for the greatest, Geman 1980.
    """
    if n_samples < 2 or n_features < 1:
        raise ValueError(f"n_samples={n_samples} must be at least 2 and n_features={n_features} at least 1")
    return min(1.0, (1 + math.sqrt(n_features / n_samples)) ** 2 / n_features)
