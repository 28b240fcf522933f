"""The label of each line of a chart beside its end, pushed apart where they would cover each other."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from embedlib.figures.colours import MUTED, Theme
from embedlib.figures.layout import TEXT, Spec, halo
from embedlib.figures.spread import spread
from embedlib.figures.text import plain, shorten

LONGEST = 17  # characters
FRAME = 90.0  # px of the height that are not the lines' own
ROW = 20  # px: one label
SAME = 1e-3  # of the chart's height: less than a pixel, so that two lines are one to the eye


def end_labels(
    lines: NDArray[np.float32],
    labels: Sequence[tuple[str, str]],
    reach: tuple[float, float],
    *,
    height: int,
    logarithmic: bool,
    theme: Theme,
    ended_text: str = "{name}",
) -> list[Spec]:
    """Return the labels of lines, each as near to the place where its line ends as the others allow.

    A line that reaches the last point has its label at the right, inside the height of the chart; lines that lie on
    each other share one. A line that ends before has its label there.

    Args:
        lines: (n_lines, n_points); one without any number gets no label.
        labels: text and colour of each.
        reach: the range of y, in the axis' own unit.
        height: of the figure, in CSS pixels.
        logarithmic: whether y is.
        theme: "light" or "dark".
        ended_text: what a line says that ends before the last point, with {name}.
    """
    low, high = reach
    heights = (np.log10(lines) if logarithmic else lines).astype(np.float64)
    places = (heights - low) / (high - low)  # (n_lines, n_points), fractions of the chart's height
    last = [int(np.flatnonzero(np.isfinite(line))[-1]) if np.isfinite(line).any() else -1 for line in places]
    whole = [group for group in _coincident(places) if last[group[0]] == lines.shape[1] - 1]
    room = ROW / (height - FRAME)
    # A name that several lines share takes one place for each of them, next to each other.
    at = spread([float(places[index, -1]) for group in whole for index in group], room, low=room / 2, high=1 - room / 2)
    named = []
    for group in whole:
        mine, at = at[: len(group)], at[len(group) :]
        inks = [labels[index][1] for index in group]
        ink = next((ink for ink in inks if ink != MUTED[theme]), inks[0])  # one of them may stand out
        named.append(_at_the_right([labels[index][0] for index in group], ink, sum(mine) / len(mine)))
    ended = [index for index, end in enumerate(last) if 0 <= end < lines.shape[1] - 1]
    return named + [
        _where_it_ends(
            ended_text.format(name=labels[index][0]),
            labels[index][1],
            last[index],
            float(places[index, last[index]]),
            after=last[index] < lines.shape[1] / 2,
            theme=theme,
        )
        for index in ended
    ]


def label_width(labels: Sequence[str]) -> int:
    """Return how many px the longest label takes."""
    return 9 * max(len(shorten(label, LONGEST)) for label in labels)


def _coincident(places: NDArray[np.float64]) -> list[list[int]]:
    """Group the lines that lie on each other, in the order of their first."""
    groups: list[list[int]] = []
    for index, line in enumerate(places):
        for group in groups:
            if np.allclose(line, places[group[0]], rtol=0, atol=SAME, equal_nan=True):
                group.append(index)
                break
        else:
            groups.append([index])
    return groups


def _at_the_right(names: Sequence[str], colour: str, place: float) -> Spec:
    shown = ",<br>".join(plain(shorten(name, LONGEST)) for name in names)
    return {
        "xref": "paper",
        "yref": "paper",
        "x": 1,
        "y": place,
        "xanchor": "left",
        "yanchor": "middle",
        "xshift": 8,
        "align": "left",
        "text": f"<b>{shown}</b>",
        "font": {"size": TEXT, "color": colour},
        "showarrow": False,
    }


def _where_it_ends(text: str, colour: str, point: int, place: float, *, after: bool, theme: Theme) -> Spec:
    """Above the line's last point, on the side that has more room."""
    return {
        "x": point,
        "yref": "paper",
        "y": min(place, 0.94),
        "xanchor": "left" if after else "right",
        "yanchor": "bottom",
        "xshift": 4 if after else -4,
        "text": f"<b>{plain(shorten(text, 3 * LONGEST))}</b>",
        "font": {"size": TEXT, "color": colour, "shadow": halo(theme)},
        "showarrow": False,
    }
