"""Line charts: a core that draws levels, marked points, shaded ground and names, and lines over counted points."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
import plotly.graph_objects as go
import torch
from torch import Tensor

from embedlib.colours import GRID, GROUND, INK, MUTED, RULE, SERIES, Theme
from embedlib.figures.labels import LONGEST, end_names, label_width, line_labels
from embedlib.figures.layout import (
    COLUMN_SHARE,
    TICK,
    AxesOptions,
    Frame,
    Spec,
    axis,
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
from embedlib.figures.marks import dashed_line, ground, legend_entry, level_name, note, scatter, vertical_line
from embedlib.figures.text import bold, hover, plain, shorten

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


class LineChart:
    """Axes, shapes and texts of a line chart under construction; `figure` adds the lines."""

    def __init__(self, frame: Frame, height: int, x: Spec, y: Spec) -> None:
        self.frame, self.height, self.x, self.y = frame, frame.height or height, x, y
        self.shapes: list[Spec] = []
        self.notes: list[Spec] = []

    def share(self, x: float) -> float:
        """Return the position of a value along x, in [0, 1]."""
        low, high = self.x["range"]
        return float((axis_value(self.x, x) - low) / (high - low))

    def level(self, value: float, name: str, *, at_end: bool = False) -> None:
        """Draw a dashed horizontal line, its name over its left or right end."""
        self.shapes.append(dashed_line(value, self.frame.theme, layer="below"))
        self.notes.append(level_name(name, axis_value(self.y, value), self.frame.theme, at_end=at_end))

    def mark(self, x: float, name: str) -> None:
        """Draw a vertical line at a value of x and write its name over the plot, which takes 24 px."""
        share = self.share(x)
        side = "left" if share < 0.15 else "right" if share > 0.85 else "center"
        self.shapes.append(vertical_line(x, self.frame.theme))
        if name:
            self.write(x, 1, bold(name), f"{side} bottom")

    def mark_inside(self, x: float, name: str) -> None:
        """Draw a vertical line at a value of x and write its name at the foot, on the side that has more room."""
        anchor, shift = ("left bottom", 4) if self.share(x) < 0.5 else ("right bottom", -4)
        self.shapes.append(vertical_line(x, self.frame.theme))
        self.write(x, 0, plain(name), anchor, xshift=shift)

    def write(self, x: float, up: float, text: str, anchor: str, **more: object) -> None:
        """Write text in Plotly's markup at a value of x and a share of the plot's height."""
        theme, at = self.frame.theme, axis_value(self.x, x)
        self.notes.append(note(text, at, up, INK[theme], anchor, paper="y", size=TICK, over=theme, **more))

    def shade(self, left: float, right: float, name: str = "") -> None:
        """Shade a stretch of x, with its name inside."""
        self.shapes.append(ground(left, right, GRID[self.frame.theme], 0.6))
        if name:
            self.write(left, 1, plain(name), "left top", xshift=6)

    def figure(self, traces: Sequence[Spec], *, top: int, right: int, **more: object) -> go.Figure:
        """Return the figure, `top` px over and `right` px beside the plot; `more` are further entries of the layout."""
        layout = self.frame.layout(self.height, top=top, xaxis=self.x, yaxis=self.y)
        layout |= {"annotations": self.notes, "shapes": self.shapes} | more
        layout["margin"] |= {"r": right}
        return make_figure(traces, layout)


def axis_value(spec: Spec, value: float) -> float:
    """Convert a value to its axis' own unit, in which Plotly has ranges and places: log10 on a logarithmic axis."""
    return math.log10(value) if spec.get("type") == "log" else float(value)


def value_range(values: Any, *also: float, log: bool = False) -> tuple[float, float]:
    """Return the range of y in the axis' own unit: all finite values and `also`, with a little room."""
    every = np.append(np.asarray(values, dtype=np.float64), also)
    every = every[np.isfinite(every) & ((every > 0) | (not log))]
    every = np.log10(every) if log else every
    low, high = (float(every.min()), float(every.max())) if every.size else (0.0, 1.0)
    room = 0.07 * (high - low) or 0.5
    return (low - 0.4 * room if low == 0 in also and not log else low - room), high + room


def dots(x: Sequence[float], y: Sequence[float], colours: Sequence[str], theme: Theme) -> Spec:
    """Return large points over the lines, without a hover text."""
    marker = {"size": 13, "color": list(colours), "line": {"color": INK[theme], "width": 2}}
    return scatter("markers", list(x), list(y), marker=marker, hoverinfo="skip", cliponaxis=False)


