"""The projection on three axes, which can be turned: points, lines, and cones for heads."""

import numpy as np
import plotly.graph_objects as go

from embedlib.figures.colours import GROUND, INK, POSITION, RULE, SUM, TOKEN, Theme
from embedlib.figures.layout import FONT, TEXT, TICK, Points, Spec, make_figure, segments
from embedlib.figures.marks import halo
from embedlib.figures.projection_2d import HEIGHT, Style, token_points
from embedlib.figures.text import plain, shorten

NAMED = 24  # tokens that are named in the figure; above that only the chosen one is
CONES = 200  # arrows that get a cone for a head; above that the sum's own point ends the line


def solid_figure(rows: Points, sums: Points | None, style: Style) -> go.Figure:
    """Draw (n_tokens, 3) rows, and arrows to sums of the same shape."""
    theme, chosen = style.theme, style.chosen
    everything = rows if sums is None else np.concatenate([rows, sums])
    traces: list[Spec] = []
    if sums is not None:
        traces.append(_arrows(rows, sums, style))
        if len(rows) <= CONES:
            traces.append(_cones(rows, sums, everything, theme))
        traces.append(_points(sums, 2, SUM[theme], "diamond", style))
    traces.append(_points(rows, 0, TOKEN[theme], "circle", style))
    if chosen is not None:
        traces.append(_chosen(rows, sums, chosen, theme))
    height = style.frame.height or HEIGHT
    layout = style.frame.layout(
        height,
        top=40,
        showlegend=sums is not None,
        legend=style.frame.legend(height) | {"itemsizing": "constant"},
        dragmode="turntable",
        scene=_scene(style, everything) | {"annotations": _names(rows, style)},
    )
    layout["margin"] |= {"l": 0, "r": 0, "b": 0}
    return make_figure(traces, layout)


def _scene(style: Style, everything: Points) -> Spec:
    """Three axes of one unit length, the longest filling the figure."""
    low, high = everything.min(axis=0), everything.max(axis=0)
    spans = 1.12 * (high - low) + 1e-3 * (float((high - low).max()) or 1.0)  # no axis is quite flat
    middle, ratio = (low + high) / 2, spans / spans.max()
    theme = style.theme
    shared: Spec = {
        "tickfont": {"size": TICK - 2, "color": INK[theme]},
        "gridcolor": RULE[theme],
        "zerolinecolor": RULE[theme],
        "showbackground": False,
        "showspikes": False,
        "nticks": 4,
    }
    axes = {
        f"{letter}axis": shared
        | {
            # Drawn by WebGL, which knows neither links nor entities: escaped text would show its escapes.
            "title": {"text": title, "font": {"size": TICK, "color": INK[theme], "family": FONT}},
            "range": [float(middle[index] - spans[index] / 2), float(middle[index] + spans[index] / 2)],
        }
        for index, (letter, title) in enumerate(zip("xyz", style.axis_titles, strict=True))
    }
    return axes | {
        "aspectmode": "manual",
        "aspectratio": {letter: float(ratio[index]) for index, letter in enumerate("xyz")},
        "camera": {"eye": {"x": 1.28, "y": 1.28, "z": 0.7168}, "center": {"x": 0, "y": 0, "z": -0.14}},
    }


def _points(points: Points, part: int, colour: str, symbol: str, style: Style) -> Spec:
    size = (6 if len(points) <= 200 else 4) * (0.8 if symbol == "diamond" else 1)
    line = {"color": GROUND[style.theme], "width": 1}
    marker = {"symbol": symbol, "size": size, "color": colour, "line": line}
    return token_points(points, part, style) | {"type": "scatter3d", "z": points[:, 2], "marker": marker}


def _arrows(rows: Points, sums: Points, style: Style) -> Spec:
    """All arrows as one line with gaps."""
    ends = segments(rows, sums)
    return {
        "type": "scatter3d",
        "mode": "lines",
        "name": plain(style.names[1]),
        "legendrank": 1,
        "x": ends[:, 0],
        "y": ends[:, 1],
        "z": ends[:, 2],
        "line": {"color": POSITION[style.theme], "width": 3},
        "opacity": 0.9 if style.chosen is None else 0.55,
        "hoverinfo": "skip",
    }


def _cones(rows: Points, sums: Points, everything: Points, theme: Theme) -> Spec:
    """A head for each arrow: cones of one size, whose tips are the sums."""
    along = sums - rows
    lengths = np.linalg.norm(along, axis=1, keepdims=True)
    along = along / np.maximum(lengths, 1e-12)
    size = min(0.035 * float(np.ptp(everything, axis=0).max()), 0.45 * float(np.median(lengths))) or 1.0
    return {
        "type": "cone",
        "x": sums[:, 0],
        "y": sums[:, 1],
        "z": sums[:, 2],
        "u": along[:, 0],
        "v": along[:, 1],
        "w": along[:, 2],
        "anchor": "tip",
        "sizemode": "raw",
        "sizeref": size,
        "colorscale": [[0, POSITION[theme]], [1, POSITION[theme]]],
        "showscale": False,
        "hoverinfo": "skip",
        "lighting": {"ambient": 0.9, "diffuse": 0.2, "specular": 0},
    }


def _chosen(rows: Points, sums: Points | None, chosen: int, theme: Theme) -> Spec:
    """A thick arrow, and rings at both its ends."""
    ends = rows[[chosen]] if sums is None else np.stack([rows[chosen], sums[chosen]])
    return {
        "type": "scatter3d",
        "mode": "lines+markers",
        "x": ends[:, 0],
        "y": ends[:, 1],
        "z": ends[:, 2],
        "line": {"color": POSITION[theme], "width": 8},
        "marker": {"symbol": "circle-open", "size": 13, "color": INK[theme], "line": {"color": INK[theme], "width": 3}},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _names(rows: Points, style: Style) -> list[Spec]:
    """Names as annotations, which stay upright, sharp and escaped while the scene turns; equal rows are named once."""
    chosen = style.chosen
    first: dict[bytes, int] = {}
    for index in range(len(rows) if len(rows) <= NAMED else 0):
        first.setdefault(rows[index].tobytes(), index)
    if chosen is not None:
        first[rows[chosen].tobytes()] = chosen
    return [_name(rows[index], style.labels[index], index == chosen, style.theme) for index in sorted(first.values())]


def _name(point: Points, label: str, chosen: bool, theme: Theme) -> Spec:
    x, y, z = (float(value) for value in point)
    text = plain(shorten(label, 18 if chosen else 14))
    spec: Spec = {
        "x": x,
        "y": y,
        "z": z,
        "text": f"<b>{text}</b>" if chosen else text,
        "font": {"size": TEXT + 3 if chosen else TICK, "color": INK[theme], "family": FONT, "shadow": halo(theme)},
        "showarrow": False,
        "yshift": 22 if chosen else 15,
    }
    return spec | ({"bgcolor": GROUND[theme], "opacity": 0.92, "borderpad": 2} if chosen else {})
