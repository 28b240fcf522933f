"""The projection on two axes: points, arrows, and as many names as fit without covering each other."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from embedlib.figures.colours import GROUND, INK, POSITION, SUM, TOKEN, Theme
from embedlib.figures.labels import BEYOND, place_names
from embedlib.figures.layout import (
    TEXT,
    Frame,
    Points,
    Spec,
    at_ends,
    axis,
    indices,
    make_figure,
    segments,
)
from embedlib.figures.marks import halo, scatter
from embedlib.figures.text import columns, plain, shorten

NAMED = 40  # tokens that are named in the figure; above that none is
MANY = 500  # past it no heads: Plotly's fast WebGL points need code made at run time, which no page allows
HEIGHT = 560  # px
# px that points and names have: a figure is as wide as its container, and names that are clear of each other in a
# narrow one are so in a wider one.
SIZE = (640, HEIGHT - 120)


@dataclass(frozen=True, slots=True)
class Style:
    """What a projection needs beside its points: see `projection_figure`."""

    labels: Sequence[str]
    axis_titles: Sequence[str]
    names: tuple[str, str, str]
    hovers: tuple[str, str]
    frame: Frame
    chosen: int | None

    @property
    def theme(self) -> Theme:
        """That of the frame."""
        return self.frame.theme


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
        traces[-1] |= _named(rows, sums, everything, style)
    # Margins that Plotly has to find make it draw everything twice: 60 ms of an edit's 250.
    fixed: Spec = {"automargin": False}
    height = style.frame.height or HEIGHT
    layout = style.frame.layout(
        height,
        xaxis=axis(theme, style.axis_titles[0]) | _reach(everything[:, 0]) | fixed,
        yaxis=axis(theme, style.axis_titles[1]) | _reach(everything[:, 1]) | fixed | {"scaleanchor": "x"},
        showlegend=sums is not None,
        legend=style.frame.legend(height),
        dragmode="pan",
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
    # A click must not grey the rest: what is chosen is marked by the page, in every view alike.
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
        opacity=0.3 if many else 0.85,
        hoverinfo="skip",
    )
    if many:
        return trace
    heads = {"size": at_ends(10, len(rows)), "standoff": at_ends(6, len(rows)), "line": {"width": 0}}
    return trace | {"marker": heads | {"symbol": "arrow", "angleref": "previous", "color": colour, "opacity": 1}}


def _named(rows: Points, sums: Points | None, everything: Points, style: Style) -> Spec:
    """What turns points into named points, as far as their names have a place."""
    ink, labels = INK[style.theme], [shorten(label) for label in style.labels]
    away = None if sums is None else sums - rows
    places = place_names(rows, everything, list(map(columns, labels)), size=SIZE, away=away)
    return {
        "mode": "markers+text",
        "text": [plain(label) if place else "" for label, place in zip(labels, places, strict=True)],
        "textposition": [place or "top center" for place in places],
        "textfont": {"size": TEXT, "color": ink, "shadow": halo(style.theme)},
        "unselected": {"marker": {"opacity": 1}, "textfont": {"color": ink}},
    }
