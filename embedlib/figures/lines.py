"""Lines over positions or distances, each named at its own end rather than in a legend."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from torch import Tensor

from embedlib.figures.colours import GROUND, INK, MUTED, SERIES, Theme
from embedlib.figures.labels import spread
from embedlib.figures.layout import (
    TEXT,
    Spec,
    axis,
    base_layout,
    check_chosen,
    check_labels,
    check_matrix,
    halo,
    indices,
    make_figure,
    numbers,
)
from embedlib.figures.text import hover, plain, shorten

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
MARKED = 60  # points per line that still get a marker each
FRAME = 84.0  # px of the height that are not the lines' own


def lines_figure(
    values: Tensor,
    *,
    names: Sequence[str],
    x_title: str,
    y_title: str,
    theme: Theme,
    chosen: int | None = None,
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
    layout = base_layout(
        theme,
        height=height,
        title=title,
        xaxis=axis(theme, x_title, tickformat="d", nticks=10, range=_span(n_points)) | _whole(n_points),
        yaxis=axis(theme, y_title, range=[low, high], nticks=7, zeroline=True, fixedrange=True),
        annotations=_names(lines, names, low, high, theme, height),
        shapes=[] if chosen is None else [_upright(theme, chosen)],
    )
    layout["margin"] |= {"r": _margin(names)}
    if floor is not None:
        layout["shapes"].append(_level(theme, floor[0]))
        layout["annotations"].append(_level_name(theme, *floor))
    traces = [_line(line, names[index], index, theme, hover_text) for index, line in enumerate(lines)]
    if chosen is not None:
        traces.append(_dots(lines[:, chosen], chosen, theme))
    return make_figure(traces, layout)


def _line(values: NDArray[np.float32], name: str, index: int, theme: Theme, hover_text: str) -> Spec:
    few = len(values) <= MARKED
    counted = indices(len(values))
    return {
        "type": "scatter",
        "mode": "lines+markers" if few else "lines",
        "name": plain(name),
        "x": counted,
        "y": values,
        "customdata": counted,
        "line": {"color": SERIES[theme][index], "width": 2.75, "dash": DASHES[index]},
        "marker": {"size": 6, "color": SERIES[theme][index]},
        "hovertemplate": hover(hover_text, name=plain(name), x="%{x}", y="%{y:.4f}"),
        "unselected": {"marker": {"opacity": 1}},
    }


def _dots(values: NDArray[np.float32], chosen: int, theme: Theme) -> Spec:
    """The chosen point on every line."""
    return {
        "type": "scatter",
        "mode": "markers",
        "x": np.full(len(values), chosen, dtype=np.int32),
        "y": values,
        "marker": {
            "size": 14,
            "color": list(SERIES[theme][: len(values)]),
            "line": {"color": INK[theme], "width": 2.5},
        },
        "hoverinfo": "skip",
    }


def _names(
    lines: NDArray[np.float32], names: Sequence[str], low: float, high: float, theme: Theme, height: int
) -> list[Spec]:
    """Each line's name beside its end, pushed apart so that all can be read."""
    ends = [(index, float(line[-1])) for index, line in enumerate(lines) if names[index] and np.isfinite(line[-1])]
    fractions = [(value - low) / (high - low) for _, value in ends]
    return [
        {
            "xref": "paper",
            "yref": "paper",
            "x": 1,
            "y": place,
            "xanchor": "left",
            "yanchor": "middle",
            "xshift": 6,
            "text": f"<b>{plain(shorten(names[index], 16))}</b>",
            "font": {"size": TEXT, "color": SERIES[theme][index]},
            "showarrow": False,
        }
        for (index, _), place in zip(ends, spread(fractions, 21 / (height - FRAME), low=0.02, high=0.98), strict=True)
    ]


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


def _margin(names: Sequence[str]) -> int:
    longest = max(len(shorten(name, 16)) for name in names)
    return 14 + 9 * longest if longest else 16


def _upright(theme: Theme, position: int) -> Spec:
    """The line that marks the chosen position."""
    line = {"color": INK[theme], "width": 1.5, "dash": "dot"}
    place = {"x0": position, "x1": position, "yref": "paper", "y0": 0, "y1": 1}
    return {"type": "line", "line": line, "layer": "below", **place}


def _level(theme: Theme, value: float) -> Spec:
    line = {"color": MUTED[theme], "width": 2, "dash": "dash"}
    return {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": value, "y1": value, "line": line}


def _level_name(theme: Theme, value: float, name: str) -> Spec:
    return {
        "xref": "paper",
        "x": 0.99,
        "xanchor": "right",
        "y": value,
        "yanchor": "top",
        "text": plain(name),
        "font": {"size": TEXT, "color": MUTED[theme], "shadow": halo(theme)},
        "bgcolor": GROUND[theme],
        "showarrow": False,
    }


def lines_alt(values: Tensor) -> dict[str, float]:
    """Return lines in numbers, for a sentence: lines, points, lowest, highest, first, last (the last two of line 0)."""
    values = values.detach().float()
    finite = values[values.isfinite()]
    return {
        "lines": values.shape[0],
        "points": values.shape[1],
        "lowest": float(finite.min()),
        "highest": float(finite.max()),
        "first": float(values[0, 0]),
        "last": float(values[0, -1]),
    }
