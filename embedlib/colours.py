"""The colours that every view shares: one diverging scale, one categorical cycle, one set of inks per theme."""

import math
from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor

Theme = Literal["light", "dark"]

# Blue to orange stays apart under protanopia, deuteranopia and tritanopia; lightness alone gives the magnitude.
# The middle is the page's own ground, so that zero recedes in both themes.
DIVERGING: dict[Theme, tuple[str, ...]] = {
    "light": ("#08457e", "#3f8ac6", "#a9cfe8", "#f5f5f3", "#f6c39b", "#dd7a35", "#8f3a05"),
    "dark": ("#a6d4ff", "#4a97dd", "#225a90", "#15181e", "#8a4a1c", "#d97a33", "#ffc897"),
}
# The parts of the sum keep one colour (and one shape) in every figure: token, position, and what they make together.
TOKEN: dict[Theme, str] = {"light": "#0067a8", "dark": "#5cb3f0"}
POSITION: dict[Theme, str] = {"light": "#c24a00", "dark": "#ff9a52"}
SUM: dict[Theme, str] = {"light": "#00785a", "dark": "#3fd1a4"}
# Lines that carry their own names in their colour: hues after Okabe and Ito 2008, https://jfly.uni-koeln.de/color/,
# each at least 4.5:1 on the ground, so that the names can be read.
SERIES: dict[Theme, tuple[str, ...]] = {
    "light": ("#0067a8", "#c24a00", "#00785a", "#a63d7c", "#6a4fc0", "#4a4f57"),
    "dark": ("#5cb3f0", "#ff9a52", "#3fd1a4", "#ee9fcb", "#b7a5ff", "#c3c9d2"),
}
# From little to much for points: lightness goes one way throughout, so that the scale is read without hue too.
SEQUENTIAL: dict[Theme, tuple[str, ...]] = {
    "light": ("#8fb4d9", "#7f8fc9", "#9a62a8", "#a83c6a", "#7a1526"),
    "dark": ("#44598f", "#7061b3", "#ac6bb8", "#e58fa2", "#ffd596"),
}
# Nine kinds of points, at least 3:1 on the ground and none of them nearly black. Found by search for the greatest least
# difference in CIE L*a*b*: 24 over three kinds of colour blindness, 35 for all other eyes.
KINDS: dict[Theme, tuple[str, ...]] = {
    "light": ("#1882fe", "#b19218", "#f85190", "#5532a7", "#086850", "#7d9c52", "#743602", "#d169c6", "#663a71"),
    "dark": ("#abb3fe", "#9b9709", "#d8857c", "#8264cf", "#08ead0", "#417727", "#e8ce89", "#b33d6f", "#319fae"),
}
GROUND: dict[Theme, str] = {"light": "#ffffff", "dark": "#15181e"}
INK: dict[Theme, str] = {"light": "#1b1f27", "dark": "#eef1f6"}
MUTED: dict[Theme, str] = {"light": "#5b6472", "dark": "#a3adbb"}
RULE: dict[Theme, str] = {"light": "#aeb6c1", "dark": "#4b5462"}
GRID: dict[Theme, str] = {"light": "#dfe3e8", "dark": "#2c323c"}


def plotly_scale(stops: Sequence[str]) -> list[tuple[float, str]]:
    """Convert evenly spaced colours to Plotly's form of a colour scale: (fraction, colour)."""
    return [(index / max(1, len(stops) - 1), colour) for index, colour in enumerate(stops)]


def tint(colour: str, opacity: float) -> str:
    """Return "#rrggbb" as a transparent colour."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {opacity})"


def gradient(stops: Sequence[str], steps: int = 256) -> list[str]:
    """Return a scale of "#rrggbb" colours in equal steps, linear in sRGB between evenly spaced stops."""
    channels = torch.tensor([[int(stop[at : at + 2], 16) for at in (1, 3, 5)] for stop in stops], dtype=torch.float64)
    position = torch.linspace(0, len(stops) - 1, steps, dtype=torch.float64)  # (steps,)
    left = position.floor().clamp(max=len(stops) - 2).long()
    share = (position - left)[:, None]
    mixed = (channels[left] * (1 - share) + channels[left + 1] * share).round().int()  # (steps, 3)
    return [f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in mixed.tolist()]


def colour_limit(*matrices: Tensor) -> float:
    """Return the limit of a symmetric colour scale that several matrices share; 1.0 where all is zero or empty.

    The 99th percentile of all absolute values, so that a few outliers do not wash out the rest, rounded up to 1, 1.5,
    2, 2.5, 3, 4, 5, 6 or 8 times a power of ten: easy to read, and stable while a text is typed.
    """
    values = torch.cat([matrix.detach().reshape(-1).abs().to("cpu", torch.float32) for matrix in matrices])
    if values.numel() == 0:
        return 1.0
    rank = max(1, round(0.99 * values.numel()))
    limit = float(values.kthvalue(rank).values) or float(values.max())
    return _round_up(limit) if limit > 0 else 1.0


def _round_up(value: float) -> float:
    power = math.floor(math.log10(value))
    # The little more lets rounding errors of float32 pass: 1.0000001 is 1.
    fitting = (step for step in (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10) if step * 1.00001 >= value / 10**power)
    return float(f"{next(fitting) * 10.0**power:.3g}")
