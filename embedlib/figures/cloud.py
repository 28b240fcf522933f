"""A point cloud as a saved figure: every point with its name under the pointer, and a colour legend."""

from collections.abc import Sequence
from typing import Unpack

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from embedlib.colours import GRID, GROUND, INK, SEQUENTIAL, Theme, plotly_scale
from embedlib.figures.layout import TEXT, Frame, FrameOptions, Spec, axis, check_labels, make_figure
from embedlib.figures.text import plain


def cloud_figure(
    points: NDArray[np.float32],
    *,
    labels: Sequence[str],
    colours: NDArray[np.uint8],
    palette: Sequence[str],
    kinds: Sequence[tuple[int, str]],
    axis_titles: Sequence[str],
    named: Sequence[int] = (),
    scale: tuple[str, float, float] | None = None,
    tokens: NDArray[np.float32] | None = None,
    token_labels: Sequence[str] = (),
    **options: Unpack[FrameOptions],
) -> go.Figure:
    """Draw points by WebGL, on two axes or three; tokens, names and the scale are the last traces.

    Args:
        points: (n, 2) or (n, 3) finite.
        colours: (n,) indices into the palette of "#rrggbb".
        kinds: index and name of the colours in the legend, a trace for each; empty for one trace of all.
        named: points whose names are written beside them.
        scale: title of a continuous palette, and the values of its first and its last colour.
        tokens: (m, 2) or (m, 3) finite, larger points with token_labels beside them.
    """
    if points.ndim != 2 or points.shape[1] not in (2, 3) or len(axis_titles) != points.shape[1]:
        raise ValueError(f"points has shape {points.shape} for {len(axis_titles)} axis titles: give 2 or 3 of both")
    check_labels(labels, len(points))
    if colours.shape != (len(points),):
        raise ValueError(f"colours has shape {colours.shape}: it must be ({len(points)},)")
    frame = Frame(**options)
    theme, height = frame.theme, frame.height or 820
    written = np.array([plain(label) for label in labels], dtype=object)
    painted = np.array(palette, dtype=object)[colours]
    groups = [(plain(name), np.flatnonzero(colours == index)) for index, name in kinds]
    traces = [
        _trace(points[members], written[members].tolist(), painted[members].tolist(), name)
        for name, members in groups or [("", np.arange(len(points)))]
    ]
    tokens = points[:0] if tokens is None else tokens
    check_labels(token_labels, len(tokens))
    if len(tokens) and points.shape[1] == 3:
        traces.append(_tokens_in_space(tokens, theme))
    if len(named) or len(tokens):
        names = [*written[list(named)].tolist(), *map(plain, token_labels)]
        traces.append(_names(np.concatenate([points[list(named)], tokens]), names, theme))
    traces += [_scale(points, palette, *scale)] if scale else []
    layout = frame.layout(height, top=48, dragmode="pan", showlegend=bool(kinds), legend=frame.legend(height))
    if points.shape[1] == 3:
        layout["scene"] = {"aspectmode": "data"} | {
            f"{letter}axis": _space_axis(theme, text) for letter, text in zip("xyz", axis_titles, strict=True)
        }
        layout["dragmode"] = "orbit"
    else:
        layout |= {
            "xaxis": axis(theme, axis_titles[0], zeroline=True),
            "yaxis": axis(theme, axis_titles[1], zeroline=True, scaleanchor="x"),
            "shapes": _tokens_on_axes(tokens, theme),
        }
    return make_figure(traces, layout)


