"""Many named lines on one chart: colours tell the groups, dashes the lines within one, and one line can stand out."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
import torch
from numpy.typing import NDArray
from torch import Tensor

from embedlib.figures.colours import GRID, GROUND, INK, MUTED, RULE, SERIES, Theme
from embedlib.figures.labels import LONGEST, label_width, line_labels
from embedlib.figures.layout import (
    TICK,
    Spec,
    axis,
    base_layout,
    check_labels,
    check_matrix,
    extremes,
    legend,
    make_figure,
    numbers,
)
from embedlib.figures.lines import DASHES
from embedlib.figures.marks import dashed, ground, legend_entry, level_name, note, scatter, upright
from embedlib.figures.text import hover, plain, shorten


def mark_point(layout: Spec, x: int, name: str, last: int, theme: Theme) -> None:
    """Draw an upright through a point of x, its name at the foot on the side that has more room."""
    anchor, shift = ("left bottom", 4) if x < last / 2 else ("right bottom", -4)
    layout["shapes"].append(upright(x, theme))
    layout["annotations"].append(
        note(plain(name), x, 0, INK[theme], anchor, paper="y", size=TICK, over=theme, xshift=shift)
    )


def shade(layout: Spec, left: float, right: float, name: str, theme: Theme) -> None:
    """Shade the ground of a stretch of x and say above it what it is."""
    layout["shapes"].append(ground(left, right, GRID[theme], 0.6))
    layout["annotations"].append(
        note(plain(name), left, 1, INK[theme], "left top", paper="y", size=TICK, over=theme, xshift=6)
    )


MOST = 400  # points drawn of a line; more than that is less than a pixel each
FRAME = 90  # px of the height that are not the lines' own
LEAD = 14  # px from the end of a line to its name


@dataclass(frozen=True, slots=True)
class Curve:
    """One line.

    Attributes:
        name: in full, for the hover.
        label: short, beside the line's end; many lines that end in one point have theirs together.
        group: index of the group, which gives the colour; 0 … 5.
    """

    name: str
    label: str
    group: int


def curves_figure(
    values: Tensor,
    *,
    curves: Sequence[Curve],
    groups: Sequence[str],
    x_title: str,
    y_title: str,
    theme: Theme,
    front: int | None = None,
    chosen: tuple[int, str] | None = None,
    edge: tuple[float, str] | None = None,
    level: tuple[float, str] | None = None,
    logarithmic: bool = False,
    hover_text: str = "{name}\n{x}: {y}",
    ended_text: str = "{name}",
    height: int = 460,
    title: str = "",
) -> go.Figure:
    """Draw lines over counted points, 0, 1, 2 and so on.

    Args:
        values: (n_lines, n_points); NaN leaves a gap.
        curves: one per line.
        groups: what the groups are called, in the legend, which leaves out those without a line; empty for no legend.
        x_title: what is counted along x.
        y_title: what the values are.
        theme: "light" or "dark".
        front: the line that stands out; all others are grey. None shows all in colour.
        chosen: the point that is marked by an upright, and what to call it.
        edge: where on x the known ends, and what lies beyond it: that ground is shaded.
        level: a dashed height and what to call it.
        logarithmic: whether y is; all values are then above 0.
        hover_text: what a point says, with {name}, {x} and {y}.
        ended_text: what stands where a line ends before the last point, with {name}.
        height: in CSS pixels.
        title: a heading inside the figure.

    Returns:
        A figure with one trace per line, in order, and one without points for each group in the legend.

    Raises:
        ValueError: values not of two dimensions or empty, curves that do not fit, an unknown group or front.
    """
    check_matrix("values", values)
    check_labels([curve.name for curve in curves], len(values))
    known = min(len(groups) or len(SERIES[theme]), len(SERIES[theme]))
    if any(not 0 <= curve.group < known for curve in curves):
        raise ValueError(f"a curve's group must be from 0 to {known - 1}")
    if front is not None and not 0 <= front < len(curves):
        raise ValueError(f"front={front} must be None or a line from 0 to {len(curves) - 1}")
    lines = numbers(values)
    n_points = lines.shape[1]
    drawn = np.unique(np.linspace(0, n_points - 1, min(n_points, MOST)).round().astype(np.int32))
    if edge is not None:
        drawn = np.union1d(drawn, np.arange(max(0, int(edge[0]) - 1), min(n_points, int(edge[0]) + 1), dtype=np.int32))
    low, high = _reach(lines, level, logarithmic=logarithmic)
    used = sorted({curve.group for curve in curves}) if groups and front is None else []
    layout = base_layout(
        theme,
        height=height,
        title=title,
        xaxis=axis(theme, x_title, tickformat="d", nticks=8, range=[0, max(1, n_points - 1)]),
        yaxis=axis(theme, y_title, range=[low, high], nticks=7, zeroline=not logarithmic, fixedrange=True)
        | ({"type": "log", "dtick": 1} if logarithmic else {}),
        annotations=line_labels(
            torch.from_numpy(np.log10(lines) if logarithmic else lines).double(),
            _labelled(curves, front, theme),
            range(n_points),
            (low, high),
            plot_height=height - FRAME,
            lead=LEAD,
            ended_text=ended_text,
            theme=theme,
        ),
        shapes=[],
        showlegend=len(used) > 1,
        legend=legend(theme, height=height, title=title),
    )
    layout["margin"] |= {
        "t": (48 if len(used) > 1 else 16) + (36 if title else 0),
        "r": 16 + LEAD + label_width([curve.label for curve in curves]),
    }
    if edge is not None:
        shade(layout, edge[0], n_points - 1, edge[1], theme)
    if level is not None:
        height_of_level = float(np.log10(level[0])) if logarithmic else level[0]
        layout["shapes"].append(dashed(level[0], theme))
        layout["annotations"].append(level_name(level[1], height_of_level, theme))
    if chosen is not None:
        mark_point(layout, *chosen, n_points - 1, theme)
    styles = _styles(curves, front, theme)
    traces = [
        _line(drawn, line[drawn], curves[index], styles[index], theme, hover_text) | {"zorder": int(index == front)}
        for index, line in enumerate(lines)
    ]
    return make_figure([*traces, *(legend_entry(groups[group], SERIES[theme][group]) for group in used)], layout)


def _styles(curves: Sequence[Curve], front: int | None, theme: Theme) -> list[Spec]:
    """Colour by group, dash by the order within it; all grey but the one in front where there is one."""
    styles: list[Spec] = []
    counted: dict[int, int] = {}
    for index, curve in enumerate(curves):
        nth = counted[curve.group] = counted.get(curve.group, -1) + 1
        behind = front is not None and index != front
        styles.append(
            {
                "color": RULE[theme] if behind else SERIES[theme][curve.group],
                "width": 2.0 if behind else 4.5 if index == front else 3.0,
                "dash": "solid" if index == front else DASHES[nth % len(DASHES)],
            }
        )
    return styles


def _labelled(curves: Sequence[Curve], front: int | None, theme: Theme) -> list[tuple[str, str]]:
    """Each line's label and its colour, grey where another line is in front."""
    return [
        (shorten(curve.label, LONGEST), SERIES[theme][curve.group] if front in (None, index) else MUTED[theme])
        for index, curve in enumerate(curves)
    ]


