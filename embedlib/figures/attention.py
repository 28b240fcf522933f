"""The attention of all heads of a model at once: a square for each, layers downwards, heads to the right."""

import numpy as np
import plotly.graph_objects as go
from torch import Tensor

from embedlib.figures.colours import DIVERGING, GRID, INK, Theme, plotly_scale
from embedlib.figures.layout import Spec, axis, base_layout, make_figure, numbers
from embedlib.figures.marks import scatter
from embedlib.figures.text import hover


def all_heads_figure(
    attention: Tensor,
    *,
    chosen: tuple[int, int],
    x_title: str,
    y_title: str,
    theme: Theme,
    limit: float = 1.0,
    hover_text: str = "{layer}, {head}",
    height: int = 460,
    title: str = "",
) -> go.Figure:
    """Draw the weights of all heads, queries downwards and keys to the right in each.

    Args:
        attention: (n_layers, n_heads, seq_len, seq_len), none below 0.
        chosen: (layer, head) from 0, whose square is outlined.
        x_title: what the heads are called, counted from 0.
        y_title: what the layers are called, counted from 1.
        theme: "light" or "dark".
        limit: the colours run from 0 to limit.
        hover_text: what a square says, with {layer} and {head}.
        height: in CSS pixels.
        title: a heading inside the figure.

    Returns:
        A figure with one heatmap trace, and a point in the middle of each square, layer by layer.

    Raises:
        ValueError: attention is not (n_layers, n_heads, n, n) or empty, or chosen is no head.
    """
    if attention.ndim != 4 or attention.shape[2] != attention.shape[3] or 0 in attention.shape:
        raise ValueError(f"attention has shape {tuple(attention.shape)}: it must be (n_layers, n_heads, n, n)")
    n_layers, n_heads, seq_len, _ = attention.shape
    if not (0 <= chosen[0] < n_layers and 0 <= chosen[1] < n_heads):
        raise ValueError(f"chosen={chosen} must be a layer below {n_layers} and a head below {n_heads}")
    gap = max(1, round(seq_len / 10))
    pitch = seq_len + gap
    cells = np.full((n_layers * pitch - gap, n_heads * pitch - gap), np.nan, dtype=np.float32)
    for layer, heads in enumerate(numbers(attention.flatten(0, 1)).reshape(attention.shape)):
        for head, weights in enumerate(heads):
            top, left = layer * pitch, head * pitch
            cells[top : top + seq_len, left : left + seq_len] = weights
    middle = (seq_len - 1) / 2
    layers, columns = np.divmod(np.arange(n_layers * n_heads), n_heads)
    layout = base_layout(
        theme,
        height=height,
        title=title,
        xaxis=_counted(theme, x_title, n_heads, 0, pitch, middle) | {"range": [-gap, cells.shape[1] - 1 + gap]},
        yaxis=_counted(theme, y_title, n_layers, 1, pitch, middle) | {"range": [cells.shape[0] - 1 + gap, -gap]},
        coloraxis={
            "cmin": 0,
            "cmax": limit,
            "colorscale": plotly_scale(DIVERGING[theme][len(DIVERGING[theme]) // 2 :]),
            "showscale": False,
        },
        plot_bgcolor=GRID[theme],
        shapes=[_outline(chosen, pitch, gap, theme)],
    )
    squares = scatter(
        "markers",
        (columns * pitch + middle).astype(np.float32),
        (layers * pitch + middle).astype(np.float32),
        marker={"size": 26, "symbol": "square", "opacity": 0},
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
        hovertemplate=[
            hover(hover_text, layer=str(layer + 1), head=str(head)) for layer, head in zip(layers, columns, strict=True)
        ],
    )
    picture: Spec = {"type": "heatmap", "z": cells, "coloraxis": "coloraxis", "hoverinfo": "skip"}
    return make_figure([picture, squares], layout)


def _counted(theme: Theme, title: str, count: int, first: int, pitch: int, middle: float) -> Spec:
    """An axis whose ticks stand at the middle of each square."""
    step = max(1, -(-count // 16))
    ticks = range(0, count, step)
    return axis(
        theme,
        title,
        showgrid=False,
        fixedrange=True,
        tickmode="array",
        tickvals=[index * pitch + middle for index in ticks],
        ticktext=[str(index + first) for index in ticks],
    )


def _outline(chosen: tuple[int, int], pitch: int, gap: int, theme: Theme) -> Spec:
    layer, head = chosen
    rim = gap / 2
    return {
        "type": "rect",
        "x0": head * pitch - 0.5 - rim,
        "x1": (head + 1) * pitch - gap - 0.5 + rim,
        "y0": layer * pitch - 0.5 - rim,
        "y1": (layer + 1) * pitch - gap - 0.5 + rim,
        "line": {"color": INK[theme], "width": 2.5},
    }
