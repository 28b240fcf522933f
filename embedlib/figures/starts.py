"""How long rows are at the start, one line for each way to draw them, on a logarithmic scale."""

import math
from collections.abc import Sequence

import plotly.graph_objects as go
from torch import Tensor

from embedlib.figures.arrays import check_chosen, check_labels
from embedlib.figures.colours import GROUND, INK, POSITION, TOKEN, Theme
from embedlib.figures.layout import BUTTONS, TEXT, Spec, axis, base_layout, legend, make_figure
from embedlib.figures.text import hover, plain

ROW = 54  # px: a line for the name, one for the range
FOOT = 56  # px for the axis below


def starts_figure(
    norms: Sequence[Tensor],
    expected: Sequence[float],
    *,
    names: Sequence[str],
    legend_names: tuple[str, str],
    x_title: str,
    theme: Theme,
    chosen: int | None = None,
    hover_text: str = "{name}\nmeasured {low} to {high}, expected {expected}",
    title: str = "",
) -> go.Figure:
    """Draw from the shortest to the longest row of each table, and the length that mathematics expects.

    Args:
        norms: for each way (n_rows,) lengths above 0; not all of the same number of rows.
        expected: the expected length for each, above 0.
        names: one per way, above its line.
        legend_names: of the measured range and of the expected length.
        x_title: what a length is.
        theme: "light" or "dark".
        chosen: the way whose name is underlined.
        hover_text: what a range says, with {name}, {low}, {high} and {expected}.
        title: a heading inside the figure.

    Returns:
        A figure with two traces: ranges as thick lines with gaps between them, expected lengths as diamonds; x is
        logarithmic, y counts the ways.

    Raises:
        ValueError: nothing to draw, lengths not above 0, or names and expectations that do not fit.
    """
    check_labels(names, len(norms))
    check_labels(names, len(expected))
    check_chosen(chosen, len(norms))
    ranges = [(float(found.min()), float(found.max())) if found.numel() else (0.0, 0.0) for found in norms]
    if not ranges or not all(0 < low and high < math.inf for low, high in ranges) or min(expected) <= 0:
        raise ValueError("norms must hold at least one length for each way, and every length must be above 0")
    count, head = len(ranges), 44 + BUTTONS + (36 if title else 0)
    height = count * ROW + FOOT + head
    lowest, highest = min(*expected, *(low for low, _ in ranges)), max(*expected, *(high for _, high in ranges))
    room = 0.06 * math.log10(highest / lowest) or 0.2
    layout = base_layout(
        theme,
        height=height,
        title=title,
        xaxis=axis(theme, x_title, fixedrange=True)
        | {"type": "log", "range": [math.log10(lowest) - room, math.log10(highest) + room]}
        | _ticks(lowest, highest),
        yaxis={"visible": False, "range": [count - 0.5, -0.5], "fixedrange": True},
        showlegend=True,
        legend=legend(theme, height=height, title=title, above=BUTTONS),
        annotations=[_name(index, name, theme, marked=index == chosen) for index, name in enumerate(names)],
    )
    layout["margin"] |= {"t": head}
    return make_figure(
        [
            _ranges(ranges, names, expected, legend_names[0], theme, hover_text),
            _expected(expected, legend_names[1], theme),
        ],
        layout,
    )


def _ticks(lowest: float, highest: float) -> Spec:
    """Numbers written out, at most nine of them: Plotly would write 2 and 5 alone between powers of ten."""
    powers = range(math.floor(math.log10(lowest)), math.ceil(math.log10(highest)) + 1)
    for steps in ((1, 2, 5), (1, 3), (1,)):
        ticks = [step * 10.0**power for power in powers for step in steps]
        inside = [tick for tick in ticks if lowest / 1.2 <= tick <= highest * 1.2]
        if len(inside) <= 9:
            break
    if not inside:
        return {"nticks": 6}
    return {"tickmode": "array", "tickvals": inside, "ticktext": [f"{tick:.3g}" for tick in inside]}


def _ranges(
    ranges: Sequence[tuple[float, float]],
    names: Sequence[str],
    expected: Sequence[float],
    title: str,
    theme: Theme,
    hover_text: str,
) -> Spec:
    """One line from the shortest to the longest row of each way; its ends are dots, so that a short one is seen."""
    said = [
        [plain(name), f"{low:.4g}", f"{high:.4g}", f"{law:.4g}"]
        for name, (low, high), law in zip(names, ranges, expected, strict=True)
    ]
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": plain(title),
        "x": [value for low, high in ranges for value in (low, high, None)],
        "y": [place for index in range(len(ranges)) for place in (index + 0.2, index + 0.2, None)],
        "customdata": [words for words in said for _ in range(3)],
        "line": {"color": TOKEN[theme], "width": 10},
        "marker": {"color": TOKEN[theme], "size": 10, "symbol": "circle"},
        "hovertemplate": hover(
            hover_text,
            name="%{customdata[0]}",
            low="%{customdata[1]}",
            high="%{customdata[2]}",
            expected="%{customdata[3]}",
        ),
    }


def _expected(expected: Sequence[float], title: str, theme: Theme) -> Spec:
    line = {"color": GROUND[theme], "width": 2}
    return {
        "type": "scatter",
        "mode": "markers",
        "name": plain(title),
        "x": list(expected),
        "y": [index + 0.2 for index in range(len(expected))],
        "marker": {"color": POSITION[theme], "size": 15, "symbol": "diamond", "line": line},
        "hoverinfo": "skip",
    }


def _name(index: int, name: str, theme: Theme, *, marked: bool) -> Spec:
    shown = f"<b>{plain(name)}</b>"
    return {
        "x": 0,
        "xref": "paper",
        "xanchor": "left",
        "y": index - 0.2,
        "yanchor": "middle",
        "text": f"<u>{shown}</u>" if marked else shown,
        "showarrow": False,
        "font": {"size": TEXT, "color": INK[theme]},
    }