def _line(
    x: NDArray[np.int32], y: NDArray[np.float32], curve: Curve, style: Spec, theme: Theme, hover_text: str
) -> Spec:
    return scatter(
        "lines+markers" if len(x) <= 12 else "lines",
        x,
        y,
        name=plain(curve.name),
        line=style,
        marker={"size": 8, "color": style["color"], "line": {"color": GROUND[theme], "width": 1}},
        hovertemplate=hover(hover_text, name=plain(curve.name), x="%{x}", y="%{y:.4g}"),
        showlegend=False,
        cliponaxis=False,
    )


def _reach(lines: NDArray[np.float32], level: tuple[float, str] | None, *, logarithmic: bool) -> tuple[float, float]:
    """The range of y, in the axis' own unit: all values and the level, with a little room."""
    heights = np.append(lines[np.isfinite(lines)], [] if level is None else [level[0]])
    if logarithmic:
        heights = np.log10(heights[heights > 0])
    low, high = (float(heights.min()), float(heights.max())) if len(heights) else (0.0, 1.0)
    room = 0.06 * (high - low) or 0.5
    return low - room, high + room


def curves_alt(values: Tensor) -> dict[str, float]:
    """Return curves in numbers, for a sentence: lines, points, lowest, highest."""
    return {"lines": values.shape[0], "points": values.shape[1]} | extremes(values)
