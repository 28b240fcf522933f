"""Plots of equal size in rows: matrices of any shape, each on its own scale, and one square for each head."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import plotly.graph_objects as go
import torch
from torch import Tensor

from embedlib.figures.colours import DIVERGING, GRID, INK, Theme, plotly_scale
from embedlib.figures.heatmap import HEAD, cells_trace, colour_axis, exceeds, finite, row_outline
from embedlib.figures.layout import (
    Spec,
    axis,
    base_layout,
    check_chosen,
    check_labels,
    check_matrix,
    extremes,
    make_figure,
)
from embedlib.figures.marks import note
from embedlib.figures.text import bold, hover, plain

HEADING = 30  # px above each plot for its name


class Grid:
    """Cells of equal size in rows, each with a name above it; the last row may be shorter.

    Attributes:
        rows: how many rows of cells there are.
        height: px of the plotting area, all rows with their names.
    """

    def __init__(self, count: int, *, columns: int, cell: int, gap: float, below: int = 8) -> None:
        """Lay out `count` cells of `cell` px height, `gap` of the width apart, `below` px under each for its axis."""
        self.columns = min(count, columns)
        self.rows = ceil(count / self.columns)
        self.height = self.rows * (HEADING + cell + below)
        self._cell, self._gap, self._below = cell, gap, below

    def span(self, index: int) -> tuple[list[float], list[float]]:
        """Return cell `index`'s (x domain, y domain), as fractions of the plotting area."""
        row, column = divmod(index, self.columns)
        width = (1 - self._gap * (self.columns - 1)) / self.columns
        left = column * (width + self._gap)
        top = row * (HEADING + self._cell + self._below) + HEADING
        low = max(0.0, 1 - (top + self._cell) / self.height)
        return [left, min(1.0, left + width)], [low, 1 - top / self.height]

    def name(self, index: int, text: str, colour: str) -> Spec:
        """Return the annotation that names a cell."""
        (left, right), (_, top) = self.span(index)
        return note(bold(text), (left + right) / 2, top, colour, "center bottom", paper="xy")


def number(index: int) -> str:
    """Return the index-th subplot's "", "2", "3" …, as Plotly writes it after "x", "y", "xaxis" and "yaxis"."""
    return str(index + 1) if index else ""


CELL = 240  # px
BELOW = 76  # px under each matrix for its ticks and what they count


@dataclass(frozen=True, slots=True, eq=False)
class MatrixPanel:
    """One matrix.

    Attributes:
        name: over the matrix; say there how far its colours go, for there is no bar.
        values: (n_rows, n_columns); NaN and -inf are left grey.
        limit: its colours run from -limit to +limit; panels of one limit share a scale.
        x_title: what the columns are.
        y_title: what the rows are.
    """

    name: str
    values: Tensor
    limit: float
    x_title: str
    y_title: str


def panels_figure(
    panels: Sequence[MatrixPanel],
    *,
    theme: Theme,
    chosen: int | None = None,
    columns: int = 4,
    hover_text: str = "{name}\n{row}, {column}: {value}",
    title: str = "",
) -> go.Figure:
    """Draw matrices beside each other, row 0 of each at the top.

    Args:
        panels: in order, at least one.
        theme: "light" or "dark".
        chosen: the row that is outlined in every matrix that has it.
        columns: matrices in a row; two suit a phone.
        hover_text: what a cell says, with {name}, {row}, {column} and {value}.
        title: a heading inside the figure.

    Returns:
        A figure with one heatmap trace per panel.

    Raises:
        ValueError: no panels, values that are not two-dimensional or empty, a limit that is not above 0, or chosen is
            a row of none.
    """
    if not panels:
        raise ValueError("panels is empty: give at least one matrix")
    for panel in panels:
        check_matrix("values", panel.values)
        if not panel.limit > 0:
            raise ValueError(f"limit={panel.limit} must be above 0; colour_limit gives one")
    check_chosen(chosen, max(len(panel.values) for panel in panels))
    grid = Grid(len(panels), columns=columns, cell=CELL, gap=0.06, below=BELOW)
    head = 56 if title else 12
    layout = base_layout(theme, height=grid.height + head + 8, title=title)
    layout["margin"] |= {"t": head}
    layout["plot_bgcolor"] = GRID[theme]  # what is masked must not look like a zero, which has the page's own ground
    layout["annotations"] = [grid.name(index, panel.name, INK[theme]) for index, panel in enumerate(panels)]
    scales = {limit: f"coloraxis{number(index)}" for index, limit in enumerate({panel.limit: 0 for panel in panels})}
    for limit, scale in scales.items():
        layout[scale] = {"cmin": -limit, "cmax": limit, "colorscale": plotly_scale(DIVERGING[theme])}
        layout[scale]["showscale"] = False
    layout["shapes"] = []
    traces: list[Spec] = []
    for index, panel in enumerate(panels):
        mark = number(index)
        layout |= _axes(grid, index, panel, theme)
        if chosen is not None and chosen < len(panel.values):
            layout["shapes"].append(row_outline(theme, chosen, mark))
        text = hover(hover_text, name=plain(panel.name), row="%{y}", column="%{x}", value="%{z:.4f}")
        where = {"xaxis": f"x{mark}", "yaxis": f"y{mark}", "coloraxis": scales[panel.limit]}
        traces.append(cells_trace(panel.values, text, name=plain(panel.name), **where))
    return make_figure(traces, layout)


def _axes(grid: Grid, index: int, panel: MatrixPanel, theme: Theme) -> Spec:
    across, up = grid.span(index)
    mark = number(index)
    n_rows, n_columns = panel.values.shape
    counted: Spec = {"nticks": 5, "tickformat": "d", "showgrid": False}
    x = axis(theme, panel.x_title, domain=across, anchor=f"y{mark}", range=[-0.5, n_columns - 0.5], **counted)
    y = axis(theme, panel.y_title, domain=up, anchor=f"x{mark}", range=[n_rows - 0.5, -0.5], **counted)
    return {f"xaxis{mark}": x, f"yaxis{mark}": y}


HEAD_CELL = 210  # px, for four in a row on a wide screen
HEAD_BELOW = 54  # px under each square for its ticks


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
    cell: int = HEAD_CELL,
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
    limit = limit or largest_finite(bias)
    grid = Grid(n_heads, columns=columns, cell=cell, gap=0.05, below=HEAD_BELOW)
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
        layout |= _head_axes(grid, index, seq_len, x_title, y_title, theme)
        text = hover(hover_text, name=plain(names[index]), row="%{y}", column="%{x}", value="%{z:.4f}")
        mark = number(index)
        traces.append(cells_trace(blank[index], text, xaxis=f"x{mark}", yaxis=f"y{mark}", name=plain(names[index])))
    return make_figure(traces, layout)


def largest_finite(bias: Tensor) -> float:
    """Return the largest finite size, 1.0 where there is none: a percentile would cut the far end of a slope."""
    values = finite(bias)
    return (float(values.abs().max()) if values.numel() else 0.0) or 1.0


def _head_axes(grid: Grid, index: int, seq_len: int, x_title: str, y_title: str, theme: Theme) -> Spec:
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
    return {"heads": bias.shape[0], "positions": bias.shape[1]} | extremes(bias)
