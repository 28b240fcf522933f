"""Marks on axes: texts, vertical lines, shaded ground, traces of lines and points."""

from collections.abc import Sequence
from math import ceil
from typing import Any

from embedlib.colours import GROUND, INK, MUTED, Theme
from embedlib.figures.layout import TEXT, TICK, Frame, Spec
from embedlib.figures.text import bold, plain

HEADING = 30  # px above each cell of a grid for its name


def halo(theme: Theme) -> str:
    """Return the text-shadow that keeps text legible over lines and points."""
    ground = GROUND[theme]
    return ", ".join(f"{x}px {y}px 2px {ground}" for x in (-1, 0, 1) for y in (-1, 0, 1))


def note(
    text: str,
    x: Any,
    y: Any,
    colour: str,
    anchor: str = "left middle",
    *,
    paper: str = "",
    size: int = TEXT,
    over: Theme | None = None,
    **more: object,
) -> Spec:
    """Return an annotation; `text` is Plotly's markup, as `plain` and `bold` make it.

    Args:
        x: on the axis, on a logarithmic one its logarithm; y likewise.
        anchor: which corner or side of the text lies there, such as "right top".
        paper: "x", "y" or "xy": where the coordinate is a share of the plot instead.
        over: theme whose halo keeps the text legible over lines; None for none.
    """
    xanchor, yanchor = anchor.split()
    font = {"size": size, "color": colour} | ({"shadow": halo(over)} if over else {})
    place = {"x": x, "y": y, "xanchor": xanchor, "yanchor": yanchor} | {f"{axis}ref": "paper" for axis in paper}
    return {"text": text, **place, "font": font, "showarrow": False} | more


def scatter(mode: str, x: Any, y: Any, **more: object) -> Spec:
    """Return a trace of lines, points or both."""
    return {"type": "scatter", "mode": mode, "x": x, "y": y, **more}


def vertical_line(x: float, theme: Theme, **more: object) -> Spec:
    """Return a dotted vertical line as high as the plot."""
    line = {"color": INK[theme], "width": 1.5, "dash": "dot"}
    return {"type": "line", "line": line, "layer": "below", **_full_height(x, x), **more}


def ground(left: float, right: float, colour: str, opacity: float) -> Spec:
    """Return a shaded stretch of x, as high as the plot."""
    look = {"fillcolor": colour, "opacity": opacity, "line": {"width": 0}, "layer": "below"}
    return {"type": "rect", **look, **_full_height(left, right)}


def dashed_line(value: float, theme: Theme, **more: object) -> Spec:
    """Return a dashed horizontal line as wide as the plot."""
    line = {"color": MUTED[theme], "width": 2, "dash": "dash"}
    return {"type": "line", "line": line, "xref": "paper", "x0": 0, "x1": 1, "y0": value, "y1": value, **more}


def level_name(name: str, y: float, theme: Theme, *, at_end: bool = False) -> Spec:
    """Return the name over a level, at the left or right end."""
    x, anchor = (0.99, "right bottom") if at_end else (0.01, "left bottom")
    return note(plain(name), x, y, INK[theme], anchor, paper="x", size=TICK, over=theme)


def legend_entry(name: str, colour: str) -> Spec:
    """Return an empty trace that adds a colour and its name to the legend."""
    return scatter("lines", [None], [None], name=plain(name), line={"color": colour, "width": 6}, hoverinfo="skip")


class Grid:
    """Cells of equal size in rows, each with a name above it; the last row may be shorter.

    `rows` counts them, `height` is px of the plotting area with all names.
    """

    def __init__(self, count: int, *, columns: int, cell: int, gap: float, below: int = 8) -> None:
        """Lay out `count` cells of `cell` px height, `gap` of the width apart, `below` px under each for its axis."""
        self.columns = min(count, columns)
        self.rows = ceil(count / self.columns)
        self.height = self.rows * (HEADING + cell + below)
        self._cell, self._gap, self._below = cell, gap, below

    def span(self, index: int) -> tuple[list[float], list[float]]:
        """Return a cell's (x domain, y domain), as fractions of the plotting area."""
        row, column = divmod(index, self.columns)
        width = (1 - self._gap * (self.columns - 1)) / self.columns
        left = column * (width + self._gap)
        top = row * (HEADING + self._cell + self._below) + HEADING
        low = max(0.0, 1 - (top + self._cell) / self.height)
        return [left, min(1.0, left + width)], [low, 1 - top / self.height]

    def name(self, index: int, text: str, colour: str) -> Spec:
        """Return the annotation that names a cell."""
        (left, right), (_, top) = self.span(index)
        return note(bold(text), (left + right) / 2, top, colour, "center bottom", paper="xy")

    def circles_layout(self, frame: Frame, names: Sequence[str], reach: float, *, showlegend: bool) -> Spec:
        """Return the layout of a named circle in each cell: axes of one unit to ±`reach`, without lines and numbers."""
        height = frame.height or self.height + frame.top_margin(40) + 8
        layout = frame.layout(height, top=40, showlegend=showlegend, legend=frame.legend(height))
        layout["margin"] |= {"r": 8}
        layout["annotations"] = [self.name(index, name, INK[frame.theme]) for index, name in enumerate(names)]
        bare: Spec = {"visible": False, "range": [-reach, reach], "fixedrange": True, "constrain": "domain"}
        for index in range(len(names)):
            (across, up), mark = self.span(index), number(index)
            layout[f"xaxis{mark}"] = bare | {"domain": across, "anchor": f"y{mark}"}
            layout[f"yaxis{mark}"] = bare | {"domain": up, "anchor": f"x{mark}"}
            layout[f"yaxis{mark}"] |= {"scaleanchor": f"x{mark}", "constraintoward": "top"}
        return layout


def number(index: int) -> str:
    """Return the suffix of a subplot's axes in Plotly: "", "2", "3" and so on."""
    return str(index + 1) if index else ""


def _full_height(left: float, right: float) -> Spec:
    """Span the plot's whole height with a shape."""
    return {"x0": left, "x1": right, "yref": "paper", "y0": 0, "y1": 1}
