"""A small line of numbers that grows, drawn as often as it is asked for."""

import math
from collections.abc import Sequence
from html import escape

_HEIGHT, _MOST = 40, 150


def sparkline(values: Sequence[float], *, told: str) -> str:
    """Draw numbers from the left to the right, as the ground under a line, from 0 up.

    Args:
        values: at least one; what is no finite number is left out.
        told: what is read out in its place, plain text.

    Returns:
        HTML of its own, as wide as there is room.
    """
    step = max(1, len(values) // _MOST)
    shown = [value for value in [*values[::step], values[-1]] if math.isfinite(value)]
    top = max(shown, default=0.0) or 1.0
    across = 100 / max(len(shown) - 1, 1)
    points = [f"{number * across:.1f}% {100 - 96 * max(value, 0.0) / top:.1f}%" for number, value in enumerate(shown)]
    ground = ",".join([*points, "100% 100%", "0% 100%"])
    # Streamlit takes drawings out of HTML, and leaves a box and its outline in.
    return (
        f'<div role="img" aria-label="{escape(told)}" style="height:{_HEIGHT}px;background:currentColor;opacity:0.45;'
        f'clip-path:polygon({ground})"></div>'
    )
