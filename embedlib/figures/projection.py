"""Every token row as a point, and an arrow to its input row (with the position added), in one shared basis.

In 2-D as many names are written as fit without covering each other; the 3-D scene can be rotated, with cones as arrow
heads.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from torch import Tensor

from embedlib.colours import GROUND, INK, POSITION, RULE, SUM, TOKEN, Theme
from embedlib.figures.labels import BEYOND, place_names
from embedlib.figures.layout import (
    FONT,
    TEXT,
    TICK,
    Frame,
    FrameOptions,
    Points,
    Spec,
    axis,
    check_chosen,
    check_labels,
    check_matrix,
    indices,
    make_figure,
    numbers,
)
from embedlib.figures.marks import halo, note, scatter
from embedlib.figures.text import columns, hover, plain, shorten, wrap_lines


@dataclass(frozen=True, slots=True)
class ProjectionText:
    """The texts of a projection, already translated: legend names, hover texts, and a remark beside one token's sum."""

    rows: str
    positions: str
    sums: str
    hover_row: str = "{token}\n{position}"
    hover_sum: str = "{token}\n{position}"
    remark: tuple[int, str] | None = None


@dataclass(frozen=True, slots=True)
class Style:
    """Frame, labels, texts and chosen token of a projection: see `projection_figure`."""

    labels: Sequence[str]
    axis_titles: Sequence[str]
    names: tuple[str, str, str]
    hovers: tuple[str, str]
    frame: Frame
    chosen: int | None
    remark: tuple[int, str] | None = None
    narrow: bool = False

    @property
    def theme(self) -> Theme:
        """The frame's theme."""
        return self.frame.theme


def projection_figure(
    rows: Tensor,
    sums: Tensor | None,
    *,
    labels: Sequence[str],
    axis_titles: Sequence[str],
    text: ProjectionText,
    chosen: int | None = None,
    narrow: bool = False,
    **options: Unpack[FrameOptions],
) -> go.Figure:
    """Draw projected rows, (n_tokens, 2) or (n_tokens, 3), and arrows to `sums` of the same shape and basis.

    Points carry the token's position as customdata; axes have equal units. Above 500 tokens the arrows in 2-D have no
    heads. `sums` is None for a scheme that adds nothing. `chosen` is ringed and named in 3-D only.
    `narrow` says that the figure is as wide as a phone.
    """
    check_matrix("rows", rows, columns=(2, 3))
    if sums is not None and sums.shape != rows.shape:
        raise ValueError(f"sums has shape {tuple(sums.shape)}: it must be that of rows, {tuple(rows.shape)}")
    check_labels(labels, rows.shape[0])
    check_chosen(chosen, rows.shape[0])
    if len(axis_titles) != rows.shape[1]:
        raise ValueError(f"axis_titles has {len(axis_titles)} entries for {rows.shape[1]} axes: give one for each")
    style = Style(
        labels=labels,
        axis_titles=axis_titles,
        names=(text.rows, text.positions, text.sums),
        hovers=(_hover(text.hover_row), _hover(text.hover_sum)),
        frame=Frame(**options),
        chosen=chosen,
        remark=text.remark,
        narrow=narrow,
    )
    draw = flat_figure if rows.shape[1] == 2 else solid_figure
    return draw(numbers(rows), None if sums is None else numbers(sums), style)


def _hover(template: str) -> str:
    return hover(template, token="%{hovertext}", position="%{customdata}")


def projection_alt(rows: Tensor, sums: Tensor | None, ratios: Sequence[float]) -> dict[str, float]:
    """Summarise a projection for an alt text, from rows (n_tokens, 2 or 3) and the variance share of each axis.

    Returns tokens, axes, share (percent of the variance that is shown), arrow (mean length of the arrows, 0 without
    sums) and spread (mean distance of the rows from their mean), the last two in the axes' unit.
    """
    points = numbers(rows)
    arrow = 0.0 if sums is None else _mean_length(numbers(sums) - points)
    return {
        "tokens": points.shape[0],
        "axes": points.shape[1],
        "share": 100 * float(sum(ratios)),
        "arrow": arrow,
        "spread": _mean_length(points - points.mean(axis=0)),
    }


def _mean_length(vectors: NDArray[np.float32]) -> float:
    return float(np.linalg.norm(vectors, axis=1).mean())


NAMED = 40  # tokens that are named in the figure; above that none is
MANY = 500  # past it no heads: Plotly's fast WebGL points need code made at run time, which no page allows
HEIGHT = 560  # px
# px that points and names have, in a window and on a phone: a figure is as wide as its container, and names that are
# clear of each other in a narrow one are so in a wider one.
SIZES = ((640, HEIGHT - 120), (250, HEIGHT - 120))


