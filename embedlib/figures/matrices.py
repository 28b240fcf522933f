"""Matrices as colours, row 0 at the top: alone, side by side, as a sum, one for each head, and all heads of a model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

import numpy as np
import plotly.graph_objects as go
import torch
from torch import Tensor

from embedlib.colours import DIVERGING, GRID, INK, MUTED, Theme, colour_limit, plotly_scale
from embedlib.figures.layout import (
    ROW_HEIGHT,
    TICK,
    AxesOptions,
    Frame,
    FrameOptions,
    Spec,
    axis,
    check_chosen,
    check_labels,
    check_matrix,
    extremes,
    make_figure,
    numbers,
    position_ticks,
    token_ticks,
)
from embedlib.figures.marks import Grid, note, number, scatter
from embedlib.figures.text import bold, hover, plain

HEAD = 56  # px above the cells, for the colour bar
BAR = 26  # px from the cells to the middle of the bar with its numbers
FOOT = 64  # px below them, for the numbers and the title of the x axis
HEAD_CELL = 210  # px, for four heads in a row on a wide screen


class MatrixChart:
    """A figure of matrices under construction, each on axes of its own."""

    def __init__(self, frame: Frame, height: int, *, top: int, **more: object) -> None:
        self.theme, self.traces = frame.theme, list[Spec]()
        self.layout = frame.layout(height, top=top, annotations=[], shapes=[], **more)

    def add(
        self, values: Tensor, hover_text: str, *, x: Spec, y: Spec, name: str = "", chosen: int | None = None
    ) -> Spec:
        """Draw a matrix and return its trace; non-finite cells are grey, the chosen row is outlined if it exists."""
        mark = number(len(self.traces))
        self.layout |= {f"xaxis{mark}": x | {"anchor": f"y{mark}"}, f"yaxis{mark}": y | {"anchor": f"x{mark}"}}
        if chosen is not None and chosen < len(values):
            self.layout["shapes"].append(outline(self.theme, chosen, mark))
        if not values.isfinite().all():
            self.layout["plot_bgcolor"] = GRID[self.theme]  # zero has the page's own ground
        fields = {"name": plain(name), "row": "%{y}", "column": "%{x}", "value": "%{z:.4f}"}
        trace = cells_trace(values) | {"hovertemplate": hover(hover_text, **fields)}
        self.traces.append(trace | {"name": plain(name), "xaxis": f"x{mark}", "yaxis": f"y{mark}"})
        return self.traces[-1]

    def figure(self) -> go.Figure:
        """Return the figure."""
        return make_figure(self.traces, self.layout)


def cells_trace(matrix: Tensor) -> Spec:
    """Return the heatmap of (n_rows, n_columns); cells wide enough to be counted get a hairline between them."""
    values = numbers(matrix)
    gap = 1 if max(values.shape) <= 48 else 0
    return {"type": "heatmap", "z": values, "coloraxis": "coloraxis", "hoverongaps": False, "xgap": gap, "ygap": gap}


def matrix_axis(theme: Theme, title: str, count: int, *, down: bool = False, **more: object) -> Spec:
    """Return an axis that counts columns from 0, or rows downwards; `more` overrides entries."""
    ticks: Spec = {"dtick": 1} if count <= 12 else {"nticks": 10}
    ticks = {} if "nticks" in more else ticks
    span, bounds = [-0.5, count - 0.5], {"minallowed": -0.5, "maxallowed": count - 0.5}
    spec = axis(theme, title, range=span[::-1] if down else span, showgrid=False, tickformat="d", **bounds)
    return spec | ticks | more


def outline(theme: Theme, row: int, axes: str = "") -> Spec:
    """Return the outline of a whole row, on the axes with the suffix `axes`."""
    place = {"xref": f"x{axes} domain", "x0": 0, "x1": 1, "yref": f"y{axes}", "y0": row - 0.5, "y1": row + 0.5}
    return {"type": "rect", "line": {"color": INK[theme], "width": 2.5}, **place}


def colour_scale(theme: Theme, limit: float) -> Spec:
    """Return the scale from -limit to +limit, without a colour bar."""
    return {"cmin": -limit, "cmax": limit, "colorscale": plotly_scale(DIVERGING[theme]), "showscale": False}


def colour_axis(
    theme: Theme, limit: float, *shown: Tensor, height: int, centred: bool = False, above: int = BAR
) -> Spec:
    """Return the scale with its bar over the cells; ≤ and ≥ mark values of `shown` beyond it.

    Where `shown` has nothing on one side of 0, the scale is the half of the other side: each colour means the same.
    """
    ends = [extremes(matrix) for matrix in shown]
    lowest, highest = min(one["lowest"] for one in ends), max(one["highest"] for one in ends)
    beyond = max(highest, -lowest) > limit * (1 + 1e-6)
    low, high = ("≤ ", "≥ ") if beyond else ("", "")
    ticks = {-limit: f"{low}−{limit:.3g}", 0: "0", limit: f"{high}{limit:.3g}"}
    stops = DIVERGING[theme]
    if lowest >= 0:
        del ticks[-limit]
        stops = stops[len(stops) // 2 :]
    elif highest <= 0:
        del ticks[limit]
        stops = stops[: len(stops) // 2 + 1]
    bar = {
        "orientation": "h",
        "thickness": 10,
        "len": 240,
        "lenmode": "pixels",
        "x": 0.5 if centred else 0,  # the right is where Plotly shows its buttons
        "xanchor": "center" if centred else "left",
        "xpad": 0 if centred else 16,  # Plotly leaves out a tick's text that crosses the figure's edge
        "y": 1 + above / height,
        "yanchor": "middle",  # "bottom" makes Plotly 4 shift every title of the figure upwards
        "ypad": 0,
        "outlinecolor": MUTED[theme],
        "outlinewidth": 1,
        "ticklabelposition": "outside top",
        "tickvals": list(ticks),
        "ticktext": list(ticks.values()),
        "tickfont": {"size": TICK, "color": INK[theme]},
    }
    scale = {"cmin": min(ticks), "cmax": max(ticks), "colorscale": plotly_scale(stops)}
    return scale | {"showscale": True, "colorbar": bar}


def rows_height(n_rows: int) -> int:
    """Return the height of the cells in px: generous for a few rows, within one screen for many."""
    return min(600, max(90, 26 * n_rows))


def finite(matrix: Tensor) -> Tensor:
    """Return the finite values, flattened."""
    return matrix.detach()[matrix.isfinite()]


def largest_finite(matrix: Tensor) -> float:
    """Return the largest finite absolute value, or 1.0; a percentile would cut the far end of a slope."""
    return max(abs(end) for end in extremes(matrix).values()) or 1.0


def heatmap_figure(
    matrix: Tensor,
    *,
    y_labels: Sequence[str] | None = None,
    limit: float | None = None,
    chosen: int | None = None,
    tokens: Sequence[str] = (),
    room: int = 64,
    hover_text: str = "{row} · {column}\n{value}",
    square: bool = False,
    last_apart: bool = False,
    row_gap: int | None = None,
    **options: Unpack[AxesOptions],
) -> go.Figure:
    """Draw a matrix (n_rows, n_columns); NaN and -inf are left grey.

    Args:
        y_labels: one per row; None numbers the rows.
        limit: colours run from -limit to +limit; None for `colour_limit(matrix)`.
        tokens: labels of the tokens at the first columns, where these are positions.
        square: whether cells are as wide as high, for matrices of positions by positions.
        last_apart: whether the last row is a trace of its own, with its own limit.
        row_gap: px between two rows; None for a hairline where cells are wide enough.
    """
    check_matrix("matrix", matrix)
    n_rows, n_columns = matrix.shape
    if y_labels is not None:
        check_labels(y_labels, n_rows)
    check_chosen(chosen, n_rows)
    frame = Frame(**options)
    theme, head = frame.theme, frame.top_margin(HEAD)
    height = frame.height or (560 if square else rows_height(n_rows) + head + FOOT)
    cells = height - head - FOOT
    x = matrix_axis(theme, frame.x_title, n_columns)
    y = matrix_axis(theme, frame.y_title, n_rows, down=True)
    x |= position_ticks(tokens, n_columns, room=room) if tokens else {}
    y |= {} if y_labels is None else token_ticks(y_labels, room=cells // ROW_HEIGHT, chosen=chosen)
    if square:
        x |= {"constrain": "domain"}
        y |= {"scaleanchor": "x", "constrain": "domain", "constraintoward": "top"}
    rest = matrix[:-1] if last_apart else matrix
    limit = limit or colour_limit(finite(rest))
    chart = MatrixChart(frame, height, top=HEAD)
    chart.layout["coloraxis"] = colour_axis(theme, limit, rest, height=cells, centred=square)
    trace = chart.add(rest, hover_text, x=x, y=y)
    if row_gap is not None:
        trace["ygap"] = row_gap
    if chosen is not None:  # of all rows, the last one too
        chart.layout["shapes"].append(outline(theme, chosen))
    if last_apart:
        last = cells_trace(matrix[-1:]) | {"hovertemplate": chart.traces[0]["hovertemplate"]}
        chart.traces.append(last | {"y0": n_rows - 1, "coloraxis": "coloraxis2"})
        chart.layout["coloraxis2"] = colour_scale(theme, colour_limit(finite(matrix[-1])))
        chart.layout["coloraxis"]["colorbar"]["len"] = 170  # beside long names a phone has no more room
    return chart.figure()


def heatmap_alt(matrix: Tensor) -> dict[str, float]:
    """Summarise a heatmap for an alt text: rows, columns, lowest, highest."""
    return {"rows": matrix.shape[0], "columns": matrix.shape[1]} | extremes(matrix)


def sum_figure(
    token: Tensor,
    position: Tensor,
    total: Tensor,
    *,
    labels: Sequence[str],
    names: tuple[str, str, str],
    x_title: str = "",
    **options: Unpack[FrameOptions],
) -> go.Figure:
    """Draw token rows + position rows = input rows, (n_tokens, d_model) each, on one scale and one zoom."""
    parts = (token, position, total)
    check_matrix("token", token)
    if not token.shape == position.shape == total.shape:
        raise ValueError(
            f"token, position and total have shapes {', '.join(str(tuple(part.shape)) for part in parts)}: "
            "all three must be (n_tokens, d_model)"
        )
    n_rows, n_columns = token.shape
    check_labels(labels, n_rows)
    frame, limit, cells = Frame(**options), colour_limit(*parts), rows_height(n_rows)
    theme, top = frame.theme, HEAD + 30  # px for a line of names
    chart = MatrixChart(frame, frame.height or cells + frame.top_margin(top) + FOOT, top=top)
    chart.layout["coloraxis"] = colour_axis(theme, limit, *parts, height=cells, above=BAR + 30)
    gap = 0.045  # of the width, for the sign
    width = (1 - 2 * gap) / 3
    signs = []
    for index, (part, name) in enumerate(zip(parts, names, strict=True)):
        left, ink = index * (width + gap), INK[theme]
        x = matrix_axis(theme, x_title if index == 1 else "", n_columns, domain=[left, left + width])
        x |= {"nticks": 4, "dtick": None} if n_columns > 12 else {}
        y = matrix_axis(theme, "", n_rows, down=True, showticklabels=index == 0)
        y |= token_ticks(labels, room=cells // ROW_HEIGHT)
        matched = index > 0
        chart.add(
            part,
            "{row} · {column}\n{value}",
            x=x | ({"matches": "x"} if matched else {}),
            y=y | ({"matches": "y"} if matched else {}),
            name=name,
        )
        place = left + width / 2, 1 + 2 / cells, ink, "center bottom"
        chart.layout["annotations"].append(note(bold(name), *place, paper="xy"))
        if index < 2:
            place = left + width + gap / 2, 0.5, ink, "center middle"
            signs.append(note(bold("+="[index]), *place, paper="xy", size=24))
    chart.layout["annotations"] += signs
    return chart.figure()


@dataclass(frozen=True, slots=True, eq=False)
class MatrixPanel:
    """One of several matrices.

    Attributes:
        name: over the matrix; mention the limit in it, for there is no colour bar.
        values: (n_rows, n_columns); NaN and -inf are left grey.
        limit: colours run from -limit to +limit.
        columns: number of each column, such as an id; empty counts from 0. `rows` likewise.
    """

    name: str
    values: Tensor
    limit: float
    x_title: str
    y_title: str
    columns: Sequence[int] = ()
    rows: Sequence[int] = ()


def panels_figure(
    panels: Sequence[MatrixPanel],
    *,
    chosen: int | None = None,
    columns: int = 4,
    hover_text: str = "{name}\n{row}, {column}: {value}",
    **options: Unpack[FrameOptions],
) -> go.Figure:
    """Draw matrices beside each other, `columns` in a row (two suit a phone), each on its own scale."""
    if not panels:
        raise ValueError("panels is empty: give at least one matrix")
    for panel in panels:
        check_matrix("values", panel.values)
        if not panel.limit > 0:
            raise ValueError(f"limit={panel.limit} must be above 0; colour_limit gives one")
    check_chosen(chosen, max(len(panel.values) for panel in panels))
    frame = Frame(**options)
    theme, grid = frame.theme, Grid(len(panels), columns=columns, cell=240, gap=0.06, below=76)
    # The ground of cells that are left out must not look like a zero, which has the page's own ground.
    height = frame.height or grid.height + frame.top_margin(12) + 8
    chart = MatrixChart(frame, height, top=12, plot_bgcolor=GRID[theme])
    scales = list(dict.fromkeys(panel.limit for panel in panels))
    for index, panel in enumerate(panels):
        across, up = grid.span(index)
        n_rows, n_columns = panel.values.shape
        chart.add(
            panel.values,
            hover_text,
            x=matrix_axis(theme, panel.x_title, n_columns, domain=across, **_panel_ticks(panel.columns)),
            y=matrix_axis(theme, panel.y_title, n_rows, down=True, domain=up, **_panel_ticks(panel.rows)),
            name=panel.name,
            chosen=chosen,
        )["coloraxis"] = f"coloraxis{number(scales.index(panel.limit))}"
        chart.layout["annotations"].append(grid.name(index, panel.name, INK[theme]))
    chart.layout |= {f"coloraxis{number(at)}": colour_scale(theme, limit) for at, limit in enumerate(scales)}
    return chart.figure()


def _panel_ticks(numbers: Sequence[int]) -> Spec:
    """Return a tick for each number, which the hover text shows too, or a few that count from 0."""
    if not numbers:
        return {"nticks": 5}
    return {"dtick": 1, "labelalias": {str(at): str(n) for at, n in enumerate(numbers)}}


def heads_figure(
    bias: Tensor,
    *,
    names: Sequence[str],
    limit: float | None = None,
    chosen: int | None = None,
    columns: int = 4,
    cell: int = HEAD_CELL,
    hover_text: str = "{name}\n{row} → {column}: {value}",
    **options: Unpack[AxesOptions],
) -> go.Figure:
    """Draw a matrix per head on one scale, queries downwards and keys to the right; all zoom together.

    Args:
        bias: (n_heads, seq_len, seq_len); -inf (masked) and NaN are left grey.
        limit: colours run from -limit to +limit; None for the largest finite absolute value.
        columns: squares in a row; two suit a phone.
        cell: height of each square's cell in px.
    """
    if bias.ndim != 3 or bias.shape[1] != bias.shape[2] or 0 in bias.shape:
        raise ValueError(f"bias has shape {tuple(bias.shape)}: it must be (n_heads, seq_len, seq_len), and not empty")
    n_heads, seq_len, _ = bias.shape
    check_labels(names, n_heads)
    check_chosen(chosen, seq_len)
    frame, limit = Frame(**options), limit or largest_finite(bias)
    theme, grid = frame.theme, Grid(n_heads, columns=columns, cell=cell, gap=0.05, below=54)
    chart = MatrixChart(
        frame, frame.height or grid.height + frame.top_margin(HEAD) + 8, top=HEAD, plot_bgcolor=GRID[theme]
    )
    chart.layout["coloraxis"] = colour_axis(theme, limit, bias, height=grid.height)
    chart.layout["coloraxis"]["colorbar"]["xpad"] = 24  # else Plotly hides the left number, which reaches out further
    for index, (values, name) in enumerate(zip(bias.where(bias.isfinite(), torch.nan), names, strict=True)):
        across, up = grid.span(index)
        # Only the first square has titles, and only the first column counts its rows.
        x_title, y_title = ("", "") if index else (frame.x_title, frame.y_title)
        shared: Spec = {"nticks": 4, "constrain": "domain"}
        x = matrix_axis(theme, x_title, seq_len, domain=across, **shared)
        y = matrix_axis(theme, y_title, seq_len, down=True, domain=up, constraintoward="top", **shared)
        y |= {"showticklabels": index % grid.columns == 0}
        x |= {"matches": "x"} if index else {}
        y |= {"matches": "y"} if index else {"scaleanchor": "x"}
        chart.add(values, hover_text, x=x, y=y, name=name, chosen=chosen)
        chart.layout["annotations"].append(grid.name(index, name, INK[theme]))
    return chart.figure()


def heads_alt(bias: Tensor) -> dict[str, float]:
    """Summarise heads for an alt text: heads, positions, lowest, highest (of unmasked cells)."""
    return {"heads": bias.shape[0], "positions": bias.shape[1]} | extremes(bias)


def all_heads_figure(
    attention: Tensor,
    *,
    chosen: tuple[int, int],
    limit: float = 1.0,
    hover_text: str = "{layer}, {head}",
    **options: Unpack[AxesOptions],
) -> go.Figure:
    """Draw the attention weights of all heads of a model at once, layers downwards and heads to the right.

    One heatmap trace, and a point in the middle of each square, layer by layer. `attention` is (n_layers, n_heads,
    seq_len, seq_len), `chosen` (layer, head) from 0; {layer} in `hover_text` counts from 1.
    """
    if attention.ndim != 4 or attention.shape[2] != attention.shape[3] or 0 in attention.shape:
        raise ValueError(f"attention has shape {tuple(attention.shape)}: it must be (n_layers, n_heads, n, n)")
    n_layers, n_heads, seq_len, _ = attention.shape
    if not (0 <= chosen[0] < n_layers and 0 <= chosen[1] < n_heads):
        raise ValueError(f"chosen={chosen} must be a layer below {n_layers} and a head below {n_heads}")
    frame, gap = Frame(**options), max(1, round(seq_len / 10))
    theme, pitch, middle = frame.theme, seq_len + gap, (seq_len - 1) / 2
    padded = torch.nn.functional.pad(attention.detach().float(), (0, gap, 0, gap), value=torch.nan)
    cells = padded.transpose(1, 2).reshape(n_layers * pitch, n_heads * pitch)[:-gap, :-gap]

    def squares_axis(title: str, count: int, first: int) -> Spec:
        """Return an axis with ticks at the middle of each square."""
        ticks = range(0, count, -(-count // 16))
        places, texts = [at * pitch + middle for at in ticks], [str(at + first) for at in ticks]
        return axis(theme, title, showgrid=False, fixedrange=True, tickmode="array", tickvals=places, ticktext=texts)

    rim = 0.5 + gap / 2
    top, left = (at * pitch - rim for at in chosen)
    around = {"x0": left, "x1": left + seq_len + gap, "y0": top, "y1": top + seq_len + gap}
    layout = frame.layout(
        frame.height or 460,
        xaxis=squares_axis(frame.x_title, n_heads, 0) | {"range": [-gap, cells.shape[1] - 1 + gap]},
        yaxis=squares_axis(frame.y_title, n_layers, 1) | {"range": [cells.shape[0] - 1 + gap, -gap]},
        coloraxis=colour_scale(theme, limit),
        plot_bgcolor=GRID[theme],
        shapes=[{"type": "rect", "line": {"color": INK[theme], "width": 2.5}, **around}],
    )
    layers, heads = np.divmod(np.arange(n_layers * n_heads), n_heads)
    squares = scatter(
        "markers",
        (heads * pitch + middle).astype(np.float32),
        (layers * pitch + middle).astype(np.float32),
        marker={"size": 26, "symbol": "square", "opacity": 0},
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
        hovertemplate=[
            hover(hover_text, layer=str(layer + 1), head=str(head)) for layer, head in zip(layers, heads, strict=True)
        ],
    )
    picture: Spec = {"type": "heatmap", "z": numbers(cells), "coloraxis": "coloraxis", "hoverinfo": "skip"}
    return make_figure([picture, squares], layout)
