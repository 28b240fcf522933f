"""How many rows of a table have which length, beside the length that mathematics expects."""

import math
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
from torch import Tensor

from embedlib.figures.arrays import numbers
from embedlib.figures.colours import POSITION, TOKEN, Theme
from embedlib.figures.layout import BUTTONS, Spec, axis, base_layout, legend, make_figure
from embedlib.figures.text import hover, plain

MOST = 60  # columns: fewer than a phone has points for


def norm_histogram_figure(
    norms: Tensor,
    *,
    expected: float,
    spread: float,
    names: tuple[str, str, str],
    x_title: str,
    y_title: str,
    theme: Theme,
    hover_text: str = "{low} to {high}\n{count}",
    height: int = 340,
    title: str = "",
) -> go.Figure:
    """Draw a histogram of row lengths, an upright at the expected length, and the ground within one spread of it.

    Args:
        norms: (n_rows,) lengths, at least 1 of them, finite.
        expected: the length that mathematics expects.
        spread: its standard deviation from row to row, at least 0.
        names: of the columns, of the upright, and of the ground beside it.
        x_title: what a length is.
        y_title: what is counted.
        theme: "light" or "dark".
        hover_text: what a column says, with {low}, {high} and {count}.
        height: in CSS pixels.
        title: a heading inside the figure.

    Returns:
        A figure with three traces: the ground, which a spread of 0 leaves out; columns of equal width, about √n_rows
        and at most 60 of them, from the shortest to the longest row; and the upright.

    Raises:
        ValueError: norms not (n_rows,), empty or not finite, or a negative spread.
    """
    if norms.ndim != 1 or not len(norms) or not bool(norms.isfinite().all()):
        raise ValueError(f"norms has shape {tuple(norms.shape)}: it must be (n_rows,), not empty, and all of it finite")
    if not spread >= 0:
        raise ValueError(f"spread={spread} must be at least 0")
    lengths = numbers(norms).astype(np.float64)
    counts, edges = np.histogram(lengths, bins=min(MOST, max(1, math.ceil(math.sqrt(len(lengths))))))
    low, high = min(float(edges[0]), expected - spread), max(float(edges[-1]), expected + spread)
    room, top = 0.04 * (high - low), 1.08 * int(counts.max())
    layout = base_layout(
        theme,
        height=height,
        title=title,
        bargap=0.04,
        xaxis=axis(theme, x_title, range=[low - room, high + room], fixedrange=True, nticks=7, showgrid=False),
        yaxis=axis(theme, y_title, range=[0, top], fixedrange=True, nticks=5, tickformat=",d"),
        showlegend=True,
        legend=legend(theme, height=height, title=title, above=BUTTONS),
    )
    layout["margin"] |= {"t": 44 + BUTTONS + (36 if title else 0)}
    columns: Spec = {
        "type": "bar",
        "name": plain(names[0]),
        "x": ((edges[:-1] + edges[1:]) / 2).tolist(),
        "y": counts.tolist(),
        "width": np.diff(edges).tolist(),
        "marker": {"color": TOKEN[theme]},
        "customdata": [[f"{left:.4g}", f"{right:.4g}"] for left, right in pairwise(edges)],
        "hovertemplate": hover(hover_text, low="%{customdata[0]}", high="%{customdata[1]}", count="%{y:,}"),
    }
    upright: Spec = {
        "type": "scatter",
        "mode": "lines",
        "name": plain(names[1]),
        "x": [expected, expected],
        "y": [0, top],
        "line": {"color": POSITION[theme], "width": 4, "dash": "dash"},
        "hoverinfo": "skip",
    }
    ground = [_ground(expected - spread, expected + spread, top, names[2], theme)] if spread else []
    return make_figure([*ground, columns, upright], layout)


def _ground(low: float, high: float, top: float, name: str, theme: Theme) -> Spec:
    """The lengths within one spread: a tint with edges, which shows in the dark too."""
    red, green, blue = (int(POSITION[theme][at : at + 2], 16) for at in (1, 3, 5))
    return {
        "type": "scatter",
        "mode": "lines",
        "name": plain(name),
        "x": [low, low, high, high],
        "y": [0, top, top, 0],
        "fill": "toself",
        "fillcolor": f"rgba({red}, {green}, {blue}, 0.22)",
        "line": {"color": POSITION[theme], "width": 1},
        "hoverinfo": "skip",
    }
