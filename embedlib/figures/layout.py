"""The frame of every figure: fonts that the last row of a hall can read, inks and ground of the theme."""

from collections.abc import Sequence

import plotly.graph_objects as go

from embedlib.figures.colours import GRID, GROUND, INK, MUTED, RULE, Theme
from embedlib.figures.lazy_figure import LazyFigure
from embedlib.figures.lazy_figure import Spec as Spec
from embedlib.figures.text import plain

FONT = "'Source Sans', 'Source Sans 3', system-ui, sans-serif"
TEXT = 16
TICK = 15
TITLE = 19
BUTTONS = 32  # px along the top that Plotly's own buttons take
# Plotly's own buttons, for st.plotly_chart(config=...) and to_html(config=...): nothing that leads away from the page.
CONFIG: Spec = {
    "displaylogo": False,
    "scrollZoom": False,
    "modeBarButtonsToRemove": ["lasso2d", "select2d", "autoScale2d"],
    "toImageButtonOptions": {"format": "png", "scale": 2},
}


def base_layout(theme: Theme, *, height: int, title: str = "", **more: object) -> Spec:
    """Return what all figures share.

    Args:
        theme: "light" or "dark".
        height: of the whole figure, in CSS pixels; the width is the container's.
        title: a heading inside the figure, for downloads; a page has its own headings and leaves it empty.
        more: further entries of Plotly's layout, which win.

    Returns:
        Plotly's layout as a dict. The template is empty, so that only these inks count; the ground is the
        theme's, so that a saved image or page can be read wherever it is put.
    """
    ink, ground = INK[theme], GROUND[theme]
    layout: Spec = {
        "template": {"layout": {"colorway": [ink]}},  # stands in for the host's default template, which it keeps out
        "height": height,
        "paper_bgcolor": ground,
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": FONT, "size": TEXT, "color": ink},
        "margin": {"l": 8, "r": 12, "t": 48 if title else 12, "b": 8, "autoexpand": True},
        "hoverlabel": {
            "bgcolor": ground,
            "bordercolor": MUTED[theme],
            "font": {"family": FONT, "size": TEXT, "color": ink},
            "align": "left",
            "namelength": -1,
        },
        "hovermode": "closest",
        "dragmode": False,  # a finger on the figure scrolls the page; zooming stays among the buttons
        "showlegend": False,
        "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": MUTED[theme], "activecolor": ink},
    }
    if title:
        layout["title"] = {
            "text": f"<b>{plain(title)}</b>",
            "font": {"size": TITLE, "color": ink},
            "x": 0,
            "xanchor": "left",
            "xref": "container",
            "y": 1 - 10 / height,
            "yanchor": "top",
            "yref": "container",
            "pad": {"l": 12},
        }
    return layout | more


def axis(theme: Theme, title: str = "", **more: object) -> Spec:
    """Return one axis, x or y: quiet lines, ticks of 15 px, room made for the labels; `more` wins."""
    ink = INK[theme]
    spec: Spec = {
        "title": {"text": plain(title), "font": {"size": TEXT, "color": ink}, "standoff": 10},
        "tickfont": {"size": TICK, "color": ink},
        "ticklabelstandoff": 4,
        "gridcolor": GRID[theme],
        "linecolor": MUTED[theme],
        "zeroline": False,
        "zerolinecolor": RULE[theme],
        "zerolinewidth": 1,
        "showline": False,
        "ticks": "",
        "automargin": True,
    }
    return spec | more


def legend(theme: Theme, *, height: int, title: str = "", above: int = 0) -> Spec:
    """Return a legend in one line along the top, which wraps and makes its own room where the screen is narrow.

    Args:
        theme: "light" or "dark".
        height: of the whole figure, in CSS pixels.
        title: of the figure, which stands over the legend.
        above: px that stay free over it; BUTTONS, where a phone's line would reach under Plotly's own buttons.
    """
    return {
        "orientation": "h",
        "x": 0,
        "xanchor": "left",
        "y": 1 - ((44 if title else 0) + above) / height,
        "yanchor": "top",
        "yref": "container",
        "font": {"size": TEXT, "color": INK[theme]},
        "bgcolor": "rgba(0,0,0,0)",
        "itemclick": False,
        "itemdoubleclick": False,
    }


def halo(theme: Theme) -> str:
    """Return the text-shadow that keeps text legible over lines and points."""
    ground = GROUND[theme]
    return ", ".join(f"{x}px {y}px 2px {ground}" for x in (-1, 0, 1) for y in (-1, 0, 1))


def make_figure(traces: Sequence[Spec], layout: Spec) -> go.Figure:
    """Return the figure; Plotly's own objects are built when somebody asks for them."""
    return LazyFigure({"data": list(traces), "layout": layout})