def flat_figure(rows: Points, sums: Points | None, style: Style) -> go.Figure:
    """Draw (n_tokens, 2) rows, and arrows to sums of the same shape."""
    theme = style.theme
    everything = rows if sums is None else np.concatenate([rows, sums])
    traces: list[Spec] = []
    if sums is not None:
        traces.append(_arrows(rows, sums, style))
        traces.append(_points(sums, 2, SUM[theme], "diamond", style))
    traces.append(_points(rows, 0, TOKEN[theme], "circle", style))
    if len(rows) <= NAMED:
        traces[-1] |= _label_text(rows, sums, everything, style)
    # Margins that Plotly has to find make it draw everything twice: 60 ms of an edit's 250.
    fixed: Spec = {"automargin": False}
    height = style.frame.height or HEIGHT
    layout = style.frame.layout(
        height,
        xaxis=axis(theme, style.axis_titles[0]) | _axis_range(everything[:, 0]) | fixed,
        yaxis=axis(theme, style.axis_titles[1]) | _axis_range(everything[:, 1]) | fixed | {"scaleanchor": "x"},
        showlegend=sums is not None,
        legend=style.frame.legend(height),
        dragmode="pan",
    )
    layout["margin"] |= {"l": 76, "b": 60}
    if style.remark is not None and sums is not None:
        place, words = style.remark
        x, y = sums[place].tolist()
        side = "right" if x > float(everything[:, 0].mean()) else "left"
        layout["annotations"] = [
            note(wrap_lines(words), x, y, SUM[theme], f"{side} bottom", over=theme, yshift=8, align=side)
        ]
    return make_figure(traces, layout)


def _axis_range(values: Points) -> Spec:
    """Return the range of one axis: all points and some room for their names."""
    low, high = float(values.min()), float(values.max())
    room = BEYOND * (high - low) or 1.0
    return {"range": [low - room, high + room], "zeroline": True, "nticks": 7}


def token_points(points: Points, part: int, style: Style) -> Spec:
    """Return points that carry their token's position, for hover and click."""
    return scatter(
        "markers",
        points[:, 0],
        points[:, 1],
        name=plain(style.names[part]),
        legendrank=part,
        customdata=indices(len(points)),
        hovertext=[plain(shorten(label, 40)) for label in style.labels],
        hovertemplate=style.hovers[part > 0],
    )


def _points(points: Points, part: int, colour: str, symbol: str, style: Style) -> Spec:
    line = {"color": GROUND[style.theme], "width": 0.5 if len(points) > MANY else 1.5}
    size = 11 if len(points) <= 200 else 6
    # A click must not grey the rest: what is chosen is marked by the page, in every view alike.
    return token_points(points, part, style) | {
        "marker": {"symbol": symbol, "size": size, "color": colour, "line": line},
        "unselected": {"marker": {"opacity": 1}},
    }


def _arrows(rows: Points, sums: Points, style: Style) -> Spec:
    """Draw all arrows as one line with gaps; their heads are markers that rotate with the line."""
    many = len(rows) > MANY
    colour = POSITION[style.theme]
    ends = segments(rows, sums)
    trace: Spec = scatter(
        "lines" if many else "lines+markers",
        ends[:, 0],
        ends[:, 1],
        name=plain(style.names[1]),
        legendrank=1,
        line={"color": colour, "width": 1 if many else 1.75},
        opacity=0.3 if many else 0.85,
        hoverinfo="skip",
    )
    if many:
        return trace
    heads = {"size": at_ends(10, len(rows)), "standoff": at_ends(6, len(rows)), "line": {"width": 0}}
    return trace | {"marker": heads | {"symbol": "arrow", "angleref": "previous", "color": colour, "opacity": 1}}


def _label_text(rows: Points, sums: Points | None, everything: Points, style: Style) -> Spec:
    """Return trace entries that write a label beside every point with room for one."""
    ink, labels = INK[style.theme], [shorten(label) for label in style.labels]
    away = None if sums is None else sums - rows
    places = place_names(rows, everything, list(map(columns, labels)), size=SIZES[style.narrow], away=away)
    return {
        "mode": "markers+text",
        "text": [plain(label) if place else "" for label, place in zip(labels, places, strict=True)],
        "textposition": [place or "top center" for place in places],
        "textfont": {"size": TEXT, "color": ink, "shadow": halo(style.theme)},
        "unselected": {"marker": {"opacity": 1}, "textfont": {"color": ink}},
    }


