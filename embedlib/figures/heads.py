"""One square of queries by keys per head, all on one scale: what a scheme adds to the logits."""

from collections.abc import Sequence

import plotly.graph_objects as go
import torch
from torch import Tensor

from embedlib.figures.arrays import check_chosen, check_labels
from embedlib.figures.colours import GRID, INK, Theme
from embedlib.figures.grid import Grid, number
from embedlib.figures.heatmap import HEAD, cells_trace, colour_axis, exceeds, finite, row_outline
from embedlib.figures.layout import Spec, axis, base_layout, make_figure
from embedlib.figures.text import hover, plain

CELL = 210  # px, for four in a row on a wide screen
BELOW = 54  # px under each square for its ticks


def heads_figure(
    bias: Tensor,
    *,
    names: Sequence[str],
    x_title: str,
    y_title: str,
    theme: Theme,
    limit: float | None = None,
    chosen: int | None = None,
    columns: int = 4,
    cell: int = CELL,
    hover_text: str = "{name}\n{row} → {column}: {value}",
    title: str = "",
) -> go.Figure:
    """Draw a matrix per head, queries downwards and keys to the right.

    Args:
        bias: (n_heads, seq_len, seq_len); -inf (masked) and NaN are left grey.
        names: one per head, over its square.
        x_title: what the columns are, under the first square.
        y_title: what the rows are, beside the first square.
        theme: "light" or "dark".
        limit: the colours run from -limit to +limit; None takes the largest finite size.
        chosen: the query whose row is outlined in every head.
        columns: squares in a row; two suit a phone.
        cell: height of each square's place in CSS pixels; what its width does not fill stays empty.
        hover_text: what a cell says, with {name}, {row}, {column} and {value}.
        title: a heading inside the figure.

    Returns:
        A figure with one heatmap per head on one colour axis; all zoom together.

    Raises:
        ValueError: bias is not (n_heads, n, n) or empty, names do not fit, or chosen is no query.
    """
    if bias.ndim != 3 or bias.shape[1] != bias.shape[2] or 0 in bias.shape:
        raise ValueError(f"bias has shape {tuple(bias.shape)}: it must be (n_heads, seq_len, seq_len), and not empty")
    n_heads, seq_len, _ = bias.shape
    check_labels(names, n_heads)
    check_chosen(chosen, seq_len)
    blank = torch.where(bias.isfinite(), bias, torch.nan)
    limit = limit or widest(bias)
    grid = Grid(n_heads, columns=columns, cell=cell, gap=0.05, below=BELOW)
    head = HEAD + (32 if title else 0)
    layout = base_layout(theme, height=grid.height + head + 8, title=title)
    layout["margin"] |= {"t": head}
    layout["plot_bgcolor"] = GRID[theme]  # what is masked must not look like a zero, which has the page's own ground
    layout["coloraxis"] = colour_axis(theme, limit, clipped=exceeds(bias, limit), height=grid.height)
    layout["annotations"] = [grid.name(index, name, INK[theme]) for index, name in enumerate(names)]
    if chosen is not None:
        layout["shapes"] = [row_outline(theme, chosen, number(index)) for index in range(n_heads)]
    traces: list[Spec] = []
    for index in range(n_heads):
        layout |= _axes(grid, index, seq_len, x_title, y_title, theme)
        text = hover(hover_text, name=plain(names[index]), row="%{y}", column="%{x}", value="%{z:.4f}")
        mark = number(index)
        traces.append(cells_trace(blank[index], text, xaxis=f"x{mark}", yaxis=f"y{mark}", name=plain(names[index])))
    return make_figure(traces, layout)


def widest(bias: Tensor) -> float:
    """Return the largest finite size, 1.0 where there is none: a percentile would cut the far end of a slope."""
    values = finite(bias)
    return (float(values.abs().max()) if values.numel() else 0.0) or 1.0


def _axes(grid: Grid, index: int, seq_len: int, x_title: str, y_title: str, theme: Theme) -> Spec:
    """The axes of one square; only the first is titled, and only the first column counts its rows."""
    across, up = grid.span(index)
    mark = number(index)
    first, leftmost = index == 0, index % grid.columns == 0
    span = {"nticks": 4, "tickformat": "d", "showgrid": False, "constrain": "domain"}
    x = axis(theme, x_title if first else "", domain=across, anchor=f"y{mark}", range=[-0.5, seq_len - 0.5], **span)
    y = axis(theme, y_title if first else "", domain=up, anchor=f"x{mark}", range=[seq_len - 0.5, -0.5], **span)
    y |= {"showticklabels": leftmost, "constraintoward": "top"}
    if first:
        y |= {"scaleanchor": "x"}
    else:
        x["matches"], y["matches"] = "x", "y"
    return {f"xaxis{mark}": x, f"yaxis{mark}": y}


def heads_alt(bias: Tensor) -> dict[str, float]:
    """Return the heads in numbers, for a sentence: heads, positions, lowest, highest (of what is not masked)."""
    values = finite(bias)
    lowest, highest = (float(values.min()), float(values.max())) if values.numel() else (0.0, 0.0)
    return {"heads": bias.shape[0], "positions": bias.shape[1], "lowest": lowest, "highest": highest}
