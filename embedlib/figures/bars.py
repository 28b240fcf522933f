"""Lying bars: one value under each name, parts of a whole, or a ranking in lines."""

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
    check_labels,
    legend,
    make_figure,
)
from embedlib.figures.marks import note, row_names, rows_axis
from embedlib.figures.text import bold, hover, plain, shorten

ROW = 54  # px: a line for the name, one for the bar
FOOT = 56  # px for the axis below


def bars_figure(
    values: Sequence[float | None],
    *,
    names: Sequence[str],
    said: Sequence[str],
    x_title: str,
    theme: Theme,
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
        xaxis=axis(theme, x_title, range=[0, 1.28 * highest], tickformat=tickformat, nticks=6, fixedrange=True)
        | {"zeroline": True, "zerolinewidth": 2, "zerolinecolor": MUTED[theme]},
        yaxis=rows_axis(count),
        annotations=[
            *row_names(names, theme, rise=0.22, xshift=6),
            *(_number(index, said[index], value, theme) for index, value in enumerate(values)),
        ],
    )
    layout["margin"] |= {"t": head}
    bars = _bars_below(
        lengths,
        names,
        width=0.34,
        text=[plain(words) for words in said],
        textposition="none",
        marker={"color": TOKEN[theme]} | ({"pattern": _hatching(count, hatched, theme)} if hatched else {}),
        hovertemplate=hover(hover_text, name="%{hovertext}", value="%{text}"),
    )
    return make_figure([bars], layout)


def _bars_below(lengths: Sequence[float], names: Sequence[str], **more: object) -> Spec:
    """One lying bar under each name."""
    rows = list(range(len(names)))
    hovertext = [plain(name) for name in names]
    shared: Spec = {"type": "bar", "orientation": "h", "customdata": rows, "hovertext": hovertext}
    return shared | {"x": list(lengths), "y": [row + 0.2 for row in rows]} | more


def _hatching(count: int, hatched: Sequence[int], theme: Theme) -> Spec:
    """Leave only stripes of the bars that are hatched."""
    shapes = ["/" if index in hatched else "" for index in range(count)]
    return {"shape": shapes, "fillmode": "replace", "fgcolor": TOKEN[theme], "size": 9, "solidity": 0.35}


def _number(index: int, said: str, value: float | None, theme: Theme) -> Spec:
    """What is said at a bar's end."""
    ink = MUTED[theme] if value is None else POSITION[theme] if value == 0 else INK[theme]
    return note(bold(said) if value == 0 else plain(said), value or 0.0, index + 0.2, ink, xshift=6)


SHARE_ROW = 50  # px: a line for the name, one for the bar


def model_shares_figure(
    parts: Sequence[tuple[float, float, float]],
    *,
    names: Sequence[str],
    said: Sequence[str],
    part_names: tuple[str, str, str],
    x_title: str,
    theme: Theme,
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
    count, head = len(parts), 72 + (36 if title else 0)
    height = count * SHARE_ROW + FOOT + head
    layout = base_layout(
        theme,
        height=height,
        title=title,
        barmode="stack",
        xaxis=axis(theme, x_title, range=[0, 1], tickformat=".0%", dtick=0.2, fixedrange=True),
        yaxis=rows_axis(count),
        annotations=row_names(names, theme, rise=0.22, beside=said),
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
    colour, shape = look
    pattern = {"shape": shape, "fillmode": "overlay", "fgcolor": GROUND[theme], "size": 7, "solidity": 0.3}
    return _bars_below(
        shares,
        names,
        name=plain(part),
        width=0.36,
        hovertemplate=hover(hover_text, name="%{hovertext}", part=plain(part), value="%{x:.1%}"),
        marker={"color": colour, "pattern": pattern, "line": {"width": 0}},
    )


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
    label = plain(shorten(bar.name, LONGEST))
    return f"<b>{label}</b>" if bar.marked else label


def _ranked_words(index: int, bar: RankedBar, reach: float, theme: Theme) -> list[Spec]:
    """What is said beside the bar, and at the end of the line."""
    said = bold(bar.said) if bar.marked else plain(bar.said)
    words = [note(said, min(max(bar.value, 0.0), reach), index, INK[theme], xshift=6)]
    if bar.aside:
        words.append(note(plain(bar.aside), 1, index, MUTED[theme], "right middle", paper="x"))
    return words


def _heads(heads: tuple[str, str], theme: Theme) -> list[Spec]:
    places = zip(heads, (0, 1), ("left bottom", "right bottom"), strict=True)
    return [note(plain(head), x, 1, MUTED[theme], anchor, paper="xy", size=TICK) for head, x, anchor in places if head]
