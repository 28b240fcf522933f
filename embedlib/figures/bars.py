"""Horizontal bars and ranges, a name over each or at its left."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import plotly.graph_objects as go
from torch import Tensor

from embedlib.colours import GROUND, INK, MUTED, POSITION, RULE, TOKEN, Theme
from embedlib.figures.layout import (
    TEXT,
    TICK,
    Frame,
    FrameOptions,
    Spec,
    axis,
    check_chosen,
    check_labels,
    log_ticks,
    make_figure,
)
from embedlib.figures.marks import note, scatter
from embedlib.figures.text import bold, hover, plain, shorten


def rows_layout(frame: Frame, names: Sequence[str], x: Spec, *, top: int, row: int = 54, **look: Any) -> Spec:
    """Return the layout of rows downwards, each `row` px high with its name over it; `look` goes to `row_names`."""
    height = frame.height or len(names) * row + 56 + frame.top_margin(top)  # px for the axis below
    y = {"visible": False, "range": [len(names) - 0.5, -0.5], "fixedrange": True}
    return frame.layout(height, top=top, xaxis=x, yaxis=y, annotations=row_names(names, frame.theme, **look))


def row_names(
    names: Sequence[str],
    theme: Theme,
    *,
    rise: float = 0.22,
    chosen: int | None = None,
    beside: Sequence[str] = (),
    xshift: int = 0,
) -> list[Spec]:
    """Return the names over these rows, the chosen one underlined, with greyer words beside them."""
    written = [f"<u>{bold(name)}</u>" if index == chosen else bold(name) for index, name in enumerate(names)]
    for index, words in enumerate(beside):
        written[index] += f"  <span style='color:{MUTED[theme]}'>{plain(words)}</span>"
    return [note(text, 0, at - rise, INK[theme], paper="x", xshift=xshift) for at, text in enumerate(written)]


def bars_below(lengths: Sequence[float], names: Sequence[str], **more: object) -> Spec:
    """Return one horizontal bar under each name."""
    rows = list(range(len(names)))
    shared: Spec = {"type": "bar", "orientation": "h", "customdata": rows, "hovertext": list(map(plain, names))}
    return shared | {"x": list(lengths), "y": [row + 0.2 for row in rows]} | more


def bars_figure(
    values: Sequence[float | None],
    *,
    names: Sequence[str],
    value_texts: Sequence[str],
    x_title: str = "",
    hatched: Sequence[int] = (),
    tickformat: str = ".0%",
    hover_text: str = "{name}\n{value}",
    **options: Unpack[FrameOptions],
) -> go.Figure:
    """Draw values from zero to the right, names over their bars, the first at the top.

    A value is at least 0, or None for no bar; its text stands at the bar's end. Hatched bars are not comparable with
    the others.
    """
    if not values or any(value is not None and not value >= 0 for value in values):
        raise ValueError(f"values={list(values)} must hold at least one number, none of them below 0")
    check_labels(names, len(values))
    check_labels(value_texts, len(values))
    frame, lengths = Frame(**options), [value or 0.0 for value in values]
    theme, highest = frame.theme, max(lengths) or 1.0
    x = axis(theme, x_title, range=[0, 1.28 * highest], tickformat=tickformat, nticks=6, fixedrange=True)
    x |= {"zeroline": True, "zerolinewidth": 2, "zerolinecolor": MUTED[theme]}
    layout = rows_layout(frame, names, x, top=8, xshift=6)
    for index, (value, text) in enumerate(zip(values, value_texts, strict=True)):
        ink = MUTED[theme] if value is None else POSITION[theme] if value == 0 else INK[theme]
        written = bold(text) if value == 0 else plain(text)
        layout["annotations"].append(note(written, value or 0.0, index + 0.2, ink, xshift=6))
    marker: Spec = {"color": TOKEN[theme]}
    if hatched:  # only stripes are left
        shapes = ["/" if index in hatched else "" for index in range(len(values))]
        stripes = {"fillmode": "replace", "fgcolor": TOKEN[theme], "size": 9, "solidity": 0.35}
        marker["pattern"] = {"shape": shapes, **stripes}
    bars = bars_below(
        lengths,
        names,
        width=0.34,
        text=list(map(plain, value_texts)),
        textposition="none",
        marker=marker,
        hovertemplate=hover(hover_text, name="%{hovertext}", value="%{text}"),
    )
    return make_figure([bars], layout)


def model_shares_figure(
    parts: Sequence[tuple[float, float, float]],
    *,
    names: Sequence[str],
    value_texts: Sequence[str],
    part_names: tuple[str, str, str],
    x_title: str = "",
    hover_text: str = "{name}\n{part}: {value}",
    **options: Unpack[FrameOptions],
) -> go.Figure:
    """Draw one bar per model, divided into its embedding table, its output weights and everything else.

    `parts` are numbers of parameters in this order, not all 0; tied output weights are 0. A trace per part; output
    weights are hatched, so that they differ from the table without colour.
    """
    if not parts or any(not min(model) >= 0 or not 0 < sum(model) < math.inf for model in parts):
        raise ValueError("parts must hold at least one model, no part of it below 0 and not all of it 0")
    check_labels(names, len(parts))
    check_labels(value_texts, len(parts))
    frame = Frame(**options)
    theme = frame.theme
    x = axis(theme, x_title, range=[0, 1], tickformat=".0%", dtick=0.2, fixedrange=True)
    layout = rows_layout(frame, names, x, top=72, row=50, beside=value_texts)
    layout |= {"barmode": "stack", "showlegend": True}
    layout["legend"] = frame.legend(layout["height"]) | {"traceorder": "normal"}
    layout["margin"] |= {"l": 18, "r": 28}  # half of "0 %" and of "100 %"
    traces = []
    looks = ((TOKEN[theme], ""), (POSITION[theme], "/"), (RULE[theme], ""))
    for index, (part, (colour, shape)) in enumerate(zip(part_names, looks, strict=True)):
        pattern = {"shape": shape, "fillmode": "overlay", "fgcolor": GROUND[theme], "size": 7, "solidity": 0.3}
        traces.append(
            bars_below(
                [model[index] / sum(model) for model in parts],
                names,
                name=plain(part),
                width=0.36,
                hovertemplate=hover(hover_text, name="%{hovertext}", part=plain(part), value="%{x:.1%}"),
                marker={"color": colour, "pattern": pattern, "line": {"width": 0}},
            )
        )
    return make_figure(traces, layout)


def init_norms_figure(
    norms: Sequence[Tensor],
    expected: Sequence[float],
    *,
    names: Sequence[str],
    legend_names: tuple[str, str],
    x_title: str = "",
    chosen: int | None = None,
    hover_text: str = "{name}\nmeasured {low} to {high}, expected {expected}",
    **options: Unpack[FrameOptions],
) -> go.Figure:
    """Draw the range of row lengths of each initial table, and the length that theory expects, on a logarithmic x axis.

    `norms` has a tensor (n_rows,) of lengths above 0 for each initialisation, of any number of rows.
    """
    check_labels(names, len(norms))
    check_labels(names, len(expected))
    check_chosen(chosen, len(norms))
    ranges = [(float(lengths.min()), float(lengths.max())) if lengths.numel() else (0.0, 0.0) for lengths in norms]
    if not ranges or not all(0 < low and high < math.inf for low, high in ranges) or min(expected) <= 0:
        raise ValueError("norms must hold at least one length for each way, and every length must be above 0")
    frame = Frame(**options)
    theme = frame.theme
    ends = [math.log10(end) for end in (*expected, *(end for both in ranges for end in both))]
    room = 0.06 * (max(ends) - min(ends)) or 0.2
    low, high = min(ends) - room, max(ends) + room
    x = axis(theme, x_title, fixedrange=True, type="log", range=[low, high], **log_ticks(low, high))
    layout = rows_layout(frame, names, x, top=44, rise=0.2, chosen=chosen)
    layout |= {"showlegend": True, "legend": frame.legend(layout["height"])}
    found = [[plain(name), *both, float(law)] for name, both, law in zip(names, ranges, expected, strict=True)]
    fields = {name: f"%{{customdata[{at}]:.4~g}}" for at, name in enumerate(("low", "high", "expected"), 1)}
    places = [index + 0.2 for index in range(len(ranges))]
    measured = scatter(
        "lines+markers",
        [end for shortest, longest in ranges for end in (shortest, longest, None)],
        [at for place in places for at in (place, place, None)],
        name=plain(legend_names[0]),
        customdata=[row for row in found for _ in range(3)],
        line={"color": TOKEN[theme], "width": 10},
        marker={"color": TOKEN[theme], "size": 10, "symbol": "circle"},  # so that a short one is seen
        hovertemplate=hover(hover_text, name="%{customdata[0]}", **fields),
    )
    diamond = {"color": POSITION[theme], "size": 15, "symbol": "diamond", "line": {"color": GROUND[theme], "width": 2}}
    laws = scatter("markers", list(expected), places, name=plain(legend_names[1]), marker=diamond, hoverinfo="skip")
    return make_figure([measured, laws], layout)


LINE = 33  # px of a ranked bar


@dataclass(frozen=True, slots=True)
class RankedBar:
    """One line of a ranking.

    Attributes:
        value: length of the bar; below 0 there is none.
        value_text: text beside the bar.
        side_text: text at the right end of the line.
        marked: whether the bar is in colour and its text bold.
        detail: further text under the pointer.
    """

    name: str
    value: float
    value_text: str
    side_text: str = ""
    marked: bool = False
    detail: str = ""


def ranked_bars_figure(
    bars: Sequence[RankedBar],
    *,
    longest: float | None = None,
    heads: tuple[str, str] = ("", ""),
    room: float = 0.5,
    line: int = LINE,
    hover_text: str = "{name}\n{value_text}",
    least: int = 0,
    all_coloured: bool = False,
    **options: Unpack[FrameOptions],
) -> go.Figure:
    """Draw a ranking in lines of `line` px, the first at the top.

    Args:
        longest: value of a bar of full length, so that several figures can be compared; None for the longest of these.
        room: share of the width, behind the names, that a bar of full length takes; the rest is for text.
        least: number of lines the height is enough for, so that it does not change with the number of bars.
        all_coloured: whether unmarked bars are in colour too.
    """
    if not bars:
        raise ValueError("bars is empty: give at least one")
    if not (longest is None or longest > 0) or not 0 < room <= 1:
        raise ValueError(f"longest={longest} must be above 0 or None, and room={room} in (0, 1]")
    frame, reach = Frame(**options), longest or max([bar.value for bar in bars if bar.value > 0], default=1.0)
    theme, count, top = frame.theme, max(len(bars), least), 42 if any(heads) else 12
    lengths, rows = [min(max(bar.value, 0.0), reach) for bar in bars], list(range(len(bars)))
    notes = [
        note(plain(head), x, 1, MUTED[theme], anchor, paper="xy", size=TICK)
        for head, x, anchor in zip(heads, (0, 1), ("left bottom", "right bottom"), strict=True)
        if head
    ]
    for index, (bar, length) in enumerate(zip(bars, lengths, strict=True)):
        notes.append(
            note(bold(bar.value_text) if bar.marked else plain(bar.value_text), length, index, INK[theme], xshift=6)
        )
        if bar.side_text:
            notes.append(note(plain(bar.side_text), 1, index, MUTED[theme], "right middle", paper="x"))
    names = [shorten(bar.name, 22) for bar in bars]
    ticks: Spec = {"tickmode": "array", "tickvals": rows, "tickfont": {"size": TEXT, "color": INK[theme]}}
    ticks["ticktext"] = [bold(name) if bar.marked else plain(name) for bar, name in zip(bars, names, strict=True)]
    layout = frame.layout(
        frame.height or count * line + frame.top_margin(top) + 8,
        top=top,
        xaxis=axis(theme, range=[0, reach / room], visible=False, fixedrange=True),
        yaxis=axis(theme, range=[count - 0.5, -0.5], fixedrange=True, showgrid=False, **ticks),
        annotations=notes,
    )
    layout["margin"] |= {"b": 2}
    fields = {"value_text": "%{text}", "side_text": "%{customdata[1]}", "detail": "%{customdata[2]}"}
    trace: Spec = {
        "type": "bar",
        "orientation": "h",
        "x": lengths,
        "y": rows,
        "width": 0.66,
        "customdata": [[index, plain(bar.side_text), plain(bar.detail)] for index, bar in enumerate(bars)],
        "hovertext": [plain(bar.name) for bar in bars],
        "text": [plain(bar.value_text) for bar in bars],
        "textposition": "none",
        "marker": {"color": [TOKEN[theme] if bar.marked or all_coloured else RULE[theme] for bar in bars]},
        "hovertemplate": hover(hover_text, name="%{hovertext}", **fields),
    }
    return make_figure([trace], layout)
