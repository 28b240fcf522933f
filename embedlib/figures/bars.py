"""One lying bar for each of many names, the name above it: what is zero, and what is not defined, is said in words."""

from collections.abc import Sequence

import plotly.graph_objects as go

from embedlib.figures.arrays import check_labels
from embedlib.figures.colours import INK, MUTED, POSITION, TOKEN, Theme
from embedlib.figures.layout import TEXT, Spec, axis, base_layout, make_figure
from embedlib.figures.text import hover, plain

ROW = 54  # px: a line for the name, one for the bar
FOOT = 56  # px for the axis below


def bars_figure(
    values: Sequence[float | None],
    *,
    names: Sequence[str],
    said: Sequence[str],
    x_title: str,
    theme: Theme,
    chosen: int | None = None,
    hatched: Sequence[int] = (),
    tickformat: str = ".0%",
    hover_text: str = "{name}\n{value}",
    title: str = "",
) -> go.Figure:
    """Draw values from zero to the right, names above their bars, the first at the top.

    Args:
        values: at least 0 each; None where there is none.
        names: one per value.
        said: what stands at the end of each bar: its number, or why there is no bar.
        x_title: what the values are.
        theme: "light" or "dark".
        chosen: the name that is underlined.
        hatched: which bars are hatched, because their number is not to be compared with the others'.
        tickformat: of the axis, in d3's notation.
        hover_text: what a bar says, with {name} and {value}.
        title: a heading inside the figure.

    Returns:
        A figure with one trace of bars, x the values with 0 for None, y and customdata counting them.

    Raises:
        ValueError: no values, a negative one, or names and words that do not fit them.
    """
    if not values or any(value is not None and not value >= 0 for value in values):
        raise ValueError(f"values={list(values)} must hold at least one number, none of them below 0")
    check_labels(names, len(values))
    check_labels(said, len(values))
    lengths = [value or 0.0 for value in values]
    count, highest = len(values), max(lengths) or 1.0
    head = 44 if title else 8
    layout = base_layout(
        theme,
        height=count * ROW + FOOT + head,
        title=title,
        xaxis=axis(theme, x_title, range=[0, 1.22 * highest], tickformat=tickformat, nticks=6, fixedrange=True)
        | {"zeroline": True, "zerolinewidth": 2, "zerolinecolor": MUTED[theme]},
        yaxis={"visible": False, "range": [count - 0.5, -0.5], "fixedrange": True},
        annotations=[
            annotation
            for index in range(count)
            for annotation in _words(index, names[index], said[index], values[index], theme, marked=index == chosen)
        ],
    )
    layout["margin"] |= {"t": head}
    bars: Spec = {
        "type": "bar",
        "orientation": "h",
        "x": lengths,
        "y": [index + 0.2 for index in range(count)],
        "width": 0.34,
        "customdata": list(range(count)),
        "hovertext": [plain(name) for name in names],
        "text": [plain(words) for words in said],
        "textposition": "none",
        "marker": {"color": TOKEN[theme]} | ({"pattern": _hatching(count, hatched, theme)} if hatched else {}),
        "hovertemplate": hover(hover_text, name="%{hovertext}", value="%{text}"),
    }
    return make_figure([bars], layout)


def _hatching(count: int, hatched: Sequence[int], theme: Theme) -> Spec:
    """Leave only stripes of the bars that are hatched."""
    return {
        "shape": ["/" if index in hatched else "" for index in range(count)],
        "fillmode": "replace",
        "fgcolor": TOKEN[theme],
        "size": 9,
        "solidity": 0.35,
    }


def _words(index: int, name: str, said: str, value: float | None, theme: Theme, *, marked: bool) -> tuple[Spec, Spec]:
    """The name above the bar's place, and what is said at the bar's end."""
    shown = f"<b>{plain(name)}</b>"
    above = {"x": 0, "y": index - 0.22, "text": f"<u>{shown}</u>" if marked else shown}
    behind = {"x": value or 0.0, "y": index + 0.2, "text": f"<b>{plain(said)}</b>" if value == 0 else plain(said)}
    shared: Spec = {"xanchor": "left", "yanchor": "middle", "xshift": 6, "showarrow": False}
    colour = MUTED[theme] if value is None else POSITION[theme] if value == 0 else INK[theme]
    font: Spec = {"size": TEXT}
    return shared | above | {"font": font | {"color": INK[theme]}}, shared | behind | {"font": font | {"color": colour}}
