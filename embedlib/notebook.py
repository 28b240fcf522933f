"""Results as HTML and figures, for notebooks: small matrices in colour, with their sizes and ranges as text."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, TypeAlias

from torch import Tensor

Figure: TypeAlias = Any  # plotly.graph_objects.Figure; Plotly is loaded for those alone who draw

_ROWS, _COLUMNS, _CELL = 24, 48, 8  # shown at most, and px of a cell's side
_LOW, _MIDDLE, _HIGH = (63, 138, 198), (245, 245, 243), (221, 122, 53)  # blue, ground, orange


def chips_html(labels: Sequence[str], ids: Sequence[int]) -> str:
    """Return tokens in a line, each with its id as a tooltip."""
    style = (
        "display:inline-block;border:1px solid #aeb6c1;border-radius:4px;padding:0 4px;margin:1px;font-family:monospace"
    )
    chips = (
        f'<span style="{style}" title="{token_id}">{escape(label)}</span>'
        for label, token_id in zip(labels, ids, strict=True)
    )
    return f"<div>{''.join(chips)}</div>"


def matrix_html(name: str, matrix: Tensor) -> str:
    """Return the first rows and columns of (n_rows, n_columns) as an SVG, with shape and range as text below it."""
    values = matrix.detach().float().cpu()
    finite = values[values.isfinite()]
    low, high = (float(finite.min()), float(finite.max())) if finite.numel() else (0.0, 0.0)
    limit = max(-low, high) or 1.0
    shown = values[:_ROWS, :_COLUMNS]
    cells = "".join(
        f'<rect x="{column}" y="{row}" width="1" height="1" fill="{_colour(value / limit)}"/>'
        for row, line in enumerate(shown.tolist())
        for column, value in enumerate(line)
        if value == value and abs(value) <= limit  # NaN and infinities stay empty
    )
    n_rows, n_columns = shown.shape
    size = f'width="{n_columns * _CELL}" height="{n_rows * _CELL}" viewBox="0 0 {n_columns} {n_rows}"'
    text = escape(f"{name}: {' × '.join(map(str, values.shape))}, {low:.4g} to {high:.4g}")
    if shown.shape != values.shape:
        text += f", first {n_rows} × {n_columns} shown"
    return (
        '<figure style="display:inline-block;margin:4px 12px 4px 0;vertical-align:top">'
        f'<svg role="img" aria-label="{text}" {size}>{cells}</svg>'
        f"<figcaption>{text}</figcaption></figure>"
    )


def facts_html(title: str, facts: Mapping[str, object]) -> str:
    """Return a heading and a list of names and values."""
    lines = "".join(f"<li>{escape(name)}: {escape(str(fact))}</li>" for name, fact in facts.items())
    return f"<strong>{escape(title)}</strong><ul>{lines}</ul>"


def sum_figure(parts: Sequence[Tensor], labels: Sequence[str]) -> Figure:
    """Draw token rows, position rows and their sum side by side."""
    from embedlib.figures import sum_figure

    token, position, total = (part.detach().cpu() for part in parts)
    return sum_figure(token, position, total, labels=labels, names=("tokens", "positions", "sum"))


def matrix_figure(matrix: Tensor, *, x_title: str, y_title: str, **options: Any) -> Figure:
    """Draw one matrix."""
    from embedlib.figures import heatmap_figure

    return heatmap_figure(matrix.detach().cpu(), x_title=x_title, y_title=y_title, **options)


def scree_figure(ratios: Iterable[float], level: float) -> Figure:
    """Draw the share of the variance along each principal axis beside that of a random one."""
    from embedlib.figures import scree_figure

    shares = list(ratios)
    names = ("share of variance", "running sum", "all axes alike")
    return scree_figure(
        shares, level=level, shown=len(shares), names=names, x_title="axis", y_title="share of variance"
    )


def _colour(share: float) -> str:
    end = _HIGH if share > 0 else _LOW
    return "#" + "".join(
        f"{round(middle + abs(share) * (to - middle)):02x}" for middle, to in zip(_MIDDLE, end, strict=True)
    )
