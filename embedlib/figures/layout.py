"""The frame of every figure: fonts legible from the last row of a hall, axes, legend, and the theme's colours.

Numbers are sent as float32, which costs half of float64 and a third of a list.
"""

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Any, TypedDict

import numpy as np
import plotly.graph_objects as go
import torch
from numpy.typing import NDArray
from torch import Tensor

from embedlib.colours import GRID, GROUND, INK, MUTED, RULE, Theme
from embedlib.figures.text import bold, plain, shorten


def numbers(values: Tensor) -> NDArray[np.float32]:
    """Return a tensor of any dtype and device as a float32 array of the same shape."""
    return np.ascontiguousarray(values.detach().to("cpu", torch.float32).numpy())


def extremes(values: Tensor) -> dict[str, float]:
    """Return the lowest and the highest finite value, for an alt text; 0 for both where there is none."""
    every = numbers(values)
    known = every[np.isfinite(every)]  # five times as fast as torch, and pages have 45 of these
    lowest, highest = (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)
    return {"lowest": lowest, "highest": highest}


def indices(count: int) -> NDArray[np.int32]:
    """Return 0 … count - 1."""
    return np.arange(count, dtype=np.int32)


def check_matrix(name: str, values: Tensor, *, columns: Sequence[int] | None = None) -> None:
    """Raise ValueError unless `values` is two-dimensional, not empty, and its width is in `columns`."""
    if values.ndim != 2 or 0 in values.shape:
        raise ValueError(f"{name} has shape {tuple(values.shape)}: it must have two dimensions, none of them empty")
    if columns is not None and values.shape[1] not in columns:
        choices = " or ".join(map(str, columns))
        raise ValueError(f"{name} has shape {tuple(values.shape)}: its width must be {choices}")


def check_labels(labels: Sequence[str], count: int) -> None:
    """Raise ValueError unless there is one label for each row."""
    if len(labels) != count:
        raise ValueError(f"labels has {len(labels)} entries for {count} rows: give one for each")


def check_chosen(chosen: int | None, count: int) -> None:
    """Raise ValueError unless the chosen row exists."""
    if chosen is not None and not 0 <= chosen < count:
        raise ValueError(f"chosen={chosen} must be None or a row from 0 to {count - 1}")


Spec = dict[str, Any]

_AS_LIST = 64  # numbers, at most
# How plotly.js names the types of its typed arrays; others are left to Plotly.
_TYPES = {"int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4", "float32": "f4", "float64": "f8"}


class LazyFigure(go.Figure):  # type: ignore[misc]  # plotly's figures are untyped
    """A plotly figure whose `to_dict`, which is all that a browser needs, is written from its specification at once.

    Plotly would copy and validate every entry three times, which for a chart of fifteen lines takes 12 ms instead of
    one. Any other attribute builds the real figure first. The specification is "data" and "layout" as plotly.js reads
    them, with NumPy arrays for numbers; the figure keeps a copy.
    """

    def __init__(self, spec: Spec) -> None:
        self.__dict__["_spec"] = _map_arrays(spec, np.ndarray.copy)

    def __getattr__(self, name: str) -> Any:
        """Build the real figure when an attribute is read that only Plotly has."""
        if "_spec" not in self.__dict__:  # it has been built, or is just being copied
            raise AttributeError(name)
        # Plotly checks nothing here, for that takes most of the time; a test checks every figure.
        super().__init__(_with_template(self.__dict__.pop("_spec")), _validate=False)
        return getattr(self, name)

    def __reduce__(self) -> tuple[type[go.Figure], tuple[Spec]]:
        """Copy and pickle as one of Plotly's figures."""
        return go.Figure, (_with_template(self.to_dict()),)

    def to_dict(self) -> Spec:
        """Return the figure as plotly.js reads it, with the numbers as typed arrays."""
        if "_spec" not in self.__dict__:
            built: Spec = super().to_dict()
            return built
        form: Spec = _map_arrays(self.__dict__["_spec"], _typed_array)
        return form


def axes_and_colorbars(figure: go.Figure) -> list[Any]:
    """Return the axes and colour bars of any figure, to read and modify, without building the real figure."""
    if (spec := figure.__dict__.get("_spec")) is not None:
        layout = spec["layout"]
        axes = [axis for name, axis in layout.items() if name.startswith(("xaxis", "yaxis"))]
        bars = [
            axis["colorbar"] for name, axis in layout.items() if name.startswith("coloraxis") and "colorbar" in axis
        ]
        return [*axes, *bars]
    bars = [axis.colorbar for axis in figure.select_coloraxes()]
    return [*figure.select_xaxes(), *figure.select_yaxes(), *bars]


