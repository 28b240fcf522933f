"""Scree plot: how much of the variance each principal axis explains, beside a share to compare it with."""

from collections.abc import Sequence
from typing import Unpack

import plotly.graph_objects as go

from embedlib.colours import MUTED, POSITION, RULE, TOKEN
from embedlib.figures.layout import AxesOptions, Frame, Spec, axis, make_figure
from embedlib.figures.marks import scatter
from embedlib.figures.text import hover, plain


def scree_figure(
    ratios: Sequence[float],
    *,
    level: float,
    shown: int,
    names: tuple[str, str, str],
    hover_text: str = "PC {number}: {share}\nup to here: {sum}",
    **options: Unpack[AxesOptions],
) -> go.Figure:
    """Draw a bar for each axis's share, a line for their running sum (right axis), and a level to compare with.

    Args:
        ratios: share of the variance along each principal axis, falling, each in [0, 1].
        shown: number of axes in the projection; their bars stand out.
    """
    if not ratios or any(not 0 <= ratio <= 1 for ratio in ratios):
        raise ValueError(f"ratios={list(ratios)[:5]} must hold at least one share, each in [0, 1]")
    frame = Frame(**options)
    theme, height = frame.theme, frame.height or 340
    numbers = list(range(1, len(ratios) + 1))
    sums = [min(1.0, sum(ratios[:number])) for number in numbers]
    bars: Spec = {
        "type": "bar",
        "name": plain(names[0]),
        "x": numbers,
        "y": list(ratios),
        "marker": {"color": [TOKEN[theme] if number <= shown else RULE[theme] for number in numbers]},
        "customdata": list(map(list, zip(ratios, sums, strict=True))),
        "hovertemplate": hover(hover_text, number="%{x}", share="%{customdata[0]:.2%}", sum="%{customdata[1]:.1%}"),
    }
    running: Spec = scatter(
        "lines+markers",
        numbers,
        sums,
        name=plain(names[1]),
        yaxis="y2",
        line={"color": POSITION[theme], "width": 2},
        marker={"size": 6, "color": POSITION[theme]},
        hoverinfo="skip",
    )
    compared: Spec = scatter(
        "lines",
        [0.5, len(ratios) + 0.5],
        [level] * 2,
        name=plain(names[2]),
        line={"color": MUTED[theme], "width": 2, "dash": "dash"},
        hoverinfo="skip",
    )
    top = 1.15 * max(*ratios, level) or 1.0
    layout = frame.layout(
        height,
        top=44,
        bargap=0.25,
        xaxis=axis(
            theme,
            frame.x_title,
            range=[0.4, len(ratios) + 0.6],
            fixedrange=True,
            showgrid=False,
            dtick=max(1, len(ratios) // 6),
        ),
        yaxis=axis(theme, frame.y_title, range=[0, top], tickformat=".2~%", fixedrange=True, nticks=5),
        yaxis2=axis(theme, names[1], range=[0, 1.05], tickformat=".0%", fixedrange=True, dtick=0.25)
        | {"overlaying": "y", "side": "right", "showgrid": False},
        showlegend=True,
        legend=frame.legend(height),
    )
    return make_figure([bars, running, compared], layout)
