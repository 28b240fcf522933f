"""The traces of scores by length: a line through its marks, the band around it, an entry of the legend."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from embedlib.extrapolation import SeedSpread
from embedlib.figures.colours import GROUND, RULE, SERIES, Theme
from embedlib.figures.layout import Spec, numbers
from embedlib.figures.lines import DASHES
from embedlib.figures.marks import scatter
from embedlib.figures.text import plain

# The mark of a line's points tells it from others of its colour, as its dash does.
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "triangle-down")


@dataclass(frozen=True, slots=True)
class LengthLine:
    """How one line looks and is called.

    Attributes:
        name: in full.
        label: short, beside the line's end.
        group: index of its colour in SERIES, 0 … 5.
        nth: among those of its colour, 0 … 5, which gives its dash and its marks.
        hollow: the points of lengths whose rows of positions training never met, as indices.
        brief: what is written beside its end on a phone; "" for the label.
    """

    name: str
    label: str
    group: int
    nth: int = 0
    hollow: tuple[int, ...] = ()
    brief: str = ""


def style_of(line: LengthLine, theme: Theme, *, front: bool, behind: bool) -> Spec:
    """Return colour, width and dash of a line; grey where another one is in front."""
    return {
        "color": RULE[theme] if behind else SERIES[theme][line.group],
        "width": 2.0 if behind else 4.5 if front else 3.5,
        "dash": DASHES[line.nth],
    }


def _finite(values: Tensor) -> Tensor:
    """What cannot be drawn is left out."""
    return values.where(values.isfinite(), torch.nan)


def band(x: NDArray[np.int32], spread: SeedSpread, index: int, style: Spec, *, shown: bool, crowded: bool) -> Spec:
    """Return the ground between the least and the greatest, there and back; the more lines, the fainter."""
    low, high = _finite(spread.least[index]), _finite(spread.greatest[index])
    known = (low.isfinite() & high.isfinite()).numpy()
    drawn = shown and known.any() and int(spread.count[index].max()) > 1
    low, high = (numbers(bound)[known] for bound in (low, high))
    return scatter(
        "none",
        np.concatenate([x[known], x[known][::-1]]) if drawn else [],
        np.concatenate([low, high[::-1]]) if drawn else [],
        fill="toself",
        fillcolor=style["color"],
        opacity=0.1 if crowded else 0.2,
        hoverinfo="skip",
        showlegend=False,
    )


def seed_points(x: NDArray[np.int32], values: Tensor, style: Spec, *, shown: bool) -> Spec:
    """Return every seed's score as a small point, (n_seeds, n_lengths), where there are several seeds."""
    drawn = shown and len(values) > 1
    return scatter(
        "markers",
        np.tile(x, len(values)) if drawn else [],
        numbers(_finite(values)).flatten() if drawn else [],
        marker={"size": 5, "color": style["color"], "opacity": 0.7},
        hoverinfo="skip",
        showlegend=False,
    )


def line_with_marks(
    x: NDArray[np.int32], heights: Tensor, line: LengthLine, style: Spec, said: Sequence[str], theme: Theme
) -> Spec:
    """Return a line through its marks, hollow where training never met the rows of positions."""
    solid, hollow = SYMBOLS[line.nth], f"{SYMBOLS[line.nth]}-open"
    return scatter(
        "lines+markers",
        x,
        numbers(_finite(heights)),
        name=plain(line.name),
        line=style,
        marker={
            "size": 11,
            "symbol": [hollow if index in line.hollow else solid for index in range(len(x))],
            "color": style["color"],
            "line": {
                "color": [style["color"] if index in line.hollow else GROUND[theme] for index in range(len(x))],
                "width": [2.5 if index in line.hollow else 1 for index in range(len(x))],
            },
        },
        hovertext=["<br>".join(_bold_first(words.split("\n"))) for words in said],
        hovertemplate="%{hovertext}<extra></extra>",
        showlegend=False,
        cliponaxis=False,
    )


def _bold_first(words: list[str]) -> list[str]:
    first, *rest = map(plain, words)
    return [f"<b>{first}</b>" if rest else first, *rest]
