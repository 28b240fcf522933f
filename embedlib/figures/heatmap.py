"""A matrix as colours: one row per token, position or query, one column per dimension or key."""

from collections.abc import Sequence

import plotly.graph_objects as go
from torch import Tensor

from embedlib.figures.colours import DIVERGING, GRID, INK, MUTED, Theme, colour_limit, plotly_scale
from embedlib.figures.layout import (
    ROW_HEIGHT,
    TICK,
    Spec,
    axis,
    base_layout,
    check_chosen,
    check_labels,
    check_matrix,
    extremes,
    make_figure,
    numbers,
    position_ticks,
    token_ticks,
)
from embedlib.figures.text import hover

HEAD = 56  # px above the cells, for the colour bar
BAR = 26  # px from the cells to the middle of the bar with its numbers
FOOT = 64  # px below them, for the numbers and the title of the x axis


def heatmap_figure(
    matrix: Tensor,
    *,
    x_title: str,
    y_title: str,
    theme: Theme,
    y_labels: Sequence[str] | None = None,
    limit: float | None = None,
    chosen: int | None = None,
    chosen_column: int | None = None,
    tokens: Sequence[str] = (),
    room: int = 64,
    hover_text: str = "{row} · {column}\n{value}",
    square: bool = False,
    height: int | None = None,
    title: str = "",
    last_apart: bool = False,
) -> go.Figure:
    """Draw a matrix, row 0 at the top.

    Args:
        matrix: (n_rows, n_columns), any dtype and device; NaN and -inf are left grey.
        x_title: what the columns are, already translated.
        y_title: what the rows are.
        theme: "light" or "dark".
        y_labels: one label per row, shown as written; None numbers the rows.
        limit: the colours run from -limit to +limit; None takes `colour_limit(matrix)`.
        chosen: the row that is outlined.
        chosen_column: the column that is outlined.
        tokens: labels of the tokens at the first columns, where these are positions.
        room: how many upright labels fit along x.
        hover_text: what a cell says, with {row}, {column} and {value}.
        square: cells as wide as high, for matrices of positions by positions.
        height: in CSS pixels; None follows the number of rows.
        title: a heading inside the figure.
        last_apart: whether the last row has colours of its own, to its own limit, and is a trace of its own.

    Returns:
        A figure with one heatmap trace, or two, whose z is float32.

    Raises:
        ValueError: matrix is not two-dimensional or is empty, labels do not fit it, or what is chosen is not in it.
    """
    check_matrix("matrix", matrix)
    n_rows, n_columns = matrix.shape
    if y_labels is not None:
        check_labels(y_labels, n_rows)
    check_chosen(chosen, n_rows)
    check_chosen(chosen_column, n_columns)
    height = height or (560 if square else rows_height(n_rows) + HEAD + FOOT + (32 if title else 0))
    cells = height - HEAD - FOOT
    rows: Spec = {} if y_labels is None else token_ticks(y_labels, room=cells // ROW_HEIGHT, chosen=chosen)
    if square:
        rows |= {"scaleanchor": "x", "constrain": "domain", "constraintoward": "top"}
    columns = position_ticks(tokens, n_columns, room=room, chosen=chosen_column) if tokens else {}
    rest = matrix[:-1] if last_apart else matrix
    limit = limit or colour_limit(finite(rest))
    layout = base_layout(
        theme,
        height=height,
        title=title,
        xaxis=column_axis(theme, x_title, n_columns) | columns | ({"constrain": "domain"} if square else {}),
        yaxis=row_axis(theme, y_title, n_rows) | rows,
        coloraxis=colour_axis(theme, limit, clipped=exceeds(rest, limit), height=cells, centred=square),
        shapes=[
            *([] if chosen is None else [row_outline(theme, chosen)]),
            *([] if chosen_column is None else [_column_outline(theme, chosen_column)]),
        ],
    )
    layout["margin"] |= {"t": HEAD + (32 if title else 0)}
    if not matrix.isfinite().all():
        layout["plot_bgcolor"] = GRID[theme]  # a gap must not look like a zero, whose colour is the page's own ground
    text = hover(hover_text, row="%{y}", column="%{x}", value="%{z:.4f}")
    traces = [cells_trace(rest, text)]
    if last_apart:
        last = colour_axis(theme, colour_limit(matrix[-1]), clipped=False, height=cells)
        layout["coloraxis2"] = last | {"showscale": False}
        layout["coloraxis"]["colorbar"]["len"] = 170  # beside long names a phone has no more room
        traces.append(cells_trace(matrix[-1:], text, y0=n_rows - 1, coloraxis="coloraxis2"))
    return make_figure(traces, layout)


def cells_trace(matrix: Tensor, hovertemplate: str, **more: object) -> Spec:
    """Return the heatmap trace of (n_rows, n_columns); cells wide enough to be counted get a hairline between them."""
    values = numbers(matrix)
    gap = 1 if max(values.shape) <= 48 else 0
    trace: Spec = {
        "type": "heatmap",
        "z": values,
        "coloraxis": "coloraxis",
        "hovertemplate": hovertemplate,
        "hoverongaps": False,
        "xgap": gap,
        "ygap": gap,
    }
    return trace | more


def colour_axis(theme: Theme, limit: float, *, clipped: bool, height: int, centred: bool = False) -> Spec:
    """Return the one symmetric scale, its bar lying above the cells; ≤ and ≥ say that values go beyond it."""
    low, high = ("≤ ", "≥ ") if clipped else ("", "")
    return {
        "cmin": -limit,
        "cmax": limit,
        "colorscale": plotly_scale(DIVERGING[theme]),
        "colorbar": {
            "orientation": "h",
            "thickness": 10,
            "len": 240,
            "lenmode": "pixels",
            "x": 0.5 if centred else 0,  # the right is where Plotly shows its buttons
            "xanchor": "center" if centred else "left",
            "xpad": 0,
            "y": 1 + BAR / height,
            "yanchor": "middle",  # "bottom" makes Plotly 4 shift every title of the figure upwards
            "ypad": 0,
            "outlinecolor": MUTED[theme],
            "outlinewidth": 1,
            "ticklabelposition": "outside top",
            "tickvals": [-limit, 0, limit],
            "ticktext": [f"{low}−{limit:.3g}", "0", f"{high}{limit:.3g}"],
            "tickfont": {"size": TICK, "color": INK[theme]},
        },
    }


def column_axis(theme: Theme, title: str, n_columns: int) -> Spec:
    """Return an x axis that counts dimensions from 0."""
    ticks: Spec = {"dtick": 1} if n_columns <= 12 else {"nticks": 10}
    bounds = {"minallowed": -0.5, "maxallowed": n_columns - 0.5}
    return axis(theme, title, range=[-0.5, n_columns - 0.5], showgrid=False, tickformat="d", **bounds, **ticks)


def row_axis(theme: Theme, title: str, n_rows: int) -> Spec:
    """Return a y axis that counts rows from 0 downwards."""
    ticks: Spec = {"dtick": 1} if n_rows <= 12 else {"nticks": 10}
    bounds = {"minallowed": -0.5, "maxallowed": n_rows - 0.5}
    return axis(theme, title, range=[n_rows - 0.5, -0.5], showgrid=False, tickformat="d", **bounds, **ticks)


def row_outline(theme: Theme, row: int, axes: str = "") -> Spec:
    """Return the outline of one whole row, in the x and y axes whose number is `axes`."""
    return {
        "type": "rect",
        "xref": f"x{axes} domain",
        "yref": f"y{axes}",
        "x0": 0,
        "x1": 1,
        "y0": row - 0.5,
        "y1": row + 0.5,
        "line": {"color": INK[theme], "width": 2.5},
    }


def _column_outline(theme: Theme, column: int) -> Spec:
    outline = row_outline(theme, column)
    return outline | {
        "xref": "x",
        "yref": "y domain",
        "x0": column - 0.5,
        "x1": column + 0.5,
        "y0": 0,
        "y1": 1,
    }


def rows_height(n_rows: int) -> int:
    """Return the height of the cells in px: generous for a few rows, within one screen for many."""
    return min(600, max(90, 26 * n_rows))


def finite(matrix: Tensor) -> Tensor:
    """Return the values that are neither NaN nor infinite, in one row."""
    return matrix.detach()[matrix.isfinite()]


def exceeds(matrix: Tensor, limit: float) -> bool:
    """Return whether a finite value lies beyond the colours' limit, by more than rounding."""
    values = finite(matrix)
    return values.numel() > 0 and float(values.abs().max()) > limit * (1 + 1e-6)


def heatmap_alt(matrix: Tensor) -> dict[str, float]:
    """Return a heatmap in numbers, for a sentence: rows, columns, lowest, highest."""
    return {"rows": matrix.shape[0], "columns": matrix.shape[1]} | extremes(matrix)
