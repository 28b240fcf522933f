"""Placement of labels beside points and beside the ends of lines, so that none covers another."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from embedlib.colours import MUTED, Theme
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
    """Choose one of Plotly's text positions for each point's name, or "" where all are taken.

    Of several names for one and the same point only the first is placed.

    Args:
        points: (n, 2), with names of `lengths` characters.
        obstacles: (m, 2), all points of the figure, which names must not cover.
        size: width and height in px of the area that shows all points, with one scale for both axes.
        away: (n, 2), direction of the arrow at each point, which its name avoids where it can.
    """
    scale = _pixels_per_unit(obstacles, size)
    halves = np.stack([CHARACTER * np.maximum(1, np.array(lengths)), np.full(len(points), LINE)], axis=1) / 2  # (n, 2)
    gap = np.where(np.abs(_SIDES).sum(axis=1) == 2, DIAGONAL, STRAIGHT)[:, None]  # (8, 1)
    centres = (points * scale)[:, None] + _SIDES * (halves[:, None] + gap)  # (n, 8, 2)
    distance = np.abs(centres[:, :, None] - obstacles * scale)  # (n, 8, m, 2)
    low, high = _axis_limits(obstacles * scale, size)
    outside = ((centres - halves[:, None] < low) | (centres + halves[:, None] > high)).any(axis=2)  # (n, 8)
    covered = (distance < halves[:, None, None] + CLEAR).all(axis=3).sum(axis=2)  # (n, 8) points under each place
    hidden = covered + outside
    ranks = _placement_costs(len(points), away)
    places, taken, seen = [""] * len(points), np.empty((0, 2, 2)), set[bytes]()
    for index in range(len(points)):
        cost = hidden[index] + _count_overlaps(centres[index], halves[index], taken)  # (8,)
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


def _axis_limits(
    obstacles: NDArray[np.floating], size: tuple[float, float]
) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
    """Return the least and the greatest x and y of the axes: the points, and what one scale leaves around them."""
    low, high = obstacles.min(axis=0), obstacles.max(axis=0)
    room = BEYOND * (high - low) + np.maximum(0, np.array(size) - (high - low)) / 2
    return low - room, high + room


def _placement_costs(count: int, away: Points | None) -> NDArray[np.float64]:
    """Return a cost (n, 8) for each text position: by the order of PLACES, and away from the arrow."""
    order = np.tile(np.arange(len(PLACES)) / len(PLACES), (count, 1))
    if away is None:
        return order
    direction = away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-9)
    sides = _SIDES / np.linalg.norm(_SIDES, axis=1, keepdims=True)
    towards: NDArray[np.float64] = np.maximum(0, direction @ sides.T)
    return order + 2 * towards


def _count_overlaps(
    centres: NDArray[np.float64], half: NDArray[np.float64], taken: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Count, for a name at each of the 8 places, how many of the (k, 2, 2) boxes (centre, half size) it would touch."""
    touch = np.abs(centres[:, None] - taken[None, :, 0]) < half + taken[None, :, 1]  # (8, k, 2)
    return np.asarray(touch.all(axis=2).sum(axis=1), dtype=np.int64)


def non_overlapping(places: Sequence[tuple[float, float]], names: Sequence[str]) -> list[int]:
    """Return the indices of names that can be written at their places, (x, y) in px; of two that touch, the first."""
    widths = [9.0 * columns(shorten(name)) for name in names]
    kept: list[int] = []
    for index, (x, y) in enumerate(places):
        near = (at for at in kept if abs(places[at][1] - y) <= 19)
        if all(abs(places[at][0] - x) > (widths[at] + widths[index]) / 2 + 4 for at in near):
            kept.append(index)
    return kept


# Places to try, the nearest first; across counts less, for remarks are wide.
_REMARK_OFFSETS = sorted(
    ((x, y) for x in range(-320, 321, 20) for y in range(-132, 133, 12) if abs(y) >= 24),
    key=lambda offset: math.hypot(0.6 * offset[0], offset[1]),
)