def figure_traces(figure: go.Figure) -> Sequence[Any]:
    """Return the traces of any figure, to read and modify, without building the real figure."""
    spec = figure.__dict__.get("_spec")
    traces: Sequence[Any] = figure.data if spec is None else spec["data"]
    return traces


def _with_template(spec: Spec) -> Spec:
    """Add an empty template to a layout, in place of Plotly's default one."""
    layout = spec["layout"]
    return spec | {"layout": {"template": {"layout": {"colorway": layout["colorway"]}}, **layout}}


_PLAIN = frozenset({str, float, int, bool, type(None)})


def _map_arrays(value: Any, change: Callable[[NDArray[Any]], Any]) -> Any:
    """Copy nested dicts and lists, with `change` applied to every array."""
    if isinstance(value, dict):
        return {name: entry if type(entry) in _PLAIN else _map_arrays(entry, change) for name, entry in value.items()}
    if isinstance(value, np.ndarray):
        return change(value)
    if isinstance(value, (list, tuple)) and not _PLAIN.issuperset(map(type, value)):
        return [_map_arrays(entry, change) for entry in value]
    return value


def _typed_array(values: NDArray[Any]) -> Any:
    """Encode an array as plotly.js reads it; one of text is returned unchanged.

    A few numbers become a list: plotly.js takes a typed array for changed data at every rerun; see `Frame.layout`.
    """
    name = _TYPES.get(str(values.dtype))
    if name is not None and values.ndim == 1 and values.size <= _AS_LIST and np.isfinite(values).all():
        return values.tolist()
    if name is None or not values.size:
        return values
    form = {"dtype": name, "bdata": base64.b64encode(values.tobytes()).decode("ascii")}
    return form if values.ndim == 1 else form | {"shape": ", ".join(map(str, values.shape))}


FONT = "'Source Sans', 'Source Sans 3', system-ui, 'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', sans-serif"
TEXT = 16
TICK = 15
TITLE = 19
# Plotly's own buttons, for st.plotly_chart(config=...) and to_html(config=...): nothing that leads away from the page.
CONFIG: Spec = {
    "displaylogo": False,
    "scrollZoom": False,
    # Images are saved under a figure.
    "modeBarButtonsToRemove": ["lasso2d", "select2d", "autoScale2d", "toImage", "resetCameraLastSave3d"],
}


class FrameOptions(TypedDict, total=False):
    """Keywords of every figure, all optional.

    theme: colours for a "light" page (the default) or a "dark" one.
    title: written over the plot of a saved file; on a page the heading does it.
    height: px of the whole figure; None for what its content needs. The width is the container's.
    """

    theme: Theme
    title: str
    height: int | None


class AxesOptions(FrameOptions, total=False):
    """Keywords of every figure with one pair of axes: the titles of x and y."""

    x_title: str
    y_title: str


