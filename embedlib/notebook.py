"""Results as HTML and figures, for notebooks: small matrices in colour, with their sizes and ranges as text."""

import math
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, TypeAlias

from torch import Tensor

from embedlib.colours import POSITION, TOKEN

Figure: TypeAlias = Any  # plotly.graph_objects.Figure; Plotly is loaded for those alone who draw

_CHIPS = 500  # shown at most
_ROWS, _COLUMNS = 24, 48  # shown at most
_CELL, _LARGE_CELL, _SIDE = 8, 24, 192  # px of a cell's side, least and most, and of a small matrix's longer side
_WIDTH, _HEIGHT, _MARGIN, _POINTS = 480, 320, 12, 2_000  # px of a picture of points, and how many it has
_LETTER, _LINE = 8, 15  # px of a label's letter and line in it
_TEXT = "#747d89"  # in images, which do not know the ground that they stand on
_LOW, _MIDDLE, _HIGH = (63, 138, 198), (245, 245, 243), (221, 122, 53)  # blue, ground, orange


def chips_html(labels: Sequence[str], ids: Sequence[int], *, title: str = "") -> str:
    """Return tokens in a line, each with its id as a tooltip, of very many the first ones; under a title, if any."""
    style = (
        "display:inline-block;border:1px solid #aeb6c1;border-radius:4px;padding:0 4px;margin:1px;font-family:monospace"
    )
    chips = (
        f'<span style="{style}" title="{token_id}">{escape(label)}</span>'
        for label, token_id in zip(labels[:_CHIPS], ids[:_CHIPS], strict=True)
    )
    head = f"<strong>{escape(title)}</strong> " if title else ""
    return f"<div>{head}{''.join(chips)}{' …' if len(labels) > _CHIPS else ''}</div>"


def points_html(title: str, points: Tensor, labels: Sequence[str], colours: Sequence[str], named: Sequence[int]) -> str:
    """Return a picture of the first two columns of (n_points, 2 or more).

    Args:
        title: what the points are.
        points: finite.
        labels: of all points.
        colours: of all points.
        named: points whose labels stand beside them, most important first; none covers another.
    """
    step = max(1, math.ceil(len(points) / _POINTS))
    shown = sorted({*range(0, len(points), step), *named})
    coordinates = points[shown, :2].double()
    low, high = coordinates.amin(0), coordinates.amax(0)
    coordinates = (coordinates - low) / (high - low).clamp(min=1e-30)  # (n_shown, 2), 0 to 1
    at = {
        index: (_MARGIN + across * _WIDTH, _MARGIN + (1 - up) * _HEIGHT)
        for index, (across, up) in zip(shown, coordinates.tolist(), strict=True)
    }
    marks = [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2" fill="{colours[index]}" opacity="0.5"/>'
        for index, (x, y) in at.items()
    ]
    written: list[tuple[float, float, float]] = []  # left end, right end and height of each label
    for index in named:
        (x, y), width = at[index], _LETTER * len(labels[index])
        if all(x + width < left or right < x or abs(y - other) > _LINE for left, right, other in written):
            written.append((x, x + width, y))
            marks.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colours[index]}"/>')
            marks.append(f'<text x="{x:.1f}" y="{y:.1f}" dx="7" dy="4" fill="{_TEXT}">{escape(labels[index])}</text>')
    title += f", {len(shown):,} shown" if len(shown) < len(points) else ""
    size = (_WIDTH + 8 * _MARGIN, _HEIGHT + 2 * _MARGIN)
    return _figure(title, size, f'<g font-family="sans-serif" font-size="12" font-weight="bold">{"".join(marks)}</g>')


def hands_html(title: str, hands: Mapping[str, float]) -> str:
    """Return two angles in radians as the hands of a clock, counted from the right, against the clock."""
    lines = "".join(
        f'<line x2="{math.cos(angle):.4f}" y2="{-math.sin(angle):.4f}" stroke="{colour}"/>'
        f'<text x="{1.1 * math.cos(angle):.4f}" y="{-1.1 * math.sin(angle):.4f}" fill="{colour}" stroke="none" '
        f'text-anchor="{"start" if math.cos(angle) >= 0 else "end"}">{escape(name)}</text>'
        for (name, angle), colour in zip(hands.items(), (TOKEN["light"], POSITION["light"]), strict=True)
    )
    circle = f'<circle r="1" fill="none" stroke="{_TEXT}" stroke-width="0.015"/>'
    hands_svg = f'<g stroke-linecap="round" stroke-width="0.04" font-family="sans-serif" font-size="0.14">{lines}</g>'
    return _figure(title, (380, 250), circle + hands_svg, view_box="-2 -1.3 4 2.6")


def matrix_html(name: str, matrix: Tensor) -> str:
    """Return the first rows and columns of (n_rows, n_columns) as a picture, with shape and range as text below it."""
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
    text = f"{name}: {' × '.join(map(str, values.shape))}, {low:.4g} to {high:.4g}"
    if shown.shape != values.shape:
        text += f", first {n_rows} × {n_columns} shown"
    cell = max(_CELL, min(_LARGE_CELL, _SIDE // max(n_rows, n_columns)))
    return _figure(text, (n_columns * cell, n_rows * cell), cells, view_box=f"0 0 {n_columns} {n_rows}")


def facts_html(title: str, facts: Mapping[str, object]) -> str:
    """Return a heading and a list of names and values."""
    lines = "".join(f"<li>{escape(name)}: {escape(str(fact))}</li>" for name, fact in facts.items())
    return f"<strong>{escape(title)}</strong><ul>{lines}</ul>"


def sum_figure(parts: Sequence[Tensor], labels: Sequence[str]) -> Figure:
    """Draw token rows, position rows and their sum side by side."""
    from embedlib.figures import sum_figure

    token, position, total = (part.detach().cpu() for part in parts)
    return sum_figure(token, position, total, labels=labels, names=("token rows", "position rows", "input rows"))


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


def _figure(text: str, size: tuple[int, int], content: str, *, view_box: str = "") -> str:
    """Return an SVG as an image, which notebooks show of others too, with a text as its caption and its alt text."""
    width, height = size
    shape = f'width="{width}" height="{height}" viewBox="{view_box or f"0 0 {width} {height}"}"'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" {shape}>{content}</svg>'
    source = b64encode(svg.encode()).decode()
    caption = escape(text)
    return (
        '<figure style="display:inline-block;margin:4px 12px 4px 0;vertical-align:top">'
        f'<img alt="{caption}" width="{width}" height="{height}" src="data:image/svg+xml;base64,{source}"/>'
        f"<figcaption>{caption}</figcaption></figure>"
    )
