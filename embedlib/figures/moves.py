"""What has moved: tokens between two texts, rows over a training or in one step of it, and why."""

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from torch import Tensor

from embedlib.figures.colours import GROUND, INK, MUTED, POSITION, RULE, SERIES, TOKEN, Theme
from embedlib.figures.labels import apart
from embedlib.figures.layout import (
    BUTTONS,
    COLUMN_SHARE,
    Spec,
    axis,
    base_layout,
    check_chosen,
    check_labels,
    indices,
    legend,
    make_figure,
    numbers,
    token_ticks,
)
from embedlib.figures.marks import chosen_column, note, scatter
from embedlib.figures.text import bold, hover, plain, shorten

ROW = 34  # px per token
HEAD = BUTTONS + 24  # px for the two headings below Plotly's buttons
LEFT, RIGHT = 0.36, 0.64  # where the lines begin and end, as fractions of the width
GAP = "\u2002"  # between a token's point and its word


def moves_figure(
    first: Sequence[str],
    second: Sequence[str],
    pairs: Sequence[tuple[int, int]],
    *,
    names: tuple[str, str],
    theme: Theme,
    hover_text: str = "{token}\n{position} → {other}",
    alone_text: str = "{token}: {position}",
    title: str = "",
) -> go.Figure:
    """Draw where each token of one text stands in another, positions downwards.

    Args:
        first: labels of the tokens on the left, shown as written.
        second: labels of those on the right.
        pairs: (position on the left, position on the right) of equal tokens, as `matched_tokens` returns.
        names: headings of the left and the right.
        theme: "light" or "dark".
        hover_text: what a paired token says, with {token}, {position} and {other}.
        alone_text: what a token without an equal on the other side says, with {token} and {position}.
        title: a heading inside the figure.

    Returns:
        A figure with the lines of tokens that stayed (dotted grey) and of those that moved (solid and coloured), where
        there are any, and one trace for each side's tokens, whose customdata is the position. Tokens without an equal
        have a hollow point.

    Raises:
        ValueError: a text has no tokens, or a pair names a position that there is not.
    """
    if not first or not second:
        raise ValueError(f"first has {len(first)} tokens and second {len(second)}: both must have at least one")
    for left, right in pairs:
        if not (0 <= left < len(first) and 0 <= right < len(second)):
            raise ValueError(f"pair={(left, right)} must be within {len(first)} and {len(second)} tokens")
    rows = max(len(first), len(second))
    head = HEAD + (36 if title else 0)
    layout = base_layout(theme, height=rows * ROW + head + 8, title=title)
    layout["margin"] |= {"t": head, "l": 0, "r": 0}
    bare: Spec = {"visible": False, "fixedrange": True}
    layout |= {
        "xaxis": bare | {"range": [0, 1]},
        "yaxis": bare | {"range": [rows - 0.5, -0.5]},
        "annotations": [
            note(bold(names[0]), LEFT, 1, MUTED[theme], "right bottom", paper="y", xshift=-14),
            note(bold(names[1]), RIGHT, 1, MUTED[theme], "left bottom", paper="y", xshift=14),
        ],
    }
    there, back = dict(pairs), {right: left for left, right in pairs}
    stayed, moved = ([pair for pair in pairs if (pair[0] != pair[1]) == moves] for moves in (False, True))
    traces = [_lines(some, theme, moved=some is moved) for some in (stayed, moved) if some]
    traces.append(_points(first, there, "left", theme, hover_text, alone_text))
    traces.append(_points(second, back, "right", theme, hover_text, alone_text))
    return make_figure(traces, layout)


