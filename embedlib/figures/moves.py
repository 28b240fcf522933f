"""Figures of movements: tokens between two texts, rows over a training or in one step of it, and the reasons."""

import math
from collections.abc import Sequence
from typing import Unpack

import numpy as np
import plotly.graph_objects as go
from torch import Tensor

from embedlib.colours import GROUND, INK, MUTED, POSITION, RULE, SERIES, TOKEN
from embedlib.figures.charts import value_range
from embedlib.figures.labels import non_overlapping
from embedlib.figures.layout import (
    COLUMN_SHARE,
    AxesOptions,
    Frame,
    FrameOptions,
    Spec,
    axis,
    check_chosen,
    check_labels,
    indices,
    make_figure,
    numbers,
    token_ticks,
)
from embedlib.figures.marks import ground, note, scatter
from embedlib.figures.text import bold, hover, plain, shorten

LEFT, RIGHT = 0.36, 0.64  # where the lines begin and end, as fractions of the width


def moves_figure(
    first: Sequence[str],
    second: Sequence[str],
    pairs: Sequence[tuple[int, int]],
    *,
    names: tuple[str, str],
    hover_text: str = "{token}\n{position} → {other}",
    alone_text: str = "{token}: {position}",
    **options: Unpack[FrameOptions],
) -> go.Figure:
    """Draw where each token of one text stands in another, positions downwards.

    Lines of tokens that stayed are dotted grey, those of tokens that moved solid and coloured; tokens without an equal
    have a hollow point. Each side is a trace, customdata the position.

    Args:
        pairs: (position on the left, position on the right) of equal tokens, as `matched_tokens` returns.
        alone_text: hover text of a token without an equal on the other side, with {token} and {position}.
    """
    if not first or not second:
        raise ValueError(f"first has {len(first)} tokens and second {len(second)}: both must have at least one")
    for left, right in pairs:
        if not (0 <= left < len(first) and 0 <= right < len(second)):
            raise ValueError(f"pair={(left, right)} must be within {len(first)} and {len(second)} tokens")
    frame, rows, top = Frame(**options), max(len(first), len(second)), 24
    theme = frame.theme
    bare: Spec = {"visible": False, "fixedrange": True}
    layout = frame.layout(
        frame.height or rows * 34 + frame.top_margin(top) + 8,
        top=top,
        xaxis=bare | {"range": [0, 1]},
        yaxis=bare | {"range": [rows - 0.5, -0.5]},
        annotations=[
            note(bold(names[0]), LEFT, 1, MUTED[theme], "right bottom", paper="y", xshift=-14),
            note(bold(names[1]), RIGHT, 1, MUTED[theme], "left bottom", paper="y", xshift=14),
        ],
    )
    layout["margin"] |= {"l": 0, "r": 0}
    traces = []
    for moved, look in (
        (False, {"color": MUTED[theme], "width": 2, "dash": "dot"}),
        (True, {"color": POSITION[theme], "width": 3.5, "dash": "solid"}),
    ):
        # All lines of one kind: plotly.js draws a trace and a gap in it sooner than another trace.
        across = [LEFT, LEFT + 0.03, RIGHT - 0.03, RIGHT, None]
        down = [y for left, right in pairs if (left != right) == moved for y in (left, left, right, right, None)]
        if down:
            x = across * (len(down) // len(across))
            traces.append(scatter("lines", x, down, line=look | {"shape": "spline"}, hoverinfo="skip"))
    partners = dict(pairs), {right: left for left, right in pairs}
    for side, labels, other in zip(("left", "right"), (first, second), partners, strict=True):
        places = range(len(labels))
        inks = [INK if at not in other else MUTED if other[at] == at else POSITION for at in places]
        colours = [ink[theme] for ink in inks]
        words = [plain(shorten(label, 12)) for label in labels]
        fields = [
            {"token": plain(shorten(label, 40)), "position": str(at), "other": str(other.get(at, ""))}
            for at, label in enumerate(labels)
        ]
        traces.append(
            scatter(
                "markers+text",
                [LEFT if side == "left" else RIGHT] * len(labels),
                indices(len(labels)),
                # As notes on the figure, words would take plotly.js three times as long.
                text=[word + "\u2002" if side == "left" else "\u2002" + word for word in words],
                textposition=f"middle {side}",
                customdata=indices(len(labels)),
                marker={
                    "size": 12,
                    "color": [colour if at in other else GROUND[theme] for at, colour in enumerate(colours)],
                    "line": {"color": colours, "width": 2.5},
                },
                hovertemplate=[hover(hover_text if at in other else alone_text, **fields[at]) for at in places],
                cliponaxis=False,
            )
        )
    return make_figure(traces, layout)


def moves_alt(pairs: Sequence[tuple[int, int]]) -> dict[str, int]:
    """Summarise moves for an alt text: pairs, moved, stayed."""
    moved = sum(left != right for left, right in pairs)
    return {"pairs": len(pairs), "moved": moved, "stayed": len(pairs) - moved}


def moved_points_figure(
    moves: Tensor,
    counts: Tensor,
    *,
    words: Sequence[str],
    named: Sequence[int],
    chosen: int | None = None,
    hover_text: str = "{name}\n{x}: {y}",
    **options: Unpack[AxesOptions],
) -> go.Figure:
    """Draw how far rows moved in a training over the frequency of their words, on a logarithmic scale.

    `moves` and `counts` are (n_rows,), counts at least 1. Names of `named` rows are written as far as there is room,
    the first come first. One trace of all points, and one of the chosen row; customdata are rows.
    """
    if moves.ndim != 1 or moves.shape != counts.shape or not len(moves):
        raise ValueError(f"moves {tuple(moves.shape)} and counts {tuple(counts.shape)} must be (n_rows,) both")
    if not bool((moves >= 0).all()) or not bool((counts >= 1).all()):
        raise ValueError("moves must be at least 0 and counts at least 1")
    check_labels(words, len(moves))
    frame, x, y = Frame(**options), numbers(counts), numbers(moves)
    theme, height, top = frame.theme, frame.height or 400, 1.1 * float(y.max()) or 1.0
    left, right = math.log10(float(x.min())) - 0.08, math.log10(float(x.max())) + 0.15
    log = {"type": "log", "dtick": 1, "tickformat": ",d"}
    layout = frame.layout(
        height,
        xaxis=axis(theme, frame.x_title, range=[left, right], fixedrange=True) | log,
        yaxis=axis(theme, frame.y_title, range=[-0.03 * top, top], nticks=6, fixedrange=True, zeroline=True),
        annotations=[],
    )
    rows = list(dict.fromkeys([*([] if chosen is None else [chosen]), *named]))
    # Names are kept apart in a plot of 420 px; 106 px of the height are not the plot's own.
    across, up = 420 * (np.log10(x[rows]) - left) / (right - left), (height - 106) * y[rows] / top
    for at in non_overlapping(list(zip(across, up, strict=True)), [words[row] for row in rows]):
        row = rows[at]
        colour, shift = (POSITION[theme], 8) if row == chosen else (INK[theme], 3)
        place = math.log10(float(x[row])), float(y[row]), colour, "center bottom"
        layout["annotations"].append(note(bold(shorten(words[row])), *place, over=theme, yshift=shift))
    looks: list[tuple[list[int], Spec]] = [
        (list(range(len(moves))), {"size": 7, "color": TOKEN[theme], "opacity": 0.55})
    ]
    if chosen is not None:
        looks.append(([chosen], {"size": 15, "color": POSITION[theme], "line": {"color": INK[theme], "width": 2}}))
    traces = [
        scatter(
            "markers",
            x[some],
            y[some],
            customdata=np.array(some, dtype=np.int32),
            hovertext=[plain(shorten(words[row], 40)) for row in some],
            hovertemplate=hover(hover_text, name="%{hovertext}", x="%{x:,d}", y="%{y:.3g}"),
            cliponaxis=False,
            marker=marker,
        )
        for some, marker in looks
    ]
    return make_figure(traces, layout)


# For each reason, the first being none: a shape; colours are those of series, and grey for none.
_SYMBOLS = ("circle-open", "circle", "diamond", "triangle-up", "square")


def row_moves_figure(
    moves: Tensor,
    why: Tensor,
    *,
    row_ids: Sequence[int],
    labels: Sequence[str],
    reasons: Sequence[str],
    chosen: int | None = None,
    logarithmic: bool = False,
    hover_text: str = "{token}\nrow {row} moved by {move}: {reason}",
    **options: Unpack[AxesOptions],
) -> go.Figure:
    """Draw how far some rows moved in one step, side by side, each as a stem with a mark on it.

    A trace of all stems, then one per reason that occurs; x counts the rows, customdata is [row id, its move, index].

    Args:
        moves: (n_shown,) lengths, at least 0.
        why: (n_shown,) indices into `reasons`; 0 means that the row did not move.
        reasons: legend names, at most 5.
        chosen: index among the shown rows.
        logarithmic: whether y is; rows that did not move then lie on the lower edge.
    """
    if moves.ndim != 1 or moves.shape != why.shape or not len(moves) or not bool((moves >= 0).all()):
        raise ValueError(f"moves has shape {tuple(moves.shape)}: it and why must be (n_shown,), none of it below 0")
    check_labels(labels, len(moves))
    check_labels([str(row) for row in row_ids], len(moves))
    check_chosen(chosen, len(moves))
    if len(reasons) > len(_SYMBOLS) or int(why.min()) < 0 or int(why.max()) >= len(reasons):
        raise ValueError(f"why must hold numbers from 0 to {len(reasons) - 1}, and reasons at most {len(_SYMBOLS)}")
    frame, lengths, found = Frame(**options), numbers(moves).astype(float).tolist(), why.tolist()
    theme, height = frame.theme, frame.height or 420
    low, high = value_range(lengths, 0.0, log=logarithmic)
    low, floor = (low, 10**low) if logarithmic else (0.0, 0.0)
    heights = [max(length, floor) for length in lengths]
    x = axis(theme, frame.x_title, range=[-0.6, len(lengths) - 0.4], showgrid=False)
    y = axis(theme, frame.y_title, range=[low, high], nticks=6, fixedrange=True, exponentformat="power")
    layout = frame.layout(
        height,
        top=48,
        xaxis=x | token_ticks(labels, room=COLUMN_SHARE, chosen=chosen),
        yaxis=y | ({"type": "log"} if logarithmic else {}),
        showlegend=True,
        legend=frame.legend(height),
        shapes=[] if chosen is None else [ground(chosen - 0.5, chosen + 0.5, RULE[theme], 0.45)],
    )
    stems = [place for index in range(len(heights)) for place in (index, index, None)]
    feet = [value for height in heights for value in (floor, height, None)]
    line = {"color": RULE[theme], "width": 2}
    traces = [scatter("lines", stems, feet, line=line, hoverinfo="skip", showlegend=False)]
    for reason in sorted(set(found)):
        some = [index for index, because in enumerate(found) if because == reason]
        name, colour = plain(reasons[reason]), (MUTED[theme], *SERIES[theme])[reason]
        marker = {"color": colour, "symbol": _SYMBOLS[reason], "size": 10 if len(lengths) <= 40 else 7}
        marker["line"] = {"color": GROUND[theme] if reason else colour, "width": 1.5}
        fields = {"row": "%{customdata[0]}", "move": "%{customdata[1]:.3~g}", "reason": name}
        traces.append(
            scatter(
                "markers",
                some,
                [heights[index] for index in some],
                name=name,
                customdata=[[row_ids[index], lengths[index], index] for index in some],
                hovertext=[plain(shorten(labels[index], 40)) for index in some],
                hovertemplate=hover(hover_text, token="%{hovertext}", **fields),
                marker=marker,
                cliponaxis=False,
                unselected={"marker": {"opacity": 1}},
            )
        )
    return make_figure(traces, layout)