def lines_figure(
    values: Tensor,
    *,
    names: Sequence[str],
    chosen: int | None = None,
    chosen_name: str = "",
    fine: Tensor | None = None,
    tokens: Sequence[str] = (),
    points: Sequence[str] = (),
    room: int = 64,
    floor: tuple[float, str] | None = None,
    zero: bool = False,
    hover_text: str = "{name}\n{x}: {y}",
    **options: Unpack[AxesOptions],
) -> go.Figure:
    """Draw at most six lines over counted points, each named at its end in its colour; one trace per line.

    Args:
        values: (n_lines, n_points); NaN leaves a gap.
        chosen: the point that is marked on every line, with `chosen_name` over it.
        fine: (n_lines, k · (n_points - 1) + 1) curves between the points, in place of straight lines.
        tokens: labels of the tokens at the first points, where these are positions.
        points: names of the points; they are numbered if empty.
        floor: a dashed level and its name.
        zero: whether y begins at 0, for lengths and distances.
    """
    check_matrix("values", values)
    n_lines, n_points = values.shape
    if n_lines > len(DASHES):
        raise ValueError(f"values has {n_lines} lines: at most {len(DASHES)} can be told apart, choose some")
    check_labels(names, n_lines)
    check_chosen(chosen, n_points)
    frame, lines, counted = Frame(**options), numbers(values), indices(n_points)
    theme, last = frame.theme, max(1, n_points - 1)
    ticks: Spec = {"dtick": 1} if n_points <= 12 else {}
    if points:
        ticks = token_ticks(points, room=COLUMN_SHARE, chosen=chosen)
    elif tokens:
        ticks = position_ticks(tokens, n_points, room=room, chosen=chosen)
    low, high = value_range(lines, *([] if floor is None else [floor[0]]), *([0.0] if zero else []))
    x = axis(theme, frame.x_title, tickformat="d", nticks=10, range=[-0.02 * last, n_points - 1 + 0.02 * last])
    y = axis(theme, frame.y_title, range=[low, high], nticks=7, zeroline=True, fixedrange=True)
    chart = LineChart(frame, 400, x | ticks, y)
    ends = [
        (name, SERIES[theme][index], 1, (float(line[-1]) - low) / (high - low))
        for index, (name, line) in enumerate(zip(names, lines, strict=True))
        if name and np.isfinite(line[-1])
    ]
    chart.notes += end_names(ends, longest=LONGEST, height=chart.height, paper="xy", xshift=6)
    if floor is not None:
        chart.level(*floor, at_end=True)
    traces = [
        scatter(
            "lines+markers" if n_points <= 60 else "lines",
            counted,
            line,
            name=plain(name),
            customdata=counted,
            line={"color": colour, "width": 2.75, "dash": dash},
            marker={"size": 6, "color": colour},
            hovertemplate=hover(hover_text, name=plain(name), x="%{x}", y="%{y:.4f}"),
            unselected={"marker": {"opacity": 1}},
        )
        for line, name, colour, dash in zip(lines, names, SERIES[theme], DASHES, strict=False)
    ]
    if fine is not None:  # the points keep their words, and the curves take over their names and lines
        along = np.linspace(0, n_points - 1, fine.shape[1], dtype=np.float32)
        for trace, curve in zip(traces[:], numbers(fine), strict=True):
            taken = {"name": trace.pop("name"), "line": trace.pop("line"), "hoverinfo": "skip"}
            trace |= {"mode": "markers", "marker": trace["marker"] | {"size": 6 if n_points <= 120 else 4}}
            traces.insert(len(traces) - n_lines, scatter("lines", along, curve, **taken))
    if chosen is not None:
        chart.mark(chosen, chosen_name)
        traces.append(dots([chosen] * n_lines, lines[:, chosen].tolist(), SERIES[theme][:n_lines], theme))
    return chart.figure(traces, top=32 if chosen_name else 12, right=14 + label_width(names))


def lines_alt(values: Tensor) -> dict[str, float]:
    """Summarise lines for an alt text: lines, points, lowest, highest."""
    return {"lines": values.shape[0], "points": values.shape[1]} | extremes(values)


@dataclass(frozen=True, slots=True)
class Curve:
    """One of many lines.

    Attributes:
        name: in full, under the pointer.
        label: short, beside the line's end; `brief` on a phone, if it is given.
        group: index of its colour in SERIES.
        nth: index within the group, which sets its dash and its marks; None counts them.
        hollow: indices of points whose marks are hollow.
    """

    name: str
    label: str
    group: int
    nth: int | None = None
    hollow: tuple[int, ...] = ()
    brief: str = ""