@dataclass(frozen=True, slots=True, eq=False)
class RemarkRoom:
    """A plot of some width in px from its upper left corner, where remarks are to be placed.

    Attributes:
        points: of each remark, (n_remarks, 2).
        lines: (n, 2) points of lines, which remarks avoid.
        size: width and height.
        left: remarks stay right of it.
    """

    points: NDArray[Any]
    lines: NDArray[Any]
    size: tuple[float, float]
    left: float = 0.0


def place_remarks(texts: Sequence[str], rooms: Sequence[RemarkRoom]) -> list[tuple[int, int] | None]:
    """Choose a place for a remark beside each point: right and down of it, in px; None where all are taken.

    It is free in every one of the rooms, which are one plot in different widths. Remarks avoid lines, each other, and
    the pointers from the points to the other remarks.
    """
    places: list[tuple[int, int] | None] = []
    lines = [room.lines for room in rooms]
    taken = [np.empty((0, 4)) for _ in rooms]  # centre and half the size of each remark
    for index, text in enumerate(texts):
        half = np.array([CHARACTER * columns(text) / 2 + 4, LINE / 2 + 2])
        found = None
        for offset in _REMARK_OFFSETS:
            centres = [room.points[index] + offset for room in rooms]
            if not all(map(_is_free, rooms, lines, taken, centres, [half] * len(rooms), [index] * len(rooms))):
                continue
            found = offset
            for at, (room, centre) in enumerate(zip(rooms, centres, strict=True)):
                taken[at] = np.vstack([taken[at], [*centre, *half]])
                lines[at] = np.vstack([lines[at], np.linspace(room.points[index], centre, 40)])
            break
        places.append(found)
    return places


def _is_free(
    room: RemarkRoom, lines: NDArray[Any], taken: NDArray[Any], centre: NDArray[Any], half: NDArray[Any], index: int
) -> bool:
    """Return whether a remark with this centre and half size has room, and its pointer runs through no other."""
    inside = bool(((centre - half >= (room.left, 0)) & (centre <= np.array(room.size) - half)).all())
    covers = (np.abs(lines - centre) < half).all(axis=1).any()
    touches = (np.abs(taken[:, :2] - centre) < half + taken[:, 2:]).all(axis=1).any()
    pointer = np.linspace(room.points[index], centre, 40)  # (40, 2)
    crosses = (np.abs(pointer[:, None] - taken[:, :2]) < taken[:, 2:]).all(axis=2).any()
    return inside and not covers and not touches and not crosses


