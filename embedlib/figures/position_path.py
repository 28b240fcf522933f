"""Position rows on two axes, with a line through consecutive positions."""

from collections.abc import Sequence
from typing import Unpack

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from embedlib.colours import INK, SEQUENTIAL, plotly_scale
from embedlib.figures.layout import AxesOptions, Frame, axis, make_figure
from embedlib.figures.marks import note, scatter
from embedlib.figures.text import bold, hover, plain


def position_path_figure(
    points: NDArray[np.float32],
    joined: tuple[int, int],
    *,
    named: Sequence[int] = (),
    scale: str,
    hover_text: str = "{position}",
    **options: Unpack[AxesOptions],
) -> go.Figure:
    """Draw a point for each position, (n_positions, 2), coloured by it, and a line through consecutive ones.

    `joined` are the first and the last position of the line, `named` those with their numbers beside them, `scale` is
    the title of the colours. A trace of all points, and one of the line.
    """
    if points.ndim != 2 or points.shape[1] != 2 or not 0 <= joined[0] <= joined[1] < len(points):
        raise ValueError(f"points has shape {points.shape}: it must be (n, 2) with the positions {joined}")
    frame = Frame(**options)
    theme, height = frame.theme, frame.height or 460
    first, last = joined
    bar = {"title": {"text": plain(scale), "side": "right"}, "thickness": 14, "len": 0.6}
    marker = {
        "color": np.arange(len(points)),
        "colorscale": plotly_scale(SEQUENTIAL[theme]),
        "colorbar": bar,
        "showscale": True,
        "size": 7,
        "opacity": 0.75,
    }
    line = {"color": INK[theme], "width": 2}
    dot = {"color": INK[theme], "size": 6}
    positions = np.arange(len(points))
    said = hover(hover_text, position="%{customdata}")
    x, y = np.ascontiguousarray(points.T)
    of_line = slice(first, last + 1)
    traces = [
        scatter("markers", x, y, customdata=positions, marker=marker, hovertemplate=said, showlegend=False),
        scatter("lines+markers", x[of_line], y[of_line], customdata=positions[of_line], line=line, marker=dot)
        | {"hovertemplate": said, "showlegend": False},
    ]
    middle = points.mean(axis=0)
    layout = frame.layout(height)
    layout |= {
        "xaxis": axis(theme, frame.x_title, zeroline=True),
        "yaxis": axis(theme, frame.y_title, zeroline=True, scaleanchor="x"),
        "annotations": [
            note(bold(str(at)), float(x[at]), float(y[at]), INK[theme], "center middle", over=theme)
            | _outward_shift(points[at] - middle)
            for at in named
        ],
    }
    return make_figure(traces, layout)


def _outward_shift(direction: NDArray[np.float32]) -> dict[str, float]:
    """Return the shift in px that puts a number beside its point, away from the middle of all."""
    right, up = (15 * direction / max(float(np.linalg.norm(direction)), 1e-9)).tolist()
    return {"xshift": right, "yshift": up}
