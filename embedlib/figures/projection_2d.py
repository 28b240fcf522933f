"""The projection on two axes: points, arrows, and as many names as fit without covering each other."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from embedlib.figures.colours import GROUND, INK, POSITION, SUM, TOKEN, Theme
from embedlib.figures.labels import BEYOND, place_names
from embedlib.figures.layout import (
    TEXT,
    Points,
    Spec,
    at_ends,
    axis,
    base_layout,
    indices,
    legend,
    make_figure,
    segments,
)
from embedlib.figures.marks import halo, note, scatter
from embedlib.figures.text import bold, columns, plain, shorten

NAMED = 40  # tokens that are named in the figure; above that only the chosen one is
MANY = 500  # past it no heads: Plotly's fast WebGL points need code made at run time, which no page allows
CHOSEN = 18  # characters of the chosen name; the others have 14
ROOM = 120  # px of the height that legend and axis take


@dataclass(frozen=True, slots=True)
class Style:
    """What a projection needs beside its points: see `projection_figure`."""

    labels: Sequence[str]
    axis_titles: Sequence[str]
    names: tuple[str, str, str]
    hovers: tuple[str, str]
    theme: Theme
    chosen: int | None
    width: int
    height: int
    title: str


def flat_figure(rows: Points, sums: Points | None, style: Style) -> go.Figure:
    """Draw (n_tokens, 2) rows, and arrows to sums of the same shape."""
    theme, chosen = style.theme, style.chosen
    everything = rows if sums is None else np.concatenate([rows, sums])
    traces: list[Spec] = []
    if sums is not None:
        traces.append(_arrows(rows, sums, style))
        traces.append(_points(sums, 2, SUM[theme], "diamond", style))
    points = _points(rows, 0, TOKEN[theme], "circle", style)
    places = _places(rows, sums, everything, style)
    if len(rows) <= NAMED:
        points |= _named(places, style)
    traces.append(points)
    if chosen is not None:
        traces += _chosen(rows, sums, chosen, theme)
    # Margins that Plotly has to find make it draw everything twice: 60 ms of an edit's 250.
    fixed: Spec = {"automargin": False}
    layout = base_layout(
        theme,
        height=style.height,
        title=style.title,
        xaxis=axis(theme, style.axis_titles[0]) | _reach(everything[:, 0]) | fixed,
        yaxis=axis(theme, style.axis_titles[1]) | _reach(everything[:, 1]) | fixed | {"scaleanchor": "x"},
        showlegend=sums is not None,
        legend=legend(theme, height=style.height, title=style.title),
        dragmode="pan",
        annotations=[] if chosen is None else [_sign(rows[chosen], style.labels[chosen], places[chosen], theme)],
    )
    layout["margin"] |= {"l": 76, "b": 60}
    return make_figure(traces, layout)


def _reach(values: Points) -> Spec:
    """The range of one axis: all points and some room for their names."""
    low, high = float(values.min()), float(values.max())
    room = BEYOND * (high - low) or 1.0
    return {"range": [low - room, high + room], "zeroline": True, "nticks": 7}


def token_points(points: Points, part: int, style: Style) -> Spec:
    """Return points that say which token they are, in a hover and in a click."""
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
    # A click must not grey the rest: what is chosen is drawn here, and in every view alike.
    return token_points(points, part, style) | {
        "marker": {"symbol": symbol, "size": size, "color": colour, "line": line},
        "unselected": {"marker": {"opacity": 1}},
    }


def _arrows(rows: Points, sums: Points, style: Style) -> Spec:
    """All arrows as one line with gaps; their heads are markers that turn with the line."""
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
        opacity=0.3 if many else 0.85 if style.chosen is None else 0.55,
        hoverinfo="skip",
    )
    return trace if many else trace | {"marker": _heads(len(rows), colour, 10)}


def _heads(count: int, colour: str, size: float) -> Spec:
    return {
        "symbol": "arrow",
        "angleref": "previous",
        "size": at_ends(size, count),
        "standoff": at_ends(6, count),
        "color": colour,
        "opacity": 1,
        "line": {"width": 0},
    }


def _places(rows: Points, sums: Points | None, everything: Points, style: Style) -> list[str]:
    """The place of each name around its point; where names are left to the hover, of the chosen one alone."""
    if len(rows) > NAMED:
        return ["top center"] * len(rows)
    lengths = [columns(shorten(label)) for label in style.labels]
    if style.chosen is not None:
        lengths[style.chosen] = (
            round(1.3 * columns(shorten(style.labels[style.chosen], CHOSEN))) + 1
        )  # larger, and boxed
    room = (style.width - ROOM, style.height - ROOM)
    away = None if sums is None else sums - rows
    return place_names(rows, everything, lengths, size=room, away=away, first=style.chosen)


def _named(places: Sequence[str], style: Style) -> Spec:
    """What turns points into named points; the chosen one is named by a sign of its own."""
    ink = INK[style.theme]
    text = [
        plain(shorten(label)) if place and index != style.chosen else ""
        for index, (label, place) in enumerate(zip(style.labels, places, strict=True))
    ]
    return {
        "mode": "markers+text",
        "text": text,
        "textposition": [place or "top center" for place in places],
        "textfont": {"size": TEXT, "color": ink, "shadow": halo(style.theme)},
        "unselected": {"marker": {"opacity": 1}, "textfont": {"color": ink}},
    }


def _chosen(rows: Points, sums: Points | None, chosen: int, theme: Theme) -> list[Spec]:
    """A bold arrow, and rings round the chosen token's point and its sum."""
    many = len(rows) > MANY
    ends = rows[[chosen]] if sums is None else np.stack([rows[chosen], sums[chosen]])
    shared: Spec = {
        "type": "scatter",
        "x": ends[:, 0],
        "y": ends[:, 1],
        "hoverinfo": "skip",
        "showlegend": False,
    }
    rings = shared | {
        "mode": "markers",
        "marker": {"symbol": "circle-open", "size": 22, "color": INK[theme], "line": {"width": 3}},
    }
    if sums is None:
        return [rings]
    line = {"color": POSITION[theme], "width": 3.5}
    if many:
        return [shared | {"mode": "lines", "line": line}, rings]
    return [shared | {"mode": "lines+markers", "line": line, "marker": _heads(1, POSITION[theme], 18)}, rings]


def _sign(point: Points, label: str, place: str, theme: Theme) -> Spec:
    """The chosen token's name on a ground of its own, so that it is read over whatever lies beneath."""
    vertical, horizontal = place.split()
    anchor = {"left": "right", "center": "center", "right": "left"}[horizontal]
    anchor += {"top": " bottom", "middle": " middle", "bottom": " top"}[vertical]
    shift = {"left": -13, "center": 0, "right": 13}[horizontal], {"top": 13, "middle": 0, "bottom": -13}[vertical]
    box: Spec = {"bgcolor": GROUND[theme], "opacity": 0.92, "borderpad": 3, "xshift": shift[0], "yshift": shift[1]}
    return note(
        bold(shorten(label, CHOSEN)), float(point[0]), float(point[1]), INK[theme], anchor, size=TEXT + 3, **box
    )
