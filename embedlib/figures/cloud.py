"""A cloud of points to take along: every point with its name under the pointer, in colours that say what they mean."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from embedlib.figures.colours import GRID, GROUND, INK, Theme
from embedlib.figures.layout import TEXT, Spec, axis, base_layout, check_labels, legend, make_figure
from embedlib.figures.text import plain


def cloud_figure(
    points: NDArray[np.float32],
    *,
    labels: Sequence[str],
    colours: NDArray[np.uint8],
    palette: Sequence[str],
    kinds: Sequence[tuple[int, str]],
    axis_titles: Sequence[str],
    theme: Theme,
    title: str = "",
) -> go.Figure:
    """Draw points by WebGL, on two axes or three.

    Args:
        points: (n, 2) or (n, 3) finite.
        labels: one per point.
        colours: (n,) indices into the palette.
        palette: "#rrggbb" each.
        kinds: index and name of the colours that the legend lists, a trace for each; empty for one trace of all.
        axis_titles: 2 or 3.
        theme: "light" or "dark".
        title: a heading inside the figure.

    Returns:
        A figure of Scattergl or Scatter3d traces; points keep their order within each.

    Raises:
        ValueError: points of another shape, or labels, colours and titles that do not fit them.
    """
    if points.ndim != 2 or points.shape[1] not in (2, 3) or len(axis_titles) != points.shape[1]:
        raise ValueError(f"points has shape {points.shape} for {len(axis_titles)} axis titles: give 2 or 3 of both")
    check_labels(labels, len(points))
    if colours.shape != (len(points),):
        raise ValueError(f"colours has shape {colours.shape}: it must be ({len(points)},)")
    written = np.array([plain(label) for label in labels], dtype=object)
    painted = np.array(palette, dtype=object)[colours]
    groups = [(plain(name), np.flatnonzero(colours == index)) for index, name in kinds]
    traces = [
        _trace(points[members], written[members].tolist(), painted[members].tolist(), name)
        for name, members in groups or [("", np.arange(len(points)))]
    ]
    named: dict[str, Any] = {"showlegend": bool(kinds), "legend": legend(theme, height=820, title=title)}
    layout = base_layout(theme, height=820, title=title, dragmode="pan", **named)
    if points.shape[1] == 3:
        layout["scene"] = {"aspectmode": "data"} | {
            f"{letter}axis": _space_axis(theme, text) for letter, text in zip("xyz", axis_titles, strict=True)
        }
        layout["dragmode"] = "orbit"
    else:
        layout |= {
            "xaxis": axis(theme, axis_titles[0], zeroline=True),
            "yaxis": axis(theme, axis_titles[1], zeroline=True, scaleanchor="x"),
        }
    layout["margin"] |= {"t": 48 + (36 if title else 0)}
    return make_figure(traces, layout)


def _trace(points: NDArray[np.float32], labels: list[str], colours: list[str], name: str) -> Spec:
    flat = points.shape[1] == 2
    return {
        "type": "scattergl" if flat else "scatter3d",
        "mode": "markers",
        "name": name,
        **{letter: np.ascontiguousarray(points[:, index]) for index, letter in enumerate("xyz"[: points.shape[1]])},
        "marker": {"color": colours, "size": 5 if flat else 3, "opacity": 0.75},
        "hovertext": labels,
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _space_axis(theme: Theme, title: str) -> Spec:
    return {
        "title": {"text": plain(title), "font": {"size": TEXT, "color": INK[theme]}},
        "gridcolor": GRID[theme],
        "backgroundcolor": GROUND[theme],
        "showspikes": False,
    }