def density_figure(
    counts: NDArray[np.uint32],
    window: tuple[float, float, float, float],
    *,
    axis_titles: Sequence[str],
    scale: str,
    tokens: NDArray[np.float32] | None = None,
    **options: Unpack[FrameOptions],
) -> go.Figure:
    """Draw the number of points in each cell of a window, on a logarithmic scale; empty cells stay blank.

    `counts` is (rows, columns) from the bottom up; `window` is left, bottom, right and top of all cells together;
    `tokens` are (m, 2) points over the cells.
    """
    if counts.ndim != 2 or not counts.any():
        raise ValueError(f"counts has shape {counts.shape} and sum {counts.sum()}: give (rows, columns) with a point")
    frame = Frame(**options)
    theme, (rows, columns) = frame.theme, counts.shape
    left, bottom, right, top = window
    across, up = (right - left) / columns, (top - bottom) / rows
    powers = list(range(int(np.log10(counts.max())) + 1))
    bar = {"title": {"text": plain(scale), "side": "right"}, "thickness": 14, "len": 0.6}
    bar |= {"tickvals": powers, "ticktext": [f"{10**power:,}" for power in powers]}
    with np.errstate(divide="ignore"):
        shown = np.where(counts, np.log10(counts), np.nan).astype(np.float32)
    image: Spec = {
        "type": "heatmap",
        "z": shown,
        "x0": left + across / 2,
        "dx": across,
        "y0": bottom + up / 2,
        "dy": up,
        "customdata": counts,
        "hovertemplate": "%{customdata:,}<extra></extra>",
        "hoverongaps": False,
        "zmin": 0,
        "colorscale": plotly_scale(SEQUENTIAL[theme]),
        "colorbar": bar,
    }
    layout = frame.layout(frame.height or 820, top=48, dragmode="pan")
    layout |= {"xaxis": axis(theme, axis_titles[0]), "yaxis": axis(theme, axis_titles[1], scaleanchor="x")}
    layout["shapes"] = [] if tokens is None else _tokens_on_axes(tokens, theme)
    return make_figure([image], layout)


def _coordinates(points: NDArray[np.float32]) -> Spec:
    flat = points.shape[1] == 2
    places = {letter: np.ascontiguousarray(points[:, index]) for index, letter in enumerate("xyz"[: points.shape[1]])}
    return {"type": "scattergl" if flat else "scatter3d", **places}


def _tokens_on_axes(tokens: NDArray[np.float32], theme: Theme) -> list[Spec]:
    """Draw tokens as shapes, which lie over points, and over the image that many become in print."""
    dot = {"type": "circle", "xsizemode": "pixel", "ysizemode": "pixel", "x0": -5, "x1": 5, "y0": -5, "y1": 5}
    dot |= {"fillcolor": INK[theme], "line": {"color": GROUND[theme], "width": 1.5}}
    return [dot | {"xanchor": x, "yanchor": y} for x, y in tokens.tolist()]


def _tokens_in_space(tokens: NDArray[np.float32], theme: Theme) -> Spec:
    looks = {"marker": {"color": INK[theme], "size": 5}}
    return _coordinates(tokens) | {"mode": "markers", "showlegend": False, "hoverinfo": "skip"} | looks


def _names(points: NDArray[np.float32], names: list[str], theme: Theme) -> Spec:
    """Write names over points, without hover texts of their own."""
    text = {"mode": "text", "text": names, "textposition": "top center", "textfont": {"size": 13, "color": INK[theme]}}
    return _coordinates(points) | text | {"showlegend": False, "hoverinfo": "skip"}


def _scale(points: NDArray[np.float32], palette: Sequence[str], title: str, low: float, high: float) -> Spec:
    """Draw the colour bar, by a trace without points."""
    bar = {"title": {"text": plain(title), "side": "right"}, "thickness": 14, "len": 0.6}
    marker = {"color": [low], "cmin": low, "cmax": high, "colorscale": plotly_scale(palette)}
    marker |= {"showscale": True, "colorbar": bar}
    return _coordinates(points[:0]) | {"mode": "markers", "marker": marker, "showlegend": False}


def _trace(points: NDArray[np.float32], labels: list[str], colours: list[str], name: str) -> Spec:
    return {
        **_coordinates(points),
        "mode": "markers",
        "name": name,
        "marker": {"color": colours, "size": 5 if points.shape[1] == 2 else 3, "opacity": 0.75},
        "hovertext": labels,
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _space_axis(theme: Theme, title: str) -> Spec:
    return {
        "title": {"text": plain(title), "font": {"size": TEXT, "color": INK[theme]}},
        "gridcolor": GRID[theme],
        "backgroundcolor": GROUND[theme],
        "showspikes": False,
    }