def segments(starts: Points, ends: Points) -> Points:
    """Return (3 n, k): start, end, gap for each of n arrows in k dimensions."""
    lines = np.full((len(starts), 3, starts.shape[1]), np.nan, dtype=np.float32)
    lines[:, 0] = starts
    lines[:, 1] = ends
    return lines.reshape(-1, starts.shape[1])


def at_ends(value: float, count: int) -> NDArray[np.float32]:
    """Return (3 n,): `value` at each arrow's end and zero elsewhere, for the size of heads."""
    pattern = np.zeros((count, 3), dtype=np.float32)
    pattern[:, 1] = value
    return pattern.reshape(-1)


NAMED_IN_SPACE = 24  # tokens that are named in the figure; above that only the chosen one is
CONES = 200  # arrows that get a cone for a head; above that the sum's own point ends the line


def solid_figure(rows: Points, sums: Points | None, style: Style) -> go.Figure:
    """Draw (n_tokens, 3) rows, and arrows to sums of the same shape."""
    theme, chosen = style.theme, style.chosen
    everything = rows if sums is None else np.concatenate([rows, sums])
    traces: list[Spec] = []
    if sums is not None:
        traces.append(_arrows_in_space(rows, sums, style))
        if len(rows) <= CONES:
            traces.append(_cones(rows, sums, everything, theme))
        traces.append(_points_in_space(sums, 2, SUM[theme], "diamond", style))
    traces.append(_points_in_space(rows, 0, TOKEN[theme], "circle", style))
    if chosen is not None:
        traces.append(_chosen_arrow(rows, sums, chosen, theme))
    height = style.frame.height or HEIGHT
    layout = style.frame.layout(
        height,
        top=40,
        showlegend=sums is not None,
        legend=style.frame.legend(height) | {"itemsizing": "constant"},
        dragmode="turntable",
        scene=_scene(style, everything) | {"annotations": _names_in_space(rows, style)},
    )
    layout["margin"] |= {"l": 0, "r": 0, "b": 0}
    return make_figure(traces, layout)


def _scene(style: Style, everything: Points) -> Spec:
    """Return three axes of one unit length, the longest filling the figure."""
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


def _points_in_space(points: Points, part: int, colour: str, symbol: str, style: Style) -> Spec:
    size = (6 if len(points) <= 200 else 4) * (0.8 if symbol == "diamond" else 1)
    line = {"color": GROUND[style.theme], "width": 1}
    marker = {"symbol": symbol, "size": size, "color": colour, "line": line}
    return token_points(points, part, style) | {"type": "scatter3d", "z": points[:, 2], "marker": marker}


def _arrows_in_space(rows: Points, sums: Points, style: Style) -> Spec:
    """Draw all arrows as one line with gaps."""
    ends = segments(rows, sums)
    line = {"color": POSITION[style.theme], "width": 3}
    opacity = 0.9 if style.chosen is None else 0.55
    return _line_in_space("lines", ends, name=plain(style.names[1]), legendrank=1, line=line, opacity=opacity)


def _line_in_space(mode: str, points: Points, **settings: Any) -> Spec:
    x, y, z = points.T
    return {"type": "scatter3d", "mode": mode, "x": x, "y": y, "z": z, "hoverinfo": "skip", **settings}


def _cones(rows: Points, sums: Points, everything: Points, theme: Theme) -> Spec:
    """Draw the arrow heads: cones of one size, whose tips are the sums."""
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


def _chosen_arrow(rows: Points, sums: Points | None, chosen: int, theme: Theme) -> Spec:
    """Draw a thick arrow, and rings at both its ends."""
    ends = rows[[chosen]] if sums is None else np.stack([rows[chosen], sums[chosen]])
    marker = {"symbol": "circle-open", "size": 13, "color": INK[theme], "line": {"color": INK[theme], "width": 3}}
    line = {"color": POSITION[theme], "width": 8}
    return _line_in_space("lines+markers", ends, line=line, marker=marker, showlegend=False)


def _names_in_space(rows: Points, style: Style) -> list[Spec]:
    """Write names as annotations, which stay upright and sharp while the scene rotates; equal rows are named once."""
    chosen = style.chosen
    first: dict[bytes, int] = {}
    for index in range(len(rows) if len(rows) <= NAMED_IN_SPACE else 0):
        first.setdefault(rows[index].tobytes(), index)
    if chosen is not None:
        first[rows[chosen].tobytes()] = chosen
    return [
        _name_in_space(rows[index], style.labels[index], index == chosen, style.theme)
        for index in sorted(first.values())
    ]


def _name_in_space(point: Points, label: str, chosen: bool, theme: Theme) -> Spec:
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
