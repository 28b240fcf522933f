"""How far rows have moved, against how often their words were met: one point for each row, some of them named."""

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from torch import Tensor

from embedlib.figures.arrays import check_labels, numbers
from embedlib.figures.colours import INK, POSITION, TOKEN, Theme
from embedlib.figures.layout import BUTTONS, TEXT, Spec, axis, base_layout, halo, make_figure
from embedlib.figures.text import hover, plain, shorten

WIDTH = 420  # px that the plot is taken to have when names are kept apart
FRAME = 106  # px of the height that are not the plot's own


def moved_points_figure(
    moves: Tensor,
    counts: Tensor,
    *,
    words: Sequence[str],
    named: Sequence[int],
    x_title: str,
    y_title: str,
    theme: Theme,
    chosen: int | None = None,
    highest: float | None = None,
    hover_text: str = "{name}\n{x}: {y}",
    height: int = 400,
    title: str = "",
) -> go.Figure:
    """Draw points, frequencies on a logarithmic scale along x, distances up from 0.

    Args:
        moves: (n_rows,) distances, at least 0.
        counts: (n_rows,) how often each word was met, at least 1.
        words: one per row.
        named: rows whose names are written, as far as there is room; the first come first.
        x_title: what the counts are.
        y_title: what the distances are.
        theme: "light" or "dark".
        chosen: the row that stands out and is named in any case.
        highest: where y ends at least, so that it does not change from one step to the next.
        hover_text: what a point says, with {name}, {x} and {y}.
        height: in CSS pixels.
        title: a heading inside the figure.

    Returns:
        A figure with one trace of all points, and one of the chosen row where there is one; customdata are rows.

    Raises:
        ValueError: parts that do not fit each other, a negative distance, or a word that was not met.
    """
    if moves.ndim != 1 or moves.shape != counts.shape or not len(moves):
        raise ValueError(f"moves {tuple(moves.shape)} and counts {tuple(counts.shape)} must be (n_rows,) both")
    if not bool((moves >= 0).all()) or not bool((counts >= 1).all()):
        raise ValueError("moves must be at least 0 and counts at least 1")
    check_labels(words, len(moves))
    x, y = numbers(counts), numbers(moves)
    top = 1.1 * max(float(y.max()), highest or 0.0) or 1.0
    left, right = math.log10(float(x.min())) - 0.08, math.log10(float(x.max())) + 0.15
    layout = base_layout(
        theme,
        height=height,
        title=title,
        xaxis=axis(theme, x_title, type="log", range=[left, right], tickformat=",d", fixedrange=True) | {"dtick": 1},
        yaxis=axis(theme, y_title, range=[-0.03 * top, top], nticks=6, fixedrange=True, zeroline=True),
        annotations=[],
    )
    layout["margin"] |= {"t": 48 if title else BUTTONS + 2}
    boxes: list[tuple[float, float, float]] = []
    for row in dict.fromkeys([*([] if chosen is None else [chosen]), *named]):
        across = WIDTH * (math.log10(float(x[row])) - left) / (right - left)
        up = (height - FRAME) * float(y[row]) / top
        wide = 9.0 * len(shorten(words[row]))
        if row == chosen or all(_apart((across, up, wide), box) for box in boxes):
            boxes.append((across, up, wide))
            layout["annotations"].append(_name(words[row], float(x[row]), float(y[row]), row == chosen, theme))
    every = list(range(len(moves)))
    traces = [_points(every, x, y, words, hover_text) | {"marker": {"size": 7, "color": TOKEN[theme], "opacity": 0.55}}]
    if chosen is not None:
        mark = {"size": 15, "color": POSITION[theme], "line": {"color": INK[theme], "width": 2}}
        traces.append(_points([chosen], x, y, words, hover_text) | {"marker": mark})
    return make_figure(traces, layout)


def _points(
    rows: Sequence[int], x: NDArray[np.float32], y: NDArray[np.float32], words: Sequence[str], hover_text: str
) -> Spec:
    """Some of the rows as points."""
    return {
        "type": "scatter",
        "mode": "markers",
        "x": x[rows],
        "y": y[rows],
        "customdata": np.array(rows, dtype=np.int32),
        "hovertext": [plain(shorten(words[row], 40)) for row in rows],
        "hovertemplate": hover(hover_text, name="%{hovertext}", x="%{x:,d}", y="%{y:.3g}"),
        "cliponaxis": False,
    }


def _name(word: str, x: float, y: float, chosen: bool, theme: Theme) -> Spec:
    return {
        "x": math.log10(x),  # Plotly places words on a logarithmic axis by the logarithm
        "y": y,
        "xanchor": "center",
        "yanchor": "bottom",
        "yshift": 8 if chosen else 3,
        "text": f"<b>{plain(shorten(word))}</b>",
        "font": {"size": TEXT, "color": POSITION[theme] if chosen else INK[theme], "shadow": halo(theme)},
        "showarrow": False,
    }


def _apart(one: tuple[float, float, float], other: tuple[float, float, float]) -> bool:
    """Tell whether two names do not touch: each (middle, foot, width) in px."""
    return abs(one[1] - other[1]) > 19 or abs(one[0] - other[0]) > (one[2] + other[2]) / 2 + 4
