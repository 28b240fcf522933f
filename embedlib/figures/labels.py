"""Names beside points and beside the ends of lines, pushed apart where they would cover each other."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embedlib.figures.colours import Theme
from embedlib.figures.layout import Points, Spec
from embedlib.figures.marks import note
from embedlib.figures.text import bold, columns, plain, shorten

CHARACTER, LINE = 8.5, 20.0  # px, of 16 px text
STRAIGHT, DIAGONAL = 9.0, 5.4  # px from an 11 px point's centre to its name
CLEAR = 5.0  # px, a point's own radius
BEYOND = 0.1  # of the points' extent: how much further than the points each axis reaches
PLACES = (
    "top center",
    "bottom center",
    "middle right",
    "middle left",
    "top right",
    "top left",
    "bottom right",
    "bottom left",
)
_SIDES = np.array([(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, 1), (1, -1), (-1, -1)], dtype=np.float64)


def place_names(
    points: Points,
    obstacles: Points,
    lengths: Sequence[int],
    *,
    size: tuple[float, float],
    away: Points | None = None,
) -> list[str]:
    """Give each point's name a place around it, or none where all places are taken.

    Args:
        points: (n, 2), the points that have names.
        obstacles: (m, 2), all points of the figure, which names must not cover.
        lengths: characters of each name.
        size: width and height in px that all points fit into, with one scale for both axes.
        away: (n, 2), the direction of the arrow at each point, which its name avoids where it can.

    Returns:
        For each point one of Plotly's text positions, or "" for a name that is left to the hover. Of several names
        for one and the same point only the first is placed.
    """
    scale = _pixels_per_unit(obstacles, size)
    halves = np.stack([CHARACTER * np.maximum(1, np.array(lengths)), np.full(len(points), LINE)], axis=1) / 2  # (n, 2)
    gap = np.where(np.abs(_SIDES).sum(axis=1) == 2, DIAGONAL, STRAIGHT)[:, None]  # (8, 1)
    centres = (points * scale)[:, None] + _SIDES * (halves[:, None] + gap)  # (n, 8, 2)
    distance = np.abs(centres[:, :, None] - obstacles * scale)  # (n, 8, m, 2)
    low, high = _edges(obstacles * scale)
    outside = ((centres - halves[:, None] < low) | (centres + halves[:, None] > high)).any(axis=2)  # (n, 8)
    covered = (distance < halves[:, None, None] + CLEAR).all(axis=3).sum(axis=2)  # (n, 8) points under each place
    hidden = covered + outside
    ranks = _preference(len(points), away)
    places, taken, seen = [""] * len(points), np.empty((0, 2, 2)), set[bytes]()
    for index in range(len(points)):
        cost = hidden[index] + _touching(centres[index], halves[index], taken)  # (8,)
        if points[index].tobytes() in seen or cost.min() > 0:
            continue
        best = int(np.argmin(np.where(cost == 0, ranks[index], np.inf)))
        places[index] = PLACES[best]
        taken = np.concatenate([taken, np.stack([centres[index, best], halves[index]])[None]])
        seen.add(points[index].tobytes())
    return places


def _pixels_per_unit(points: Points, size: tuple[float, float]) -> float:
    width, height = np.maximum(np.ptp(points, axis=0), 1e-9)
    return float(min(size[0] / width, size[1] / height))


def _edges(obstacles: NDArray[np.floating]) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
    """The least and the greatest x and y that the axes show, when they show a little more than the points."""
    low, high = obstacles.min(axis=0), obstacles.max(axis=0)
    room = BEYOND * (high - low) + STRAIGHT + LINE
    return low - room, high + room


def _preference(count: int, away: Points | None) -> NDArray[np.float64]:
    """(n, 8), lower is better: the order of PLACES, and the side that the arrow leaves free."""
    order = np.tile(np.arange(len(PLACES)) / len(PLACES), (count, 1))
    if away is None:
        return order
    direction = away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-9)
    sides = _SIDES / np.linalg.norm(_SIDES, axis=1, keepdims=True)
    towards: NDArray[np.float64] = np.maximum(0, direction @ sides.T)
    return order + 2 * towards


def _touching(centres: NDArray[np.float64], half: NDArray[np.float64], taken: NDArray[np.float64]) -> NDArray[np.int64]:
    """(8,): how many of the (k, 2, 2) boxes, each a centre and half its size, a name at each place would touch."""
    touch = np.abs(centres[:, None] - taken[None, :, 0]) < half + taken[None, :, 1]  # (8, k, 2)
    return np.asarray(touch.all(axis=2).sum(axis=1), dtype=np.int64)


def apart(places: Sequence[tuple[float, float]], names: Sequence[str]) -> list[int]:
    """Return which names can be written over their places, (x, y) in px each: of two that would touch the first."""
    widths = [9.0 * columns(shorten(name)) for name in names]
    kept: list[int] = []
    for index, (x, y) in enumerate(places):
        near = (at for at in kept if abs(places[at][1] - y) <= 19)
        if all(abs(places[at][0] - x) > (widths[at] + widths[index]) / 2 + 4 for at in near):
            kept.append(index)
    return kept


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


LONGEST = 18  # characters
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
        named.append(_at_the_right([labels[index] for index in group], sum(mine) / len(mine)))
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


def end_names(ends: Sequence[tuple[str, str, float, float]], *, longest: int, height: int, **more: Any) -> list[Spec]:
    """Return the names of a few lines beside their ends.

    Args:
        ends: of each line the name, the colour, and where it ends: on x, and as a share of the plot's height.
        longest: most characters of a name.
        height: of the figure, in CSS pixels.
        more: further arguments of `note`.
    """
    places = spread([up for *_, up in ends], 21 / (height - 84), low=0.02, high=0.98)
    return [
        note(bold(shorten(name, longest)), x, place, colour, **more)
        for (name, colour, x, _), place in zip(ends, places, strict=True)
    ]


def label_width(labels: Sequence[str], longest: int = LONGEST) -> int:
    """Return how many px the longest label takes."""
    return 9 * max((columns(shorten(label, longest)) for label in labels), default=0)


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


def _at_the_right(labels: Sequence[tuple[str, str]], place: float) -> Spec:
    """One label for lines that lie on each other, each name in the colour of its line."""
    names = [plain(shorten(name, LONGEST)) for name, _ in labels]
    inks = [ink for _, ink in labels]
    if len(set(inks)) > 1:
        names = [f"<span style='color:{ink}'>{name}</span>" for name, ink in zip(names, inks, strict=True)]
    return note(f"<b>{' /<br>'.join(names)}</b>", 1, place, inks[0], paper="xy", xshift=8, align="left")


def _where_it_ends(text: str, colour: str, point: int, place: float, *, after: bool, theme: Theme) -> Spec:
    """Above the line's last point, on the side that has more room."""
    anchor, shift = ("left bottom", 4) if after else ("right bottom", -4)
    label = bold(shorten(text, 3 * LONGEST))
    return note(label, point, min(place, 0.94), colour, anchor, paper="y", over=theme, xshift=shift)