def curve_styles(
    curves: Sequence[Curve], theme: Theme, *, front: int | None, n_groups: int, width: float
) -> tuple[list[int], list[Spec], list[str]]:
    """Return each curve's index in its group, its line style, and its label's colour; all grey but the one in front."""
    if any(not 0 <= curve.group < n_groups for curve in curves):
        raise ValueError(f"a curve's group must be from 0 to {n_groups - 1}")
    if front is not None and not 0 <= front < len(curves):
        raise ValueError(f"front={front} must be None or a line from 0 to {len(curves) - 1}")
    counted: Counter[int] = Counter()
    places, styles, inks = [], [], []
    for index, curve in enumerate(curves):
        places.append((counted[curve.group] if curve.nth is None else curve.nth) % len(DASHES))
        counted[curve.group] += 1
        behind, colour = front not in (None, index), SERIES[theme][curve.group]
        line = {"color": RULE[theme] if behind else colour, "dash": DASHES[places[-1]]}
        styles.append(line | {"width": 2.0 if behind else 4.5 if index == front else width})
        inks.append(MUTED[theme] if behind else colour)
    return places, styles, inks


def curves_figure(
    values: Tensor,
    *,
    curves: Sequence[Curve],
    groups: Sequence[str],
    front: int | None = None,
    chosen: tuple[int, str] | None = None,
    edge: tuple[float, str] | None = None,
    level: tuple[float, str] | None = None,
    logarithmic: bool = False,
    hover_text: str = "{name}\n{x}: {y}",
    ended_text: str = "{name}",
    **options: Unpack[AxesOptions],
) -> go.Figure:
    """Draw many lines over counted points, colours by group and dashes within one; a trace per line, then the legend's.

    Args:
        values: (n_lines, n_points); NaN leaves a gap.
        groups: names of the colours in the legend, which leaves out those without a line; empty for no legend.
        chosen: the point that is marked by a vertical line, and its name.
        edge: where the shaded ground begins on x, and its name.
        level: a dashed height and its name.
        logarithmic: whether y is; all values are then above 0.
        ended_text: label of a line that ends before the last point, with {name}.
    """
    check_matrix("values", values)
    check_labels([curve.name for curve in curves], len(values))
    frame, lines, n_points = Frame(**options), numbers(values), values.shape[1]
    theme, n_groups = frame.theme, min(len(groups) or len(SERIES["light"]), len(SERIES["light"]))
    _, styles, inks = curve_styles(curves, theme, front=front, n_groups=n_groups, width=3.0)
    # At most 400 points of a line: more are less than a pixel each.
    drawn = np.unique(np.linspace(0, n_points - 1, min(n_points, 400)).round().astype(np.int32))
    if edge is not None:
        drawn = np.union1d(drawn, np.arange(max(0, int(edge[0]) - 1), min(n_points, int(edge[0]) + 1), dtype=np.int32))
    y_range = value_range(lines, *([] if level is None else [level[0]]), log=logarithmic)
    y = axis(theme, frame.y_title, range=list(y_range), nticks=7, zeroline=not logarithmic, fixedrange=True)
    chart = LineChart(
        frame,
        460,
        axis(theme, frame.x_title, tickformat="d", nticks=8, range=[0, max(1, n_points - 1)]),
        y | ({"type": "log", "dtick": 1} if logarithmic else {}),
    )
    chart.notes += line_labels(
        torch.from_numpy(np.log10(lines) if logarithmic else lines).double(),
        [(shorten(curve.label, LONGEST), ink) for curve, ink in zip(curves, inks, strict=True)],
        range(n_points),
        y_range,
        plot_height=chart.height - 90,
        lead=14,
        ended_text=ended_text,
        theme=theme,
    )
    if edge is not None:
        chart.shade(edge[0], n_points - 1, edge[1])
    if level is not None:
        chart.level(*level)
    if chosen is not None:  # over the plot are rows of the legend
        chart.mark_inside(*chosen)
    traces = [
        scatter(
            "lines+markers" if len(drawn) <= 12 else "lines",
            drawn,
            line[drawn],
            name=plain(curve.name),
            line=style | ({"dash": "solid"} if index == front else {}),
            marker={"size": 8, "color": style["color"], "line": {"color": GROUND[theme], "width": 1}},
            hovertemplate=hover(hover_text, name=plain(curve.name), x="%{x}", y="%{y:.4g}"),
            showlegend=False,
            cliponaxis=False,
            zorder=int(index == front),
        )
        for index, (line, curve, style) in enumerate(zip(lines, curves, styles, strict=True))
    ]
    used = sorted({curve.group for curve in curves}) if groups and front is None else []
    entries = [legend_entry(groups[group], SERIES[theme][group]) for group in used]
    return chart.figure(
        [*traces, *entries],
        top=48 if len(used) > 1 else 16,
        right=30 + label_width([curve.label for curve in curves]),
        showlegend=len(used) > 1,
        legend=frame.legend(chart.height),
    )
