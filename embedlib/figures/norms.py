"""Lengths of rows: of tokens, positions and sums, of a whole table, and by frequency."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Unpack

import numpy as np
import plotly.graph_objects as go
from torch import Tensor

from embedlib.colours import GROUND, INK, MUTED, POSITION, SUM, TOKEN, tint
from embedlib.figures.labels import non_overlapping
from embedlib.figures.layout import (
    COLUMN_SHARE,
    AxesOptions,
    Frame,
    Spec,
    axis,
    check_labels,
    indices,
    make_figure,
    numbers,
    token_ticks,
)
from embedlib.figures.marks import note, scatter
from embedlib.figures.text import bold, hover, plain, shorten, wrap_lines


def norms_figure(
    token_norms: Tensor,
    position_norms: Tensor | None,
    sum_norms: Tensor | None,
    *,
    labels: Sequence[str],
    names: tuple[str, str, str],
    hover_text: str = "{token}\n{name}: {norm}",
    remark: tuple[int, str] | None = None,
    **options: Unpack[AxesOptions],
) -> go.Figure:
    """Draw the Euclidean lengths of token rows, position rows and input rows, token by token.

    Each is (n_tokens,), the last two None for a scheme that adds nothing. A trace for each, customdata the position:
    bars for tokens, a line for positions, diamonds for sums; above 150 tokens all three are lines. `remark` is a
    position and the text beside its row.
    """
    parts = [(index, part) for index, part in enumerate((token_norms, position_norms, sum_norms)) if part is not None]
    for _, part in parts:
        if part.ndim != 1 or part.shape != token_norms.shape or not len(part):
            raise ValueError(f"norms have shape {tuple(part.shape)}: each part must be (n_tokens,), and not empty")
    frame, count = Frame(**options), len(token_norms)
    check_labels(labels, count)
    theme, height = frame.theme, frame.height or 420
    highest = max(float(part.detach().max()) for _, part in parts) or 1.0
    rim = {"color": GROUND[theme], "width": 1.5}
    token, position, total = (colours[theme] for colours in (TOKEN, POSITION, SUM))
    bars: Spec = {"type": "bar", "marker": {"color": token}}
    line: Spec = {"type": "scatter", "mode": "lines+markers", "line": {"color": position, "width": 3}}
    line["marker"] = {"color": position, "size": 8, "symbol": "circle", "line": rim}
    diamonds: Spec = {"type": "scatter", "mode": "markers"}
    diamonds["marker"] = {"color": total, "size": 12, "symbol": "diamond", "line": rim}
    looks = [bars, line, diamonds]
    if count > 150:  # columns and marks are no longer apart
        looks = [
            {"type": "scatter", "mode": "lines", "line": {"color": colour, "width": width}}
            for colour, width in ((token, 1.25), (position, 3), (total, 1.25))
        ]
    hovertext = [plain(shorten(label, 40)) for label in labels]
    fields = {"token": "%{hovertext}", "position": "%{customdata}", "norm": "%{y:.4f}"}
    traces = [
        {
            "name": plain(names[index]),
            "x": indices(count),
            "y": numbers(part),
            "customdata": indices(count),
            "hovertext": hovertext,
            "hovertemplate": hover(hover_text, name=plain(names[index]), **fields),
            "unselected": {"marker": {"opacity": 1}},
        }
        | looks[index]
        for index, part in parts
    ]
    ticks = token_ticks(labels, room=COLUMN_SHARE)
    layout = frame.layout(
        height,
        xaxis=axis(theme, frame.x_title, range=[-0.6, count - 0.4], showgrid=False) | ticks,
        yaxis=axis(theme, frame.y_title, range=[0, 1.08 * highest], nticks=6, fixedrange=True),
        showlegend=len(parts) > 1,
        legend=frame.legend(height),
        bargap=0.25,
    )
    if remark is not None and position_norms is not None:
        place, words = remark
        side = "left" if place < count / 2 else "right"
        shift = 14 if side == "left" else -14
        ink = position
        y = float(position_norms[place])
        layout["annotations"] = [
            note(wrap_lines(words), place, y, ink, f"{side} middle", over=theme, xshift=shift, align=side)
        ]
    return make_figure(traces, layout)


def norms_alt(token_norms: Tensor, position_norms: Tensor | None, sum_norms: Tensor | None) -> dict[str, float]:
    """Summarise norms for an alt text: tokens, the three means, ratio = mean position / mean token."""
    token, position, total = (
        0.0 if part is None else float(part.detach().float().mean())
        for part in (token_norms, position_norms, sum_norms)
    )
    ratio = position / token if token else 0.0
    return {"tokens": len(token_norms), "token": token, "position": position, "sum": total, "ratio": ratio}


def norm_histogram_figure(
    norms: Tensor,
    *,
    expected: float,
    spread: float,
    names: tuple[str, str, str],
    hover_text: str = "{low} to {high}\n{count}",
    **options: Unpack[AxesOptions],
) -> go.Figure:
    """Draw a histogram of row lengths, a vertical line at the expected length, and a band of one standard deviation.

    Args:
        norms: (n_rows,) finite lengths, at least 1 of them; about √n_rows bins, at most 60.
        spread: standard deviation of the expected length from row to row; 0 leaves out the band.
        names: of the bins, of the vertical line, and of the band.
    """
    if norms.ndim != 1 or not len(norms) or not bool(norms.isfinite().all()):
        raise ValueError(f"norms has shape {tuple(norms.shape)}: it must be (n_rows,), not empty, and all of it finite")
    if not spread >= 0:
        raise ValueError(f"spread={spread} must be at least 0")
    frame, lengths = Frame(**options), numbers(norms).astype(np.float64)
    theme, height = frame.theme, frame.height or 340
    # At most 60 columns: a phone has no points for more.
    counts, edges = np.histogram(lengths, bins=min(60, math.ceil(math.sqrt(len(lengths)))))
    left, right = expected - spread, expected + spread
    low, high = min(float(edges[0]), left), max(float(edges[-1]), right)
    room, top = 0.04 * (high - low), 1.08 * int(counts.max())
    layout = frame.layout(
        height,
        top=44,
        bargap=0.04,
        xaxis=axis(theme, frame.x_title, range=[low - room, high + room], fixedrange=True, nticks=7, showgrid=False),
        yaxis=axis(theme, frame.y_title, range=[0, top], fixedrange=True, nticks=5, tickformat=",d"),
        showlegend=True,
        legend=frame.legend(height),
    )
    around = scatter(
        "lines",
        [left, left, right, right],
        [0, top, top, 0],
        name=plain(names[2]),
        fill="toself",
        fillcolor=tint(POSITION[theme], 0.22),
        line={"color": POSITION[theme], "width": 1},  # edges, which show in the dark too
        hoverinfo="skip",
    )
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
    dashed = {"color": POSITION[theme], "width": 4, "dash": "dash"}
    upright = scatter("lines", [expected] * 2, [0, top], name=plain(names[1]), line=dashed, hoverinfo="skip")
    return make_figure([*([around] if spread else []), columns, upright], layout)


def length_bands_figure(
    ranks: Tensor,
    quantiles: Tensor,
    *,
    points: Sequence[tuple[float, float, str]],
    marked: Sequence[tuple[float, float, str]],
    names: tuple[str, str, str, str],
    hover_text: str = "{token}\nrank {rank}: {length}",
    width: int = 660,
    **options: Unpack[AxesOptions],
) -> go.Figure:
    """Draw the lengths of rows over the rank of their tokens (logarithmic): a band, its middle, and single tokens.

    Args:
        ranks: (n_bins,) rising, at least 1.
        quantiles: (3, n_bins): lower edge of the band, middle, upper edge.
        points: rank, length and label of tokens named under the pointer only.
        marked: the same for tokens whose names are written, the first where they would touch.
        names: in the legend, of band, middle, points and marked tokens.
        width: least px of the plot, for which names must not touch.
    """
    if ranks.ndim != 1 or quantiles.shape != (3, len(ranks)) or not len(ranks):
        raise ValueError(f"quantiles has shape {tuple(quantiles.shape)}: it must be (3, {len(ranks)}), not empty")
    if float(ranks.min()) < 1 or any(rank < 1 for rank, _, _ in [*points, *marked]):
        raise ValueError("ranks must be at least 1")
    frame, x, (low, middle, high) = Frame(**options), numbers(ranks), numbers(quantiles)
    theme, height, head = frame.theme, frame.height or 420, 44
    lengths = [length for _, length, _ in [*points, *marked]]
    top, last = 1.08 * max(float(high.max()), *lengths, 0.0) or 1.0, math.log10(max(float(x[-1]), 10.0))
    log = {"type": "log", "dtick": 1, "tickformat": ",d"}
    layout = frame.layout(
        height,
        top=head,
        xaxis=axis(theme, frame.x_title, range=[-0.06, last + 0.06], fixedrange=True) | log,
        yaxis=axis(theme, frame.y_title, range=[0, top], nticks=6, fixedrange=True),
        showlegend=True,
        legend=frame.legend(height),
    )
    across = [width * math.log10(rank) / last for rank, _, _ in marked]
    up = [(height - frame.top_margin(head) - 60) * length / top for _, length, _ in marked]
    free = non_overlapping(list(zip(across, up, strict=True)), [label for *_, label in marked])
    layout["annotations"] = [
        note(bold(shorten(label)), math.log10(rank), length, INK[theme], "center bottom", over=theme, yshift=7)
        for rank, length, label in (marked[index] for index in free)
    ]
    around = np.concatenate([x, x[::-1]]), np.concatenate([low, high[::-1]])
    area = {"fill": "toself", "fillcolor": tint(TOKEN[theme], 0.2), "line": {"width": 0}, "hoverinfo": "skip"}
    line = {"color": TOKEN[theme], "width": 3}
    traces = [
        scatter("lines", *around, name=plain(names[0]), **area),
        scatter("lines", x, middle, name=plain(names[1]), line=line, hoverinfo="skip"),
    ]
    mark = {"size": 11, "color": POSITION[theme], "line": {"color": GROUND[theme], "width": 1.5}, "symbol": "diamond"}
    looks = ((points, names[2], {"size": 5, "color": MUTED[theme]}), (marked, names[3], mark))
    traces += [
        scatter(
            "markers",
            np.array([rank for rank, _, _ in tokens], dtype=np.float32),
            np.array([length for _, length, _ in tokens], dtype=np.float32),
            name=plain(name),
            marker=marker,
            hovertext=[plain(shorten(label, 40)) for _, _, label in tokens],
            hovertemplate=hover(hover_text, token="%{hovertext}", rank="%{x:,d}", length="%{y:.4f}"),
            cliponaxis=False,
        )
        for tokens, name, marker in looks
        if tokens
    ]
    return make_figure(traces, layout)