def spread_out(values: Sequence[float], gap: float, *, low: float = -math.inf, high: float = math.inf) -> list[float]:
    """Move values as little as possible (least squares) so that they keep their order and lie at least `gap` apart.

    They stay within low and high; where gaps take more room than there is, they share it.
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
ROW = 20  # px: one label
MANY = 3  # lines that end in one point share a label from here on
SAME = 2.0  # px between the ends of lines that count as one point, at most


def line_labels(
    heights: Tensor,
    labels: Sequence[tuple[str, str]],
    xs: Sequence[float],
    y_range: tuple[float, float],
    *,
    plot_height: float,
    lead: int,
    ended_text: str,
    theme: Theme,
) -> list[Spec]:
    """Return the labels of lines: at the right for those that reach the last point, at their end for the others.

    At the right each is as near to its line's end as the others allow, joined to it by a thin line. Where many lines
    end in one point, their names stand together, as many in a row as fit, with one thin line for all.

    Args:
        heights: (n_lines, n_points) in the unit of the y axis, as is y_range; a line without any number gets no label.
        labels: text and colour of each line.
        lead: px from the end of a line to its name.
        ended_text: label of a line that ends early, with {name}.
    """
    low, high = y_range
    places = (heights - low) / (high - low)  # fractions of the plot's height
    last = [int(known.nonzero().max()) if known.any() else -1 for known in places.isfinite()]
    final = heights.shape[1] - 1
    whole = [index for index, end in enumerate(last) if end == final]
    room = ROW / plot_height
    # Of lines that end at one height, the one that was higher before has its name above.
    before = torch.nan_to_num(places).mean(1)
    rank = {index: float(places[index, -1]) + 1e-6 * float(before[index]) for index in whole}
    groups = _group_by_end(sorted(whole, key=lambda index: -rank[index]), places[:, -1], SAME / plot_height)
    widest = max((columns(name) for name, _ in labels), default=0)  # for which there is room
    rows = [_rows([labels[index] for index in group], widest) for group in groups]
    # A label of several rows takes a place for each of them, next to each other.
    at = spread_out(
        [rank[group[0]] for group, mine in zip(groups, rows, strict=True) for _ in mine],
        room,
        low=room / 2,
        high=1 - room / 2,
    )
    named = []
    for group, mine in zip(groups, rows, strict=True):
        taken, at = at[: len(mine)], at[len(mine) :]
        inks = {labels[index][1] for index in group}
        ink, end = inks.pop() if len(inks) == 1 else MUTED[theme], float(places[group[0], -1])
        named.append(_label_at_right(mine, end, (sum(taken) / len(taken) - end) * plot_height, ink=ink, lead=lead))
    middle = (xs[0] + xs[-1]) / 2
    return named + [
        _line_end_label(
            ended_text.format(name=labels[index][0]),
            labels[index][1],
            xs[end],
            float(places[index, end]),
            left=xs[end] < middle,
            theme=theme,
        )
        for index, end in enumerate(last)
        if 0 <= end < final
    ]


def end_names(ends: Sequence[tuple[str, str, float, float]], *, longest: int, height: int, **more: Any) -> list[Spec]:
    """Return the names, of at most `longest` characters, beside the ends of a few lines; `more` goes to `note`.

    `ends` has each line's name, its colour, and its end: on x, and as a share of the plot's height.
    """
    places = spread_out([up for *_, up in ends], 21 / (height - 84), low=0.02, high=0.98)
    return [
        note(bold(shorten(name, longest)), x, place, colour, **more)
        for (name, colour, x, _), place in zip(ends, places, strict=True)
    ]


def label_width(labels: Sequence[str], longest: int = LONGEST) -> int:
    """Return the width of the longest label in px."""
    return 9 * max((columns(shorten(label, longest)) for label in labels), default=0)


def _group_by_end(order: Sequence[int], ends: Tensor, same: float) -> list[list[int]]:
    """Group lines that end in one point, where they are many; every other line is a group of its own."""
    groups: list[list[int]] = []
    for index in order:
        if groups and float(ends[groups[-1][0]] - ends[index]) <= same:
            groups[-1].append(index)
        else:
            groups.append([index])
    return [part for group in groups for part in ([group] if len(group) >= MANY else [[one] for one in group])]


def _rows(labels: Sequence[tuple[str, str]], widest: int) -> list[str]:
    """Join names into as few rows of at most `widest` characters as possible, each name in its colour."""
    rows: list[list[tuple[str, str]]] = []
    for name, ink in labels:
        if rows and sum(columns(other) + 2 for other, _ in rows[-1]) + columns(name) <= widest:
            rows[-1].append((name, ink))
        else:
            rows.append([(name, ink)])
    if len(labels) == 1:
        return [bold(labels[0][0])]
    return [
        "<b>" + ", ".join(f'<span style="color:{ink}">{plain(name)}</span>' for name, ink in row) + "</b>"
        for row in rows
    ]


def _label_at_right(rows: Sequence[str], end: float, above: float, *, ink: str, lead: int) -> Spec:
    """Write rows right of the plot, `above` px over the lines' end, with a thin line to there."""
    pointer: Spec = {"showarrow": True, "arrowhead": 0, "arrowwidth": 1.5, "arrowcolor": ink, "ax": lead, "ay": -above}
    return note("<br>".join(rows), 1, end, ink, "left middle", paper="xy", align="left", **pointer)


def _line_end_label(text: str, colour: str, x: float, place: float, *, left: bool, theme: Theme) -> Spec:
    """Write a label beside the line's last point, where there is more room; above it unless it ends at the top."""
    above = place < 0.85
    return note(
        bold(text),
        x,
        min(max(place, 0.0), 1.0),
        colour,
        f"{'left' if left else 'right'} {'bottom' if above else 'top'}",
        paper="y",
        over=theme,
        xshift=10 if left else -10,
        yshift=4 if above else -4,
    )
