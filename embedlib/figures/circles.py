"""Pairs of columns as clock hands: each frequency rotates at its own speed, and together they identify the position."""

from collections.abc import Sequence
from typing import Unpack

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from torch import Tensor

from embedlib.colours import GROUND, INK, MUTED, RULE, SERIES, Theme
from embedlib.figures.layout import Frame, FrameOptions, Spec, check_chosen, check_labels, indices, make_figure, numbers
from embedlib.figures.marks import Grid, number, scatter
from embedlib.figures.text import hover, plain

CIRCLE_CELL = 230  # px, for four in a row on a wide screen


def circles_figure(
    points: Tensor,
    *,
    names: Sequence[str],
    chosen: Sequence[int],
    chosen_names: Sequence[str] | None = None,
    joined: int = 0,
    joined_name: str = "",
    columns: int = 4,
    cell: int = CIRCLE_CELL,
    hover_text: str = "{name}\n{position}: ({x}, {y})",
    **options: Unpack[FrameOptions],
) -> go.Figure:
    """Draw each pair's points in its plane, and the chosen positions (at most six) as hands of a clock.

    Per pair there is one trace of all points (customdata the position) and one per chosen position.

    Args:
        points: (n_pairs, seq_len, 2): x and y of each position, such as (cos, sin) of position · frequency.
        chosen_names: in the legend; None for the bare numbers.
        joined: how many of the first positions a line joins in their order, under joined_name in the legend.
        columns: circles in a row; two suit a phone.
        cell: height of each circle's cell in px; axes have equal units.
    """
    if points.ndim != 3 or points.shape[2] != 2 or 0 in points.shape:
        raise ValueError(f"points has shape {tuple(points.shape)}: it must be (n_pairs, seq_len, 2), and not empty")
    check_labels(names, len(points))
    frame = Frame(**options)
    theme = frame.theme
    if len(chosen) > len(SERIES[theme]):
        raise ValueError(f"chosen has {len(chosen)} positions: at most {len(SERIES[theme])} can be told apart")
    for position in chosen:
        check_chosen(position, points.shape[1])
    called = [str(position) for position in chosen] if chosen_names is None else list(chosen_names)
    check_labels(called, len(chosen))
    planes = numbers(points)
    grid = Grid(len(planes), columns=columns, cell=cell, gap=0.02)
    reach = 1.15 * float(np.linalg.norm(planes, axis=2).max()) or 1.0
    layout = grid.circles_layout(frame, names, reach, showlegend=bool(chosen) or joined > 1)
    traces: list[Spec] = []
    for index, plane in enumerate(planes):
        traces += _circle(plane, index, names[index], theme, hover_text)
        traces += [_first_steps(plane[:joined], index, joined_name, theme)] if joined > 1 else []
        traces += [_hand(plane[position], index, order, called[order], theme) for order, position in enumerate(chosen)]
    return make_figure(traces, layout)


def _circle(plane: NDArray[np.float32], index: int, name: str, theme: Theme, hover_text: str) -> list[Spec]:
    """Draw the points, and the circle through them where they all have one length."""
    where: Spec = {"xaxis": f"x{number(index)}", "yaxis": f"y{number(index)}", "showlegend": False}
    lengths = np.linalg.norm(plane, axis=1)
    traces: list[Spec] = []
    if np.ptp(lengths) < 1e-3 * lengths.max():
        angle = np.linspace(0, 2 * np.pi, 73, dtype=np.float32)
        ring = lengths.mean() * np.cos(angle), lengths.mean() * np.sin(angle)
        traces.append(scatter("lines", *ring, line={"color": RULE[theme], "width": 2}, hoverinfo="skip", **where))
    points = scatter(
        "markers",
        plane[:, 0],
        plane[:, 1],
        name=plain(name),
        customdata=indices(len(plane)),
        marker={"size": 8, "color": MUTED[theme], "opacity": 0.75, "line": {"color": GROUND[theme], "width": 1}},
        hovertemplate=hover(hover_text, name=plain(name), position="%{customdata}", x="%{x:.4f}", y="%{y:.4f}"),
        unselected={"marker": {"opacity": 0.75}},
        **where,
    )
    return [*traces, points]


def _first_steps(points: NDArray[np.float32], index: int, name: str, theme: Theme) -> Spec:
    """Draw a line through the first positions, numbered where it begins."""
    mark = number(index)
    colour = SERIES[theme][1]
    return scatter(
        "lines+markers+text",
        points[:, 0],
        points[:, 1],
        xaxis=f"x{mark}",
        yaxis=f"y{mark}",
        name=plain(name),
        text=["0"],
        textposition="bottom right",
        cliponaxis=False,
        line={"color": colour, "width": 2.5},
        marker={"size": 8, "color": colour},
        legendgroup="joined",
        showlegend=not index,
        hoverinfo="skip",
    )


def _hand(point: NDArray[np.float32], index: int, order: int, name: str, theme: Theme) -> Spec:
    """Draw a hand from the centre to one position, in that position's colour, with its name at the tip."""
    mark = number(index)
    colour = SERIES[theme][order]
    return scatter(
        "lines+markers",
        [0.0, float(point[0])],
        [0.0, float(point[1])],
        xaxis=f"x{mark}",
        yaxis=f"y{mark}",
        name=plain(name),
        legendgroup=str(order),
        showlegend=index == 0,
        line={"color": colour, "width": 3.5, "dash": "solid" if order % 2 == 0 else "dot"},
        marker={
            "size": [0, 15],
            "symbol": ["circle", "circle" if order % 2 == 0 else "diamond"],
            "color": colour,
            "opacity": 1,
            "line": {"color": INK[theme], "width": 2},
        },
        hoverinfo="skip",
        cliponaxis=False,
    )