def _lines(pairs: Sequence[tuple[int, int]], theme: Theme, *, moved: bool) -> Spec:
    """All lines of one kind: plotly.js draws a trace and a gap in it sooner than another trace."""
    colour = POSITION[theme] if moved else MUTED[theme]
    return scatter(
        "lines",
        [LEFT, LEFT + 0.03, RIGHT - 0.03, RIGHT, None] * len(pairs),
        [y for left, right in pairs for y in (left, left, right, right, None)],
        line={"color": colour, "width": 3.5 if moved else 2, "dash": "solid" if moved else "dot", "shape": "spline"},
        hoverinfo="skip",
    )


def _points(
    labels: Sequence[str], partner: dict[int, int], side: str, theme: Theme, hover_text: str, alone_text: str
) -> Spec:
    """The tokens of one side: filled where the other side has an equal one, hollow where not.

    Their words belong to them: as notes on the figure they take plotly.js three times as long.
    """
    ink = [
        INK[theme] if position not in partner else (POSITION if partner[position] != position else MUTED)[theme]
        for position in range(len(labels))
    ]
    said = [
        hover(
            hover_text if position in partner else alone_text,
            token=plain(shorten(label, 40)),
            position=str(position),
            other=str(partner.get(position, "")),
        )
        for position, label in enumerate(labels)
    ]
    words = [plain(shorten(label, 12)) for label in labels]
    return scatter(
        "markers+text",
        [LEFT if side == "left" else RIGHT] * len(labels),
        indices(len(labels)),
        text=[word + GAP if side == "left" else GAP + word for word in words],
        textposition=f"middle {side}",
        customdata=indices(len(labels)),
        marker={
            "size": 12,
            "color": [colour if at in partner else GROUND[theme] for at, colour in enumerate(ink)],
            "line": {"color": ink, "width": 2.5},
        },
        hovertemplate=said,
        cliponaxis=False,
    )


def moves_alt(pairs: Sequence[tuple[int, int]]) -> dict[str, int]:
    """Return the lines in numbers, for a sentence: pairs, moved, stayed."""
    moved = sum(left != right for left, right in pairs)
    return {"pairs": len(pairs), "moved": moved, "stayed": len(pairs) - moved}


WIDTH = 420  # px that the plot is taken to have when names are kept apart
FRAME = 106  # px of the height that are not the plot's own


def moved_points_figure(
    moves: Tensor,
    counts: Tensor,
    *,
    words: Sequence[str],
    named: Sequence[int],
    x_title: str,
    y_title: str,
    theme: Theme,
    chosen: int | None = None,
    hover_text: str = "{name}\n{x}: {y}",
    height: int = 400,
    title: str = "",
) -> go.Figure:
    """Draw points, frequencies on a logarithmic scale along x, distances up from 0.

    Args:
        moves: (n_rows,) distances, at least 0.
        counts: (n_rows,) how often each word was met, at least 1.
        words: one per row.
        named: rows whose names are written, as far as there is room; the first come first.
        x_title: what the counts are.
        y_title: what the distances are.
        theme: "light" or "dark".
        chosen: the row that stands out and is named in any case.
        hover_text: what a point says, with {name}, {x} and {y}.
        height: in CSS pixels.
        title: a heading inside the figure.

    Returns:
        A figure with one trace of all points, and one of the chosen row where there is one; customdata are rows.

    Raises:
        ValueError: parts that do not fit each other, a negative distance, or a word that was not met.
    """
    if moves.ndim != 1 or moves.shape != counts.shape or not len(moves):
        raise ValueError(f"moves {tuple(moves.shape)} and counts {tuple(counts.shape)} must be (n_rows,) both")
    if not bool((moves >= 0).all()) or not bool((counts >= 1).all()):
        raise ValueError("moves must be at least 0 and counts at least 1")
    check_labels(words, len(moves))
    x, y = numbers(counts), numbers(moves)
    top = 1.1 * float(y.max()) or 1.0
    left, right = math.log10(float(x.min())) - 0.08, math.log10(float(x.max())) + 0.15
    layout = base_layout(
        theme,
        height=height,
        title=title,
        xaxis=axis(theme, x_title, type="log", range=[left, right], tickformat=",d", fixedrange=True) | {"dtick": 1},
        yaxis=axis(theme, y_title, range=[-0.03 * top, top], nticks=6, fixedrange=True, zeroline=True),
        annotations=[],
    )
    layout["margin"] |= {"t": 48 if title else BUTTONS + 2}
    rows = list(dict.fromkeys([*([] if chosen is None else [chosen]), *named]))
    across = WIDTH * (np.log10(x[rows]) - left) / (right - left)
    up = (height - FRAME) * y[rows] / top
    for row in (rows[at] for at in apart(list(zip(across, up, strict=True)), [words[row] for row in rows])):
        layout["annotations"].append(_name(words[row], float(x[row]), float(y[row]), row == chosen, theme))
    every = list(range(len(moves)))
    traces = [
        _moved_points(every, x, y, words, hover_text) | {"marker": {"size": 7, "color": TOKEN[theme], "opacity": 0.55}}
    ]
    if chosen is not None:
        mark = {"size": 15, "color": POSITION[theme], "line": {"color": INK[theme], "width": 2}}
        traces.append(_moved_points([chosen], x, y, words, hover_text) | {"marker": mark})
    return make_figure(traces, layout)


