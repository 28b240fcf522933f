"""How far each row of a table moved in a training step: colour and shape tell why it did."""

import math
from collections.abc import Sequence

import plotly.graph_objects as go
from torch import Tensor

from embedlib.figures.arrays import check_chosen, check_labels, numbers
from embedlib.figures.colours import GROUND, MUTED, RULE, SERIES, Theme
from embedlib.figures.layout import BUTTONS, Spec, axis, base_layout, legend, make_figure
from embedlib.figures.text import hover, plain, shorten
from embedlib.figures.ticks import COLUMN_SHARE, token_ticks

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
        shown rows, customdata is [row id, the move in words, index among the shown rows].

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
    shown = [max(length, floor) for length in lengths]
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
        shapes=[] if chosen is None else [_band(chosen, theme)],
    )
    layout["margin"] |= {"t": 48 + BUTTONS + (36 if title else 0)}
    traces = [_stems(shown, floor, theme)]
    for reason in occurring:
        places = [index for index, because in enumerate(why.tolist()) if because == reason]
        traces.append(_marks(places, shown, lengths, row_ids, labels, reasons[reason], reason, theme, hover_text))
    return make_figure(traces, layout)


def _marks(
    places: Sequence[int],
    shown: Sequence[float],
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
    return {
        "type": "scatter",
        "mode": "markers",
        "name": plain(name),
        "x": list(places),
        "y": [shown[index] for index in places],
        "customdata": [[row_ids[index], f"{lengths[index]:.3g}", index] for index in places],
        "hovertext": [plain(shorten(labels[index], 40)) for index in places],
        "hovertemplate": hover(
            hover_text,
            token="%{hovertext}",
            row="%{customdata[0]}",
            move="%{customdata[1]}",
            reason=plain(name),
        ),
        "marker": {
            "color": colour,
            "symbol": _SYMBOLS[reason],
            "size": 10 if len(lengths) <= FEW else 7,
            "line": {"color": colour if reason == 0 else GROUND[theme], "width": 1.5},
        },
        "cliponaxis": False,
        "unselected": {"marker": {"opacity": 1}},
    }


def _stems(shown: Sequence[float], floor: float, theme: Theme) -> Spec:
    """A thin line under each mark, all of them one trace."""
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [place for index in range(len(shown)) for place in (index, index, None)],
        "y": [value for height in shown for value in (floor, height, None)],
        "line": {"color": RULE[theme], "width": 2},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _reach(lengths: Sequence[float], *, logarithmic: bool) -> tuple[float, float]:
    """The range of y in the axis' own unit; on a logarithmic one, what stood still has room below all that moved."""
    highest = max(lengths)
    if not logarithmic:
        return 0.0, 1.08 * highest or 1.0
    moved = [length for length in lengths if length > 0] or [1.0]
    low, high = math.log10(min(moved)), math.log10(max(moved))
    room = 0.08 * (high - low) or 0.5
    return low - (2 * room if min(lengths) == 0 else room), high + room


def _band(index: int, theme: Theme) -> Spec:
    """The ground of the chosen row."""
    return {
        "type": "rect",
        "x0": index - 0.5,
        "x1": index + 0.5,
        "yref": "paper",
        "y0": 0,
        "y1": 1,
        "fillcolor": RULE[theme],
        "opacity": 0.45,
        "line": {"width": 0},
        "layer": "below",
    }
