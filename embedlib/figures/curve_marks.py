"""Marks on a chart of lines: a point, a stretch, a level, each with its name."""

import numpy as np

from embedlib.figures.colours import GRID, INK, MUTED, Theme
from embedlib.figures.layout import TICK, Spec, halo
from embedlib.figures.text import plain


def upright(left: float, right: float) -> Spec:
    """Return the place of a shape that is as high as the plot."""
    return {"x0": left, "x1": right, "yref": "paper", "y0": 0, "y1": 1}


def mark_point(layout: Spec, x: int, name: str, last: int, theme: Theme) -> None:
    """Draw an upright through a point of x, its name at the foot on the side that has more room."""
    line = {"color": INK[theme], "width": 1.5, "dash": "dot"}
    layout["shapes"].append({"type": "line", "line": line, "layer": "below", **upright(x, x)})
    layout["annotations"].append(
        {
            "x": x,
            "xanchor": "left" if x < last / 2 else "right",
            "xshift": 4 if x < last / 2 else -4,
            "yref": "paper",
            "y": 0,
            "yanchor": "bottom",
            "text": plain(name),
            "font": {"size": TICK, "color": INK[theme], "shadow": halo(theme)},
            "showarrow": False,
        }
    )


def shade(layout: Spec, left: float, right: float, name: str, theme: Theme) -> None:
    """Shade the ground of a stretch of x and say above it what it is."""
    ground = {"fillcolor": GRID[theme], "opacity": 0.6, "line": {"width": 0}, "layer": "below"}
    layout["shapes"].append({"type": "rect", **ground, **upright(left, right)})
    layout["annotations"].append(
        {
            "x": left,
            "xanchor": "left",
            "yref": "paper",
            "y": 1,
            "yanchor": "top",
            "xshift": 6,
            "text": plain(name),
            "font": {"size": TICK, "color": INK[theme], "shadow": halo(theme)},
            "showarrow": False,
        }
    )


def mark_level(layout: Spec, value: float, name: str, theme: Theme, *, logarithmic: bool) -> None:
    """Draw a dashed line at a height and say over it what it is."""
    line = {"color": MUTED[theme], "width": 2, "dash": "dash"}
    span = {"xref": "paper", "x0": 0, "x1": 1, "y0": value, "y1": value}
    layout["shapes"].append({"type": "line", "line": line, **span})
    layout["annotations"].append(
        {
            "xref": "paper",
            "x": 0.01,
            "xanchor": "left",
            "y": float(np.log10(value)) if logarithmic else value,
            "yanchor": "bottom",
            "text": plain(name),
            "font": {"size": TICK, "color": INK[theme], "shadow": halo(theme)},
            "showarrow": False,
        }
    )


def legend_entry(name: str, colour: str) -> Spec:
    """Return a trace without points that gives the legend a colour and its name."""
    return {
        "type": "scatter",
        "mode": "lines",
        "name": plain(name),
        "x": [None],
        "y": [None],
        "line": {"color": colour, "width": 6},
        "hoverinfo": "skip",
    }
