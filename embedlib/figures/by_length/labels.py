"""The name of each line beside its end, joined to it by a thin line where others push it away.

Where many lines end in one point, their names stand together, as many in a row as fit, with one thin line for all.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from embedlib.figures.by_length.axes import LengthAxis
from embedlib.figures.colours import MUTED, Theme
from embedlib.figures.labels import ROW, spread
from embedlib.figures.layout import TEXT, Spec
from embedlib.figures.marks import note
from embedlib.figures.text import bold, columns, plain

MANY = 3  # lines that end in one point share a label from here on
SAME = 2.0  # px between the ends of lines that count as one point, at most
LEAD = {False: 26, True: 12}  # px from the end of a line to its name, narrow or not


def length_labels(
    heights: Tensor,
    labels: Sequence[tuple[str, str]],
    x_axis: LengthAxis,
    reach: tuple[float, float],
    *,
    plot_height: float,
    ended_text: str,
    theme: Theme,
) -> list[Spec]:
    """Return the labels: at the right for lines that reach the last length, at their end for the others.

    Args:
        heights: (n_lines, n_lengths) in the unit of the y axis; a line without any number gets no label.
        labels: text and colour of each line.
        x_axis: where the lengths lie.
        reach: the range of y, in its own unit.
        plot_height: of the plot alone, in CSS pixels.
        ended_text: what a line says that ends early, with {name}.
        theme: "light" or "dark".
    """
    low, high = reach
    places = (heights - low) / (high - low)  # fractions of the plot's height
    last = [int(known.nonzero().max()) if known.any() else -1 for known in places.isfinite()]
    final = heights.shape[1] - 1
    whole = [index for index, end in enumerate(last) if end == final]
    room = ROW / plot_height
    # Of lines that end at one height, the one that was higher before has its name above.
    before = torch.nan_to_num(places).mean(1)
    rank = {index: float(places[index, -1]) + 1e-6 * float(before[index]) for index in whole}
    groups = _grouped(sorted(whole, key=lambda index: -rank[index]), places[:, -1], SAME / plot_height)
    widest = max((columns(name) for name, _ in labels), default=0)  # for which there is room
    rows = [_rows([labels[index] for index in group], widest) for group in groups]
    # A label of several rows takes a place for each of them, next to each other.
    at = spread(
        [rank[group[0]] for group, mine in zip(groups, rows, strict=True) for _ in mine],
        room,
        low=room / 2,
        high=1 - room / 2,
    )
    named = []
    for group, mine in zip(groups, rows, strict=True):
        taken, at = at[: len(mine)], at[len(mine) :]
        inks = {labels[index][1] for index in group}
        named.append(
            _at_the_right(
                mine,
                float(places[group[0], -1]),
                sum(taken) / len(taken),
                ink=inks.pop() if len(inks) == 1 else MUTED[theme],
                lead=LEAD[x_axis.narrow],
                plot_height=plot_height,
            )
        )
    return named + [
        _where_it_ends(
            ended_text.format(name=labels[index][0]),
            labels[index][1],
            x_axis.unit(x_axis.lengths[end]),
            float(places[index, end]),
            left=x_axis.share(x_axis.lengths[end]) < 0.5,
            theme=theme,
        )
        for index, end in enumerate(last)
        if 0 <= end < final
    ]


def _grouped(order: Sequence[int], ends: Tensor, same: float) -> list[list[int]]:
    """Put lines together that end in one point, where they are many; the others stay alone."""
    groups: list[list[int]] = []
    for index in order:
        if groups and float(ends[groups[-1][0]] - ends[index]) <= same:
            groups[-1].append(index)
        else:
            groups.append([index])
    return [part for group in groups for part in ([group] if len(group) >= MANY else [[one] for one in group])]


def _rows(labels: Sequence[tuple[str, str]], widest: int) -> list[str]:
    """Write names in as few rows of so many characters as they fit, each in its colour."""
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


def _at_the_right(rows: Sequence[str], end: float, place: float, *, ink: str, lead: int, plot_height: float) -> Spec:
    """Right of the plot, with a thin line to where the lines end."""
    return {
        "xref": "paper",
        "yref": "paper",
        "x": 1,
        "y": end,
        "xanchor": "left",
        "yanchor": "middle",
        "align": "left",
        "showarrow": True,
        "arrowhead": 0,
        "arrowwidth": 1.5,
        "arrowcolor": ink,
        "ax": lead,
        "ay": -(place - end) * plot_height,
        "text": "<br>".join(rows),
        "font": {"size": TEXT, "color": ink},
    }


def _where_it_ends(text: str, colour: str, x: float, place: float, *, left: bool, theme: Theme) -> Spec:
    """Beside the line's last point, on the side that has more room, above it unless it ends at the top."""
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
