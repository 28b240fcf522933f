"""One lying bar for each of many names, the name above it: what is zero, and what is not defined, is said in words.

What part of each model its embedding matrix is: one lying bar of three parts for each model.

One line for each of a few names, in order: the name, its bar, what is said of it, and a number at the end.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from embedlib.figures.colours import GROUND, INK, MUTED, POSITION, RULE, TOKEN, Theme
from embedlib.figures.layout import (
    BUTTONS,
    TEXT,
    TICK,
    Spec,
    axis,
    base_layout,
    check_chosen,
    check_labels,
    legend,
    make_figure,
)
from embedlib.figures.text import hover, plain, shorten

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


SHARE_ROW = 50  # px: a line for the name, one for the bar


def model_shares_figure(
    parts: Sequence[tuple[float, float, float]],
    *,
    names: Sequence[str],
    said: Sequence[str],
    part_names: tuple[str, str, str],
    x_title: str,
    theme: Theme,
    chosen: int | None = None,
    hover_text: str = "{name}\n{part}: {value}",
    title: str = "",
) -> go.Figure:
    """Draw bars that are the whole model each: its table, its output weights, everything else.

    Args:
        parts: for each model the parameters of the table, of output weights of its own (0 where tied) and of the rest;
            at least 0 each, not all 0.
        names: one per model, above its bar.
        said: what stands behind the name: the model's numbers in words.
        part_names: of the three parts, in the legend.
        x_title: what the axis, 0 to 100 %, is a share of.
        theme: "light" or "dark".
        chosen: the model whose name is underlined.
        hover_text: what a part says, with {name}, {part} and {value}, its share.
        title: a heading inside the figure.

    Returns:
        A figure with one trace per part, x its share of the model, y and customdata counting the models. Output
        weights are hatched, so that they are told from the table without colour.

    Raises:
        ValueError: no models, a negative part, a model of nothing, or names that do not fit.
    """
    if not parts or any(not min(model) >= 0 or not 0 < sum(model) < math.inf for model in parts):
        raise ValueError("parts must hold at least one model, no part of it below 0 and not all of it 0")
    check_labels(names, len(parts))
    check_labels(said, len(parts))
    check_chosen(chosen, len(parts))
    count, head = len(parts), 72 + (36 if title else 0)
    height = count * SHARE_ROW + FOOT + head
    layout = base_layout(
        theme,
        height=height,
        title=title,
        barmode="stack",
        xaxis=axis(theme, x_title, range=[0, 1], tickformat=".0%", dtick=0.2, fixedrange=True),
        yaxis={"visible": False, "range": [count - 0.5, -0.5], "fixedrange": True},
        annotations=[
            _share_words(index, names[index], said[index], theme, marked=index == chosen) for index in range(count)
        ],
        showlegend=True,
        legend=legend(theme, height=height, title=title) | {"traceorder": "normal"},
    )
    layout["margin"] |= {"t": head, "l": 18, "r": 28}  # half of "0 %" and of "100 %"
    looks = ((TOKEN[theme], ""), (POSITION[theme], "/"), (RULE[theme], ""))
    shares = [[part / sum(model) for part in model] for model in parts]
    traces = [
        _part([model[index] for model in shares], names, part_names[index], looks[index], theme, hover_text)
        for index in range(3)
    ]
    return make_figure(traces, layout)


def _part(
    shares: Sequence[float], names: Sequence[str], part: str, look: tuple[str, str], theme: Theme, hover_text: str
) -> Spec:
    """One part of every model."""
    colour, pattern = look
    return {
        "type": "bar",
        "orientation": "h",
        "name": plain(part),
        "x": list(shares),
        "y": [index + 0.2 for index in range(len(shares))],
        "width": 0.36,
        "customdata": list(range(len(shares))),
        "hovertext": [plain(name) for name in names],
        "hovertemplate": hover(hover_text, name="%{hovertext}", part=plain(part), value="%{x:.1%}"),
        "marker": {
            "color": colour,
            "pattern": {"shape": pattern, "fillmode": "overlay", "fgcolor": GROUND[theme], "size": 7, "solidity": 0.3},
            "line": {"width": 0},
        },
    }


def _share_words(index: int, name: str, said: str, theme: Theme, *, marked: bool) -> Spec:
    """The name above the bar, and its numbers behind it."""
    shown = f"<b>{plain(name)}</b>"
    shown = f"<u>{shown}</u>" if marked else shown
    return {
        "x": 0,
        "xanchor": "left",
        "y": index - 0.22,
        "yanchor": "middle",
        "text": f"{shown}  <span style='color:{MUTED[theme]}'>{plain(said)}</span>",
        "showarrow": False,
        "font": {"size": TEXT, "color": INK[theme]},
    }


LINE = 33  # px
LONGEST = 22  # characters of a name


@dataclass(frozen=True, slots=True)
class RankedBar:
    """One line.

    Attributes:
        name: at its left.
        value: length of the bar; below 0 there is none.
        said: beside the bar: its number, and what else is to be known.
        aside: at the right end of the line; "" for nothing.
        marked: whether it stands out: in colour, its words bold.
        detail: what the pointer is told besides.
    """

    name: str
    value: float
    said: str
    aside: str = ""
    marked: bool = False
    detail: str = ""


def ranked_bars_figure(
    bars: Sequence[RankedBar],
    *,
    theme: Theme,
    longest: float | None = None,
    heads: tuple[str, str] = ("", ""),
    room: float = 0.5,
    line: int = LINE,
    hover_text: str = "{name}\n{said}",
    least: int = 0,
    all_coloured: bool = False,
    title: str = "",
) -> go.Figure:
    """Draw lines, the first at the top.

    Args:
        bars: at least one.
        theme: "light" or "dark".
        longest: value of the longest bar there may be, so that bars of several figures can be compared; None for the
            longest of these.
        heads: what stands over the bars, and over what is aside.
        room: share of the width, behind the names, that the longest bar takes; the rest is for words.
        line: px of height that each takes.
        hover_text: what a bar says, with {name}, {said}, {aside} and {detail}.
        least: how many lines there is room for at least, so that the figure keeps its height.
        all_coloured: whether bars that are not marked are in colour too, where marks have no say in it.
        title: a heading inside the figure.

    Returns:
        A figure with one trace of bars; y and customdata count them.

    Raises:
        ValueError: no bars, or longest or room out of range.
    """
    if not bars:
        raise ValueError("bars is empty: give at least one")
    if not (longest is None or longest > 0) or not 0 < room <= 1:
        raise ValueError(f"longest={longest} must be above 0 or None, and room={room} in (0, 1]")
    reach = longest or max([bar.value for bar in bars if bar.value > 0], default=1.0)
    count, head = max(len(bars), least), (30 if any(heads) else 6) + (40 if title else BUTTONS)
    layout = base_layout(
        theme,
        height=count * line + head + 8,
        title=title,
        xaxis=axis(theme, range=[0, reach / room], visible=False, fixedrange=True),
        yaxis=axis(
            theme,
            range=[count - 0.5, -0.5],
            fixedrange=True,
            showgrid=False,
            tickmode="array",
            tickvals=list(range(len(bars))),
            ticktext=[_name(bar) for bar in bars],
            tickfont={"size": TEXT, "color": INK[theme]},
        ),
        annotations=[
            *_heads(heads, theme),
            *(words for index, bar in enumerate(bars) for words in _ranked_words(index, bar, reach, theme)),
        ],
    )
    layout["margin"] |= {"t": head, "b": 2}
    return make_figure([_bars(bars, reach, theme, hover_text, all_coloured=all_coloured)], layout)


def _bars(bars: Sequence[RankedBar], reach: float, theme: Theme, hover_text: str, *, all_coloured: bool) -> Spec:
    return {
        "type": "bar",
        "orientation": "h",
        "x": [min(max(bar.value, 0.0), reach) for bar in bars],
        "y": list(range(len(bars))),
        "width": 0.66,
        "customdata": [[index, plain(bar.aside), plain(bar.detail)] for index, bar in enumerate(bars)],
        "hovertext": [plain(bar.name) for bar in bars],
        "text": [plain(bar.said) for bar in bars],
        "textposition": "none",
        "marker": {"color": [TOKEN[theme] if bar.marked or all_coloured else RULE[theme] for bar in bars]},
        "hovertemplate": hover(
            hover_text, name="%{hovertext}", said="%{text}", aside="%{customdata[1]}", detail="%{customdata[2]}"
        ),
    }


def _name(bar: RankedBar) -> str:
    shown = plain(shorten(bar.name, LONGEST))
    return f"<b>{shown}</b>" if bar.marked else shown


def _ranked_words(index: int, bar: RankedBar, reach: float, theme: Theme) -> list[Spec]:
    """What is said beside the bar, and at the end of the line."""
    said = plain(bar.said)
    shared: Spec = {"y": index, "yanchor": "middle", "showarrow": False}
    beside = {"x": min(max(bar.value, 0.0), reach), "xanchor": "left", "xshift": 6}
    words = [
        shared
        | beside
        | {"text": f"<b>{said}</b>" if bar.marked else said, "font": {"size": TEXT, "color": INK[theme]}}
    ]
    if bar.aside:
        end = {"xref": "paper", "x": 1, "xanchor": "right"}
        words.append(shared | end | {"text": plain(bar.aside), "font": {"size": TEXT, "color": MUTED[theme]}})
    return words


def _heads(heads: tuple[str, str], theme: Theme) -> list[Spec]:
    return [
        {
            "xref": "paper",
            "x": place,
            "xanchor": anchor,
            "yref": "paper",
            "y": 1,
            "yanchor": "bottom",
            "text": plain(head),
            "font": {"size": TICK, "color": MUTED[theme]},
            "showarrow": False,
        }
        for head, place, anchor in zip(heads, (0, 1), ("left", "right"), strict=True)
        if head
    ]
