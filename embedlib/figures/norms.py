"""Lengths of rows: of tokens, positions and sums, of a whole table, by frequency, and of tables just drawn."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
from torch import Tensor

from embedlib.figures.colours import GROUND, INK, MUTED, POSITION, SUM, TOKEN, Theme, tint
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
from embedlib.figures.marks import note, row_names, rows_axis, scatter
from embedlib.figures.text import bold, hover, plain, shorten

_FIELDS = {"token": "%{hovertext}", "position": "%{customdata}", "norm": "%{y:.4f}"}


MANY = 150  # tokens whose columns and marks are still apart; above that all parts are lines


def norms_figure(
    token_norms: Tensor,
    position_norms: Tensor | None,
    sum_norms: Tensor | None,
    *,
    labels: Sequence[str],
    names: tuple[str, str, str],
    x_title: str,
    y_title: str,
    theme: Theme,
    hover_text: str = "{token}\n{name}: {norm}",
    height: int = 420,
    title: str = "",
) -> go.Figure:
    """Draw the lengths of rows, positions and sums, token by token.

    Args:
        token_norms: (n_tokens,), the Euclidean lengths of the token rows.
        position_norms: (n_tokens,), of what is added; None for a scheme that adds nothing.
        sum_norms: (n_tokens,), of the sums; None likewise.
        labels: one per token, shown as written.
        names: legend names of the three.
        x_title: what is counted along x.
        y_title: what a length is.
        theme: "light" or "dark".
        hover_text: what a point says, with {token}, {position}, {name} and {norm}.
        height: in CSS pixels.
        title: a heading inside the figure.

    Returns:
        A figure with one trace per given part, y from 0, customdata the token's position. Columns stand for the
        tokens, a line for the positions, diamonds for the sums; above 150 tokens all three are lines.

    Raises:
        ValueError: a part is not (n_tokens,) or empty, or labels do not fit.
    """
    parts = [(index, part) for index, part in enumerate((token_norms, position_norms, sum_norms)) if part is not None]
    for _, part in parts:
        if part.ndim != 1 or part.shape != token_norms.shape or not len(part):
            raise ValueError(f"norms have shape {tuple(part.shape)}: each part must be (n_tokens,), and not empty")
    count = len(token_norms)
    check_labels(labels, count)
    highest = max(float(part.detach().max()) for _, part in parts) or 1.0
    ticks = token_ticks(labels, room=COLUMN_SHARE)
    layout = base_layout(
        theme,
        height=height,
        title=title,
        xaxis=axis(theme, x_title, range=[-0.6, count - 0.4], showgrid=False) | ticks,
        yaxis=axis(theme, y_title, range=[0, 1.08 * highest], nticks=6, fixedrange=True),
        showlegend=len(parts) > 1,
        legend=legend(theme, height=height, title=title),
        bargap=0.25,
    )
    traces = [_trace(index, part, names[index], labels, theme, hover_text) for index, part in parts]
    return make_figure(traces, layout)


def _trace(index: int, norms: Tensor, name: str, labels: Sequence[str], theme: Theme, hover_text: str) -> Spec:
    """One part; it has its own shape as well as its colour."""
    counted = indices(len(norms))
    trace: Spec = {
        "name": plain(name),
        "x": counted,
        "y": numbers(norms),
        "customdata": counted,
        "hovertext": [plain(shorten(label, 40)) for label in labels],
        "hovertemplate": hover(hover_text, name=plain(name), **_FIELDS),
        "unselected": {"marker": {"opacity": 1}},
    }
    if len(norms) > MANY:
        colour = (TOKEN, POSITION, SUM)[index][theme]
        return trace | {
            "type": "scatter",
            "mode": "lines",
            "line": {"color": colour, "width": 3 if index == 1 else 1.25},
        }
    line = {"color": GROUND[theme], "width": 1.5}
    if index == 0:
        return trace | {"type": "bar", "marker": {"color": TOKEN[theme]}}
    trace |= {"type": "scatter", "mode": "lines+markers" if index == 1 else "markers"}
    if index == 1:
        marker = {"color": POSITION[theme], "size": 8, "symbol": "circle", "line": line}
        return trace | {"line": {"color": POSITION[theme], "width": 3}, "marker": marker}
    return trace | {"marker": {"color": SUM[theme], "size": 12, "symbol": "diamond", "line": line}}


def norms_alt(token_norms: Tensor, position_norms: Tensor | None, sum_norms: Tensor | None) -> dict[str, float]:
    """Return norms in numbers, for a sentence: tokens, the three means, ratio = mean position / mean token."""
    token, position, total = (
        0.0 if part is None else float(part.detach().float().mean())
        for part in (token_norms, position_norms, sum_norms)
    )
    ratio = position / token if token else 0.0
    return {"tokens": len(token_norms), "token": token, "position": position, "sum": total, "ratio": ratio}


MOST = 60  # columns: fewer than a phone has points for


def norm_histogram_figure(
    norms: Tensor,
    *,
    expected: float,
    spread: float,
    names: tuple[str, str, str],
    x_title: str,
    y_title: str,
    theme: Theme,
    hover_text: str = "{low} to {high}\n{count}",
    height: int = 340,
    title: str = "",
) -> go.Figure:
    """Draw a histogram of row lengths, an upright at the expected length, and the ground within one spread of it.

    Args:
        norms: (n_rows,) lengths, at least 1 of them, finite.
        expected: the length that mathematics expects.
        spread: its standard deviation from row to row, at least 0.
        names: of the columns, of the upright, and of the ground beside it.
        x_title: what a length is.
        y_title: what is counted.
        theme: "light" or "dark".
        hover_text: what a column says, with {low}, {high} and {count}.
        height: in CSS pixels.
        title: a heading inside the figure.

    Returns:
        A figure with three traces: the ground, which a spread of 0 leaves out; columns of equal width, about √n_rows
        and at most 60 of them, from the shortest to the longest row; and the upright.

    Raises:
        ValueError: norms not (n_rows,), empty or not finite, or a negative spread.
    """
    if norms.ndim != 1 or not len(norms) or not bool(norms.isfinite().all()):
        raise ValueError(f"norms has shape {tuple(norms.shape)}: it must be (n_rows,), not empty, and all of it finite")
    if not spread >= 0:
        raise ValueError(f"spread={spread} must be at least 0")
    lengths = numbers(norms).astype(np.float64)
    counts, edges = np.histogram(lengths, bins=min(MOST, max(1, math.ceil(math.sqrt(len(lengths))))))
    low, high = min(float(edges[0]), expected - spread), max(float(edges[-1]), expected + spread)
    room, top = 0.04 * (high - low), 1.08 * int(counts.max())
    layout = base_layout(
        theme,
        height=height,
        title=title,
        bargap=0.04,
        xaxis=axis(theme, x_title, range=[low - room, high + room], fixedrange=True, nticks=7, showgrid=False),
        yaxis=axis(theme, y_title, range=[0, top], fixedrange=True, nticks=5, tickformat=",d"),
        showlegend=True,
        legend=legend(theme, height=height, title=title, above=BUTTONS),
    )
    layout["margin"] |= {"t": 44 + BUTTONS + (36 if title else 0)}
    columns: Spec = {
        "type": "bar",
        "name": plain(names[0]),
        "x": ((edges[:-1] + edges[1:]) / 2).tolist(),
        "y": counts.tolist(),
        "width": np.diff(edges).tolist(),
        "marker": {"color": TOKEN[theme]},
        "customdata": list(map(list, pairwise(edges.tolist()))),
        "hovertemplate": hover(hover_text, low="%{customdata[0]:.4~g}", high="%{customdata[1]:.4~g}", count="%{y:,}"),
    }
    upright: Spec = scatter(
        "lines",
        [expected, expected],
        [0, top],
        name=plain(names[1]),
        line={"color": POSITION[theme], "width": 4, "dash": "dash"},
        hoverinfo="skip",
    )
    ground = [_ground(expected - spread, expected + spread, top, names[2], theme)] if spread else []
    return make_figure([*ground, columns, upright], layout)


def _ground(low: float, high: float, top: float, name: str, theme: Theme) -> Spec:
    """The lengths within one spread: a tint with edges, which shows in the dark too."""
    return scatter(
        "lines",
        [low, low, high, high],
        [0, top, top, 0],
        name=plain(name),
        fill="toself",
        fillcolor=tint(POSITION[theme], 0.22),
        line={"color": POSITION[theme], "width": 1},
        hoverinfo="skip",
    )


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
    ranges = [(float(lengths.min()), float(lengths.max())) if lengths.numel() else (0.0, 0.0) for lengths in norms]
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
        yaxis=rows_axis(count),
        showlegend=True,
        legend=legend(theme, height=height, title=title, above=BUTTONS),
        annotations=row_names(names, theme, chosen=chosen, rise=0.2, paper="x"),
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
    words = [
        [plain(name), float(low), float(high), float(law)]
        for name, (low, high), law in zip(names, ranges, expected, strict=True)
    ]
    numbers = {name: f"%{{customdata[{at}]:.4~g}}" for at, name in enumerate(("low", "high", "expected"), 1)}
    return scatter(
        "lines+markers",
        [value for low, high in ranges for value in (low, high, None)],
        [place for index in range(len(ranges)) for place in (index + 0.2, index + 0.2, None)],
        name=plain(title),
        customdata=[row for row in words for _ in range(3)],
        line={"color": TOKEN[theme], "width": 10},
        marker={"color": TOKEN[theme], "size": 10, "symbol": "circle"},
        hovertemplate=hover(hover_text, name="%{customdata[0]}", **numbers),
    )


def _expected(expected: Sequence[float], title: str, theme: Theme) -> Spec:
    line = {"color": GROUND[theme], "width": 2}
    marker = {"color": POSITION[theme], "size": 15, "symbol": "diamond", "line": line}
    places = [index + 0.2 for index in range(len(expected))]
    return scatter("markers", list(expected), places, name=plain(title), marker=marker, hoverinfo="skip")


def length_bands_figure(
    ranks: Tensor,
    quantiles: Tensor,
    *,
    points: Sequence[tuple[float, float, str]],
    marked: Sequence[tuple[float, float, str]],
    names: tuple[str, str, str, str],
    x_title: str,
    y_title: str,
    theme: Theme,
    hover_text: str = "{token}\nrank {rank}: {length}",
    width: int = 660,
    height: int = 420,
    title: str = "",
) -> go.Figure:
    """Draw the lengths of rows over the rank of their tokens: a band, its middle, and single tokens.

    Args:
        ranks: (n_bins,) rising, at least 1.
        quantiles: (3, n_bins): the foot of the band, its middle and its head.
        points: rank, length and label of tokens that have no name but under the pointer.
        marked: likewise of tokens whose names are written, the first where they would touch.
        names: in the legend, of band, middle, points and marked tokens.
        x_title: what a rank is.
        y_title: what a length is.
        theme: "light" or "dark".
        hover_text: what a point says, with {token}, {rank} and {length}.
        width: in CSS pixels, that the plot has at least: names must not touch there.
        height: in CSS pixels.
        title: a heading inside the figure.

    Returns:
        A figure with a trace for each of the names that has something to show; x is logarithmic.

    Raises:
        ValueError: quantiles that do not fit the ranks, or a rank below 1.
    """
    if ranks.ndim != 1 or quantiles.shape != (3, len(ranks)) or not len(ranks):
        raise ValueError(f"quantiles has shape {tuple(quantiles.shape)}: it must be (3, {len(ranks)}), not empty")
    if float(ranks.min()) < 1 or any(rank < 1 for rank, _, _ in [*points, *marked]):
        raise ValueError("ranks must be at least 1")
    x, (low, middle, high) = numbers(ranks), numbers(quantiles)
    lengths = [length for _, length, _ in [*points, *marked]]
    top, last = 1.08 * max(float(high.max()), *lengths, 0.0) or 1.0, math.log10(max(float(x[-1]), 10.0))
    head = 44 + BUTTONS + (36 if title else 0)
    layout = base_layout(
        theme,
        height=height,
        title=title,
        xaxis=axis(theme, x_title, type="log", range=[-0.06, last + 0.06], tickformat=",d", fixedrange=True)
        | {"dtick": 1},
        yaxis=axis(theme, y_title, range=[0, top], nticks=6, fixedrange=True),
        showlegend=True,
        legend=legend(theme, height=height, title=title, above=BUTTONS),
        annotations=[],
    )
    layout["margin"] |= {"t": head}
    band = scatter(
        "lines",
        np.concatenate([x, x[::-1]]),
        np.concatenate([low, high[::-1]]),
        name=plain(names[0]),
        fill="toself",
        fillcolor=tint(TOKEN[theme], 0.2),
        line={"width": 0},
        hoverinfo="skip",
    )
    line = scatter("lines", x, middle, name=plain(names[1]), line={"color": TOKEN[theme], "width": 3}, hoverinfo="skip")
    mark = {"size": 11, "color": POSITION[theme], "line": {"color": GROUND[theme], "width": 1.5}, "symbol": "diamond"}
    looks = ((points, names[2], {"size": 5, "color": MUTED[theme]}), (marked, names[3], mark))
    traces = [_tokens(tokens, name, look, hover_text) for tokens, name, look in looks if tokens]
    places = [(width * math.log10(rank) / last, (height - head - 60) * length / top) for rank, length, _ in marked]
    for index in apart(places, [label for *_, label in marked]):
        rank, length, label = marked[index]
        layout["annotations"].append(
            note(bold(shorten(label)), math.log10(rank), length, INK[theme], "center bottom", over=theme, yshift=7)
        )
    return make_figure([band, line, *traces], layout)


def _tokens(tokens: Sequence[tuple[float, float, str]], name: str, marker: Spec, hover_text: str) -> Spec:
    """Single tokens by rank and length."""
    return scatter(
        "markers",
        np.array([rank for rank, _, _ in tokens], dtype=np.float32),
        np.array([length for _, length, _ in tokens], dtype=np.float32),
        name=plain(name),
        marker=marker,
        hovertext=[plain(shorten(label, 40)) for _, _, label in tokens],
        hovertemplate=hover(hover_text, token="%{hovertext}", rank="%{x:,d}", length="%{y:.4f}"),
        cliponaxis=False,
    )
