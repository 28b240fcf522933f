"""One line for each of a few names, in order: the name, its bar, what is said of it, and a number at the end."""

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from embedlib.figures.colours import INK, MUTED, RULE, TOKEN, Theme
from embedlib.figures.layout import BUTTONS, TEXT, TICK, Spec, axis, base_layout, make_figure
from embedlib.figures.text import hover, plain, shorten

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
            *(words for index, bar in enumerate(bars) for words in _words(index, bar, reach, theme)),
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


def _words(index: int, bar: RankedBar, reach: float, theme: Theme) -> list[Spec]:
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