@dataclass(frozen=True, slots=True)
class Frame:
    """Options common to all figures, and the Plotly layout built from them: see `AxesOptions`."""

    theme: Theme = "light"
    title: str = ""
    height: int | None = None
    x_title: str = ""
    y_title: str = ""

    def top_margin(self, px: int) -> int:
        """Return `px`, plus the height of the title if there is one."""
        return px + (36 if self.title else 0)

    def layout(self, height: int, *, top: int = 12, **more: object) -> Spec:
        """Return Plotly's layout, with `top` px over the plot besides the title; `more` overrides entries.

        The background is the theme's, so that a saved image is legible anywhere. A constant `datarevision` says that no
        data change while a figure is on a page: Streamlit asks for it twice, and plotly.js then draws it once. A
        template would count as changed.
        """
        ink, ground = INK[self.theme], GROUND[self.theme]
        layout: Spec = {
            "colorway": [ink],
            "datarevision": 1,
            "height": height,
            "paper_bgcolor": ground,
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"family": FONT, "size": TEXT, "color": ink},
            "margin": {"l": 8, "r": 12, "t": self.top_margin(top), "b": 8, "autoexpand": True},
            "hoverlabel": {
                "bgcolor": ground,
                "bordercolor": MUTED[self.theme],
                "font": {"family": FONT, "size": TEXT, "color": ink},
                "align": "left",
                "namelength": -1,
            },
            "hovermode": "closest",
            "dragmode": False,  # a finger on the figure scrolls the page; zooming stays among the buttons
            "showlegend": False,
            # Plotly's own buttons stand beside a file's title; on a page in the margin right of the figure.
            "modebar": {
                "orientation": "h" if self.title else "v",
                "bgcolor": "rgba(0,0,0,0)",
                "color": MUTED[self.theme],
                "activecolor": ink,
            },
        }
        if self.title:
            layout["title"] = {
                "text": bold(self.title),
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

    def legend(self, height: int) -> Spec:
        """Return a legend in one line along the top, which wraps and makes its own room where the screen is narrow."""
        return {
            "orientation": "h",
            "x": 0,
            "xanchor": "left",
            "y": 1 - (44 if self.title else 0) / height,
            "yanchor": "top",
            "yref": "container",
            "font": {"size": TEXT, "color": INK[self.theme]},
            "bgcolor": "rgba(0,0,0,0)",
            "itemclick": False,
            "itemdoubleclick": False,
        }


def axis(theme: Theme, title: str = "", **more: object) -> Spec:
    """Return one axis, x or y: thin lines, ticks of 15 px, room made for the labels; `more` overrides entries."""
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


def log_ticks(low: float, high: float) -> Spec:
    """Return at most nine round ticks, labelled in full, for a logarithmic axis from 10^low to 10^high.

    Plotly would label 2 and 5 alone between powers of ten.
    """
    for digits in ((1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9), (1, 1.5, 2, 3, 4, 5, 6, 8), (1, 2, 5), (1, 3), (1,)):
        every = [digit * 10.0**power for power in range(floor(low), ceil(high) + 1) for digit in digits]
        ticks = [tick for tick in every if low <= log10(tick) <= high]
        if len(ticks) <= 9:
            break
    if len(ticks) < 2:
        return {"nticks": 6}
    return {"tickmode": "array", "tickvals": ticks, "ticktext": [f"{tick:g}" for tick in ticks]}


def make_figure(traces: Sequence[Spec], layout: Spec) -> go.Figure:
    """Return the figure; Plotly's own objects are built on first use."""
    return LazyFigure({"data": list(traces), "layout": layout})


ROW_HEIGHT = 19  # px: one line of 15 px text
COLUMN_SHARE = 20  # so many upright labels fit beside each other on a phone


def token_ticks(labels: Sequence[str], *, room: int, chosen: int | None = None) -> Spec:
    """Return the ticks of an axis of token positions on which `room` labels fit; the chosen one stays, in bold.

    Aliases are set for all tokens, so that a hover shows labels that the axis leaves out.
    """
    step = max(1, ceil(len(labels) / max(1, room)))
    last = len(labels) - 1
    ticks = [tick for tick in range(0, last, step) if last - tick >= step] + [last]  # the last one says how many
    if chosen is not None and step > 1:
        ticks = sorted([tick for tick in ticks if abs(tick - chosen) >= step] + [chosen])
    aliases = {str(position): plain(shorten(label)) for position, label in enumerate(labels)}
    if chosen is not None:
        aliases[str(chosen)] = f"<b>{aliases[str(chosen)]}</b>"
    return {"tickmode": "array", "tickvals": ticks, "labelalias": aliases, "tickformat": "d"}


def position_ticks(labels: Sequence[str], n_positions: int, *, room: int, chosen: int | None = None) -> Spec:
    """Return the ticks of an x axis of positions, the first of which have tokens; the chosen one stays.

    Vertical labels such as "3 ·fed" for tokens (`room` of them fit along x), and every tenth number after them.
    """
    labels = labels[:n_positions]
    step = max(1, ceil(n_positions / max(1, room)))
    named = [tick for tick in range(0, len(labels), step) if chosen is None or not 0 < abs(tick - chosen) < step]
    if chosen is not None and chosen < len(labels) and chosen not in named:
        named = sorted([*named, chosen])
    apart = 10 * max(1, ceil(n_positions / 100))
    bare = range(-(-(max(named, default=-step) + step) // apart) * apart, n_positions, apart)
    aliases = {str(position): f"{position} {plain(shorten(label))}" for position, label in enumerate(labels)}
    ticks: Spec = {"tickmode": "array", "tickvals": [*named, *bare], "labelalias": aliases, "tickformat": "d"}
    return ticks | ({"tickangle": -90, "tickfont": {"size": 13}} if labels else {})


Points = NDArray[np.float32]