def _moved_points(
    rows: Sequence[int], x: NDArray[np.float32], y: NDArray[np.float32], words: Sequence[str], hover_text: str
) -> Spec:
    """Some of the rows as points."""
    return scatter(
        "markers",
        x[rows],
        y[rows],
        customdata=np.array(rows, dtype=np.int32),
        hovertext=[plain(shorten(words[row], 40)) for row in rows],
        hovertemplate=hover(hover_text, name="%{hovertext}", x="%{x:,d}", y="%{y:.3g}"),
        cliponaxis=False,
    )


def _name(word: str, x: float, y: float, chosen: bool, theme: Theme) -> Spec:
    colour, shift = (POSITION[theme], 8) if chosen else (INK[theme], 3)
    return note(bold(shorten(word)), math.log10(x), y, colour, "center bottom", over=theme, yshift=shift)


FEW = 40  # rows whose marks are large
# For each reason, the first being none: a shape and a place among the colours of series.
_SYMBOLS = ("circle-open", "circle", "diamond", "triangle-up", "square")
_COLOURS = (None, 0, 1, 2, 3)


def row_moves_figure(
    moves: Tensor,
    why: Tensor,
    *,
    row_ids: Sequence[int],
    labels: Sequence[str],
    reasons: Sequence[str],
    x_title: str,
    y_title: str,
    theme: Theme,
    chosen: int | None = None,
    logarithmic: bool = False,
    hover_text: str = "{token}\nrow {row} moved by {move}: {reason}",
    height: int = 420,
    title: str = "",
) -> go.Figure:
    """Draw the moves of some rows, side by side, each as a stem with a mark on it.

    Args:
        moves: (n_shown,) lengths, at least 0.
        why: (n_shown,) integers, index into reasons; 0 means that the row stood still.
        row_ids: their rows in the table.
        labels: one per row, shown as written.
        reasons: the legend's name of each reason, translated; the first is "did not move". At most 5.
        x_title: what stands along x.
        y_title: what a move is.
        theme: "light" or "dark".
        chosen: index among the shown rows whose ground is marked.
        logarithmic: whether y is; rows that stood still then lie on the lower edge.
        hover_text: what a row says, with {token}, {row}, {move} and {reason}.
        height: in CSS pixels.
        title: a heading inside the figure.

    Returns:
        A figure with one trace per reason that occurs, in their order, and before them one of all stems; x counts the
        shown rows, customdata is [row id, its move, index among the shown rows].

    Raises:
        ValueError: nothing to draw, parts that do not fit, a negative move, or an unknown reason.
    """
    if moves.ndim != 1 or moves.shape != why.shape or not len(moves) or not bool((moves >= 0).all()):
        raise ValueError(f"moves has shape {tuple(moves.shape)}: it and why must be (n_shown,), none of it below 0")
    check_labels(labels, len(moves))
    check_labels([str(row) for row in row_ids], len(moves))
    check_chosen(chosen, len(moves))
    if len(reasons) > len(_SYMBOLS) or int(why.min()) < 0 or int(why.max()) >= len(reasons):
        raise ValueError(f"why must hold numbers from 0 to {len(reasons) - 1}, and reasons at most {len(_SYMBOLS)}")
    lengths = numbers(moves).astype(float).tolist()
    low, high = _reach(lengths, logarithmic=logarithmic)
    floor = 10**low if logarithmic else 0.0
    heights = [max(length, floor) for length in lengths]
    occurring = sorted(set(why.tolist()))
    layout = base_layout(
        theme,
        height=height,
        title=title,
        xaxis=axis(theme, x_title, range=[-0.6, len(lengths) - 0.4], showgrid=False)
        | token_ticks(labels, room=COLUMN_SHARE, chosen=chosen),
        yaxis=axis(theme, y_title, range=[low, high], nticks=6, fixedrange=True, exponentformat="power")
        | ({"type": "log"} if logarithmic else {}),
        showlegend=True,
        legend=legend(theme, height=height, title=title, above=BUTTONS),
        shapes=chosen_column(chosen, theme),
    )
    layout["margin"] |= {"t": 48 + BUTTONS + (36 if title else 0)}
    traces = [_stems(heights, floor, theme)]
    for reason in occurring:
        places = [index for index, because in enumerate(why.tolist()) if because == reason]
        traces.append(_marks(places, heights, lengths, row_ids, labels, reasons[reason], reason, theme, hover_text))
    return make_figure(traces, layout)


