"""What stands up the charts of a training: shares, places among many, or plain numbers."""

import math
from collections.abc import Sequence
from typing import Literal

from embedlib.figures.layout import Spec

Scale = Literal["share", "place", "number"]


def height_of(value: float, scale: Scale, near: int) -> float:
    """Return where a value lies on the axis of y."""
    return math.log10(value + near - 1) - math.log10(near) if scale == "place" else float(value)


def reach_of(
    heights: Sequence[Sequence[float]], scale: Scale, levels: Sequence[tuple[float, str]], lowest_place: float
) -> tuple[float, float]:
    """Return the range of y from bottom to top, in the axis' own unit."""
    if scale == "share":
        return -0.02, 1.03
    if scale == "place":
        return 1.05 * (lowest_place or 1.0), -0.06 * (lowest_place or 1.0)
    values = [height for line in heights for height in line if math.isfinite(height)]
    values += [0.0, *(value for value, _ in levels)]  # with 0, the scale stays while values fall
    low, high = min(values), max(values)
    room = 0.08 * (high - low) or 0.5
    return low - (room if low < 0 else 0), high + 1.8 * room  # above, a level is named


def ticks_of(scale: Scale, most: int, near: int) -> Spec:
    """Return the axis' ticks: powers of ten and the last, for places."""
    if scale == "share":
        return {"tickformat": ".0%", "dtick": 0.25}
    if scale == "number":
        return {"nticks": 6}
    ticks = [10**power for power in range(len(str(most)))]
    if most >= 1.7 * ticks[-1]:
        ticks.append(most)
    return {
        "tickmode": "array",
        "tickvals": [height_of(tick, scale, near) for tick in ticks],
        "ticktext": [f"{tick:,}" for tick in ticks],
    }
