"""Matrices of any shape side by side in places of one size, each with its own axes and one of several scales."""

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go
from torch import Tensor

from embedlib.figures.arrays import check_chosen, check_matrix
from embedlib.figures.colours import GRID, INK, Theme, plotly_scale
from embedlib.figures.grid import Grid, number
from embedlib.figures.heatmap import cells_trace, row_outline
from embedlib.figures.layout import Spec, axis, base_layout, make_figure
from embedlib.figures.text import hover, plain

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
        layout[scale] = {"cmin": -limit, "cmax": limit, "colorscale": plotly_scale(theme), "showscale": False}
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