def _marks(
    places: Sequence[int],
    heights: Sequence[float],
    lengths: Sequence[float],
    row_ids: Sequence[int],
    labels: Sequence[str],
    name: str,
    reason: int,
    theme: Theme,
    hover_text: str,
) -> Spec:
    """All rows that moved for one reason."""
    place = _COLOURS[reason]
    colour = MUTED[theme] if place is None else SERIES[theme][place]
    return scatter(
        "markers",
        list(places),
        [heights[index] for index in places],
        name=plain(name),
        customdata=[[row_ids[index], lengths[index], index] for index in places],
        hovertext=[plain(shorten(labels[index], 40)) for index in places],
        hovertemplate=hover(
            hover_text, token="%{hovertext}", row="%{customdata[0]}", move="%{customdata[1]:.3~g}", reason=plain(name)
        ),
        marker={
            "color": colour,
            "symbol": _SYMBOLS[reason],
            "size": 10 if len(lengths) <= FEW else 7,
            "line": {"color": colour if reason == 0 else GROUND[theme], "width": 1.5},
        },
        cliponaxis=False,
        unselected={"marker": {"opacity": 1}},
    )


def _stems(heights: Sequence[float], floor: float, theme: Theme) -> Spec:
    """A thin line under each mark, all of them one trace."""
    return scatter(
        "lines",
        [place for index in range(len(heights)) for place in (index, index, None)],
        [value for height in heights for value in (floor, height, None)],
        line={"color": RULE[theme], "width": 2},
        hoverinfo="skip",
        showlegend=False,
    )


def _reach(lengths: Sequence[float], *, logarithmic: bool) -> tuple[float, float]:
    """The range of y in the axis' own unit; on a logarithmic one, what stood still has room below all that moved."""
    highest = max(lengths)
    if not logarithmic:
        return 0.0, 1.08 * highest or 1.0
    moved = [length for length in lengths if length > 0] or [1.0]
    low, high = math.log10(min(moved)), math.log10(max(moved))
    room = 0.08 * (high - low) or 0.5
    return low - (2 * room if min(lengths) == 0 else room), high + room
