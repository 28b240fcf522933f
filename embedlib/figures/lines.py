"""Lines over positions or distances, each named at its own end rather than in a legend."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from torch import Tensor

from embedlib.figures.colours import GROUND, INK, MUTED, SERIES, Theme
from embedlib.figures.labels import end_names, label_width
from embedlib.figures.layout import (
    BUTTONS,
    COLUMN_SHARE,
    TICK,
    Spec,
    axis,
    base_layout,
    check_chosen,
    check_labels,
    check_matrix,
    extremes,
    indices,
    make_figure,
    numbers,
    position_ticks,
    token_ticks,
)
from embedlib.figures.marks import dashed, note, scatter, upright
from embedlib.figures.text import bold, hover, plain

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
MARKED = 60  # points per line that still get a marker each
LONGEST = 16  # characters of a name


def lines_figure(
    values: Tensor,
    *,
    names: Sequence[str],
    x_title: str,
    y_title: str,
    theme: Theme,
    chosen: int | None = None,
    chosen_name: str = "",
    fine: Tensor | None = None,
    tokens: Sequence[str] = (),
    points: Sequence[str] = (),
    room: int = 64,
    floor: tuple[float, str] | None = None,
    zero: bool = False,
    hover_text: str = "{name}\n{x}: {y}",
    height: int = 400,
    title: str = "",
) -> go.Figure:
    """Draw a few lines over counted points, 0, 1, 2 and so on.

    Args:
        values: (n_lines, n_points), at most six lines; NaN leaves a gap.
        names: one per line, written at its end in its colour; empty for a single line that needs none.
        x_title: what is counted along x.
        y_title: what the values are.
        theme: "light" or "dark".
        chosen: the point that is marked on every line.
        chosen_name: what stands over it.
        fine: (n_lines, k · (n_points - 1) + 1) the curves between the points, drawn in place of straight lines.
        tokens: labels of the tokens at the first points, where these are positions.
        points: what the points are called, where they are not counted.
        room: how many upright labels fit along x.
        floor: a dashed level and what to call it.
        zero: whether y begins at 0, for lengths and distances.
        hover_text: what a point says, with {name}, {x} and {y}.
        height: in CSS pixels.
        title: a heading inside the figure.

    Returns:
        A figure with one trace per line (x counts, customdata too), and one for the chosen point.

    Raises:
        ValueError: values has more lines than can be told apart or other than two dimensions, names do not fit, or
            chosen is no point.
    """
    check_matrix("values", values)
    n_lines, n_points = values.shape
    if n_lines > len(DASHES):
        raise ValueError(f"values has {n_lines} lines: at most {len(DASHES)} can be told apart, choose some")
    check_labels(names, n_lines)
    check_chosen(chosen, n_points)
    lines = numbers(values)
    low, high = _reach(lines, floor, zero=zero)
    if points:
        ticks = token_ticks(points, room=COLUMN_SHARE, chosen=chosen)
    else:
        ticks = position_ticks(tokens, n_points, room=room, chosen=chosen) if tokens else _whole(n_points)
    layout = base_layout(
        theme,
        height=height,
        title=title,
        xaxis=axis(theme, x_title, tickformat="d", nticks=10, range=_span(n_points)) | ticks,
        yaxis=axis(theme, y_title, range=[low, high], nticks=7, zeroline=True, fixedrange=True),
        annotations=_names(lines, names, low, high, theme, height),
        shapes=[] if chosen is None else [upright(chosen, theme)],
    )
    layout["margin"] |= {"r": 14 + (label_width(names, LONGEST) or 2), "t": 48 if title else BUTTONS}
    if floor is not None:
        layout["shapes"].append(dashed(floor[0], theme))
        layout["annotations"].append(_level_name(theme, *floor))
    traces = [_line(line, names[index], index, theme, hover_text) for index, line in enumerate(lines)]
    if fine is not None:
        traces = [*_curves(numbers(fine), n_points, traces), *traces]
    if chosen is not None:
        if chosen_name:
            layout["annotations"].append(_over(chosen, chosen_name, n_points, theme))
            layout["margin"] |= {"t": layout["margin"]["t"] + (20 if title else 0)}
        traces.append(_dots(lines[:, chosen], chosen, theme))
    return make_figure(traces, layout)


def _line(values: NDArray[np.float32], name: str, index: int, theme: Theme, hover_text: str) -> Spec:
    few = len(values) <= MARKED
    counted = indices(len(values))
    return scatter(
        "lines+markers" if few else "lines",
        counted,
        values,
        name=plain(name),
        customdata=counted,
        line={"color": SERIES[theme][index], "width": 2.75, "dash": DASHES[index]},
        marker={"size": 6, "color": SERIES[theme][index]},
        hovertemplate=hover(hover_text, name=plain(name), x="%{x}", y="%{y:.4f}"),
        unselected={"marker": {"opacity": 1}},
    )


def _curves(fine: NDArray[np.float32], n_points: int, points: list[Spec]) -> list[Spec]:
    """The curves through the points, which keep the words and lose their own lines and their names."""
    x = np.linspace(0, n_points - 1, fine.shape[1], dtype=np.float32)
    curves = []
    for y, trace in zip(fine, points, strict=True):
        curves.append(scatter("lines", x, y, name=trace.pop("name"), line=trace.pop("line"), hoverinfo="skip"))
        trace |= {"mode": "markers", "marker": trace["marker"] | {"size": 6 if n_points <= 2 * MARKED else 4}}
    return curves


def _over(chosen: int, name: str, n_points: int, theme: Theme) -> Spec:
    side = "left" if chosen < 0.1 * n_points else "right" if chosen > 0.9 * n_points else "center"
    return note(bold(name), chosen, 1, INK[theme], f"{side} bottom", paper="y", size=TICK)


def _dots(values: NDArray[np.float32], chosen: int, theme: Theme) -> Spec:
    """The chosen point on every line."""
    return scatter(
        "markers",
        np.full(len(values), chosen, dtype=np.int32),
        values,
        marker={"size": 14, "color": list(SERIES[theme][: len(values)]), "line": {"color": INK[theme], "width": 2.5}},
        hoverinfo="skip",
    )


def _names(
    lines: NDArray[np.float32], names: Sequence[str], low: float, high: float, theme: Theme, height: int
) -> list[Spec]:
    ends = [
        (names[index], SERIES[theme][index], 1, (float(line[-1]) - low) / (high - low))
        for index, line in enumerate(lines)
        if names[index] and np.isfinite(line[-1])
    ]
    return end_names(ends, longest=LONGEST, height=height, paper="xy", xshift=6)


def _reach(lines: NDArray[np.float32], floor: tuple[float, str] | None, *, zero: bool) -> tuple[float, float]:
    """The range of y: all values and the floor, with a little room."""
    values = lines[np.isfinite(lines)].tolist() + ([] if floor is None else [floor[0]]) + ([0.0] if zero else [])
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    room = 0.08 * (high - low) or max(0.5, 0.5 * abs(high))
    return low - (0.4 * room if zero and low == 0 else room), high + room


def _span(n_points: int) -> list[float]:
    room = 0.02 * max(1, n_points - 1)
    return [-room, n_points - 1 + room]


def _whole(n_points: int) -> Spec:
    return {"dtick": 1} if n_points <= 12 else {}


def _level_name(theme: Theme, value: float, name: str) -> Spec:
    return note(plain(name), 0.99, value, MUTED[theme], "right top", paper="x", over=theme, bgcolor=GROUND[theme])


def lines_alt(values: Tensor) -> dict[str, float]:
    """Return lines in numbers, for a sentence: lines, points, lowest, highest."""
    return {"lines": values.shape[0], "points": values.shape[1]} | extremes(values)
