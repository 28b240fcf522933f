"""token + position = input: the three matrices of the sum on one scale, for notebooks and downloads."""

from collections.abc import Sequence

import plotly.graph_objects as go
from torch import Tensor

from embedlib.figures.colours import INK, Theme, colour_limit
from embedlib.figures.heatmap import (
    FOOT,
    HEAD,
    cells_trace,
    colour_axis,
    column_axis,
    exceeds,
    row_axis,
    rows_height,
)
from embedlib.figures.layout import (
    ROW_HEIGHT,
    Spec,
    base_layout,
    check_labels,
    check_matrix,
    make_figure,
    token_ticks,
)
from embedlib.figures.marks import note
from embedlib.figures.text import bold, hover, plain

GAP = 0.045  # between two heatmaps, of the figure's width: room for the sign
NAMES = 30  # px: the line of headings over the heatmaps


def sum_figure(
    token: Tensor,
    position: Tensor,
    total: Tensor,
    *,
    labels: Sequence[str],
    names: tuple[str, str, str],
    x_title: str,
    theme: Theme,
    title: str = "",
) -> go.Figure:
    """Draw token rows, position rows and their sum side by side, with one colour scale and one zoom.

    Args:
        token: (n_tokens, d_model), the rows looked up.
        position: (n_tokens, d_model), what is added.
        total: (n_tokens, d_model), token + position.
        labels: one per token, shown as written.
        names: headings of the three heatmaps.
        x_title: what the columns are.
        theme: "light" or "dark".
        title: a heading inside the figure.

    Returns:
        A figure with three heatmap traces on one colour axis.

    Raises:
        ValueError: the shapes differ or are not two-dimensional, or labels do not fit.
    """
    parts = (token, position, total)
    check_matrix("token", token)
    if not token.shape == position.shape == total.shape:
        raise ValueError(
            f"token, position and total have shapes {', '.join(str(tuple(part.shape)) for part in parts)}: "
            "all three must be (n_tokens, d_model)"
        )
    n_rows, n_columns = token.shape
    check_labels(labels, n_rows)
    limit = colour_limit(*parts)
    cells = rows_height(n_rows)
    head = HEAD + NAMES + (32 if title else 0)
    layout = base_layout(theme, height=cells + head + FOOT, title=title)
    layout["margin"] |= {"t": head}
    clipped = any(exceeds(part, limit) for part in parts)
    layout["coloraxis"] = colour_axis(theme, limit, clipped=clipped, height=cells)
    layout["coloraxis"]["colorbar"]["y"] += NAMES / cells
    layout |= _axes(theme, x_title, labels, n_columns, cells)
    layout["annotations"] = _headings(theme, names, cells)
    text = hover("{row} · {column}\n{value}", row="%{y}", column="%{x}", value="%{z:.4f}")
    traces = [
        cells_trace(part, text, name=plain(name), xaxis=f"x{number}", yaxis=f"y{number}")
        for part, name, number in zip(parts, names, ("", "2", "3"), strict=True)
    ]
    return make_figure(traces, layout)


def _axes(theme: Theme, x_title: str, labels: Sequence[str], n_columns: int, cells: int) -> Spec:
    """Three pairs of axes that zoom together; only the first names the rows, and all know their labels."""
    rows = row_axis(theme, "", len(labels)) | token_ticks(labels, room=cells // ROW_HEIGHT)
    layout: Spec = {}
    for index, (left, right) in enumerate(_thirds()):
        number = str(index + 1) if index else ""
        shared = {"matches": "x"} if index else {}
        ticks = {"nticks": 4, "dtick": None} if n_columns > 12 else {}
        across = column_axis(theme, x_title if index == 1 else "", n_columns) | {"domain": [left, right]} | ticks
        layout[f"xaxis{number}"] = across | {"anchor": f"y{number}"} | shared
        down = rows | {"anchor": f"x{number}", "showticklabels": index == 0}
        layout[f"yaxis{number}"] = down | ({"matches": "y"} if index else {})
    return layout


def _headings(theme: Theme, names: tuple[str, str, str], cells: int) -> list[Spec]:
    """The name over each heatmap, and + and = between them."""
    spans, ink = _thirds(), INK[theme]
    headings = [
        note(bold(name), (left + right) / 2, 1 + 2 / cells, ink, "center bottom", paper="xy")
        for name, (left, right) in zip(names, spans, strict=True)
    ]
    signs = [
        note(bold(sign), right + GAP / 2, 0.5, ink, "center middle", paper="xy", size=24)
        for sign, (_left, right) in zip("+=", spans[:2], strict=True)
    ]
    return headings + signs


def _thirds() -> list[tuple[float, float]]:
    """The three spans of the figure's width."""
    width = (1 - 2 * GAP) / 3
    return [(index * (width + GAP), index * (width + GAP) + width) for index in range(3)]
