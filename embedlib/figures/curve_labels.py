"""The label of each line of a chart beside its end, pushed apart where they would cover each other."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from embedlib.figures.layout import TEXT, Spec
from embedlib.figures.spread import spread
from embedlib.figures.text import plain, shorten

LONGEST = 17  # characters
FRAME = 90.0  # px of the height that are not the lines' own
ROW = 20  # px: one label


def end_labels(
    lines: NDArray[np.float32],
    labels: Sequence[tuple[str, str]],
    reach: tuple[float, float],
    *,
    height: int,
    logarithmic: bool,
) -> list[Spec]:
    """Return each line's label at the right, as near to the height where the line ends as the others allow.

    Args:
        lines: (n_lines, n_points); one without any number gets no label.
        labels: text and colour of each.
        reach: the range of y, in the axis' own unit.
        height: of the figure, in CSS pixels.
        logarithmic: whether y is.
    """
    low, high = reach
    ends: list[tuple[int, float]] = []
    for index, line in enumerate(lines):
        known = line[np.isfinite(line)]
        if len(known):
            last = float(np.log10(known[-1])) if logarithmic else float(known[-1])
            ends.append((index, (last - low) / (high - low)))
    places = _within(spread([place for _, place in ends], ROW / (height - FRAME)))
    return [_label(*labels[index], place) for (index, _), place in zip(ends, places, strict=True)]


def label_width(labels: Sequence[str]) -> int:
    """Return how many px the longest label takes."""
    return 9 * max(len(shorten(label, LONGEST)) for label in labels)


def _label(text: str, colour: str, place: float) -> Spec:
    return {
        "xref": "paper",
        "yref": "paper",
        "x": 1,
        "y": place,
        "xanchor": "left",
        "yanchor": "middle",
        "xshift": 8,
        "text": f"<b>{plain(shorten(text, LONGEST))}</b>",
        "font": {"size": TEXT, "color": colour},
        "showarrow": False,
    }


def _within(places: list[float]) -> list[float]:
    """Shift a column of labels as a whole where it would leave the figure."""
    if not places:
        return places
    shift = max(0.0, -0.06 - min(places)) - max(0.0, max(places) - 1.06)
    return [place + shift for place in places]
