"""The scree: how much of the variance each principal axis holds, beside a share to compare it with."""

from collections.abc import Sequence

import plotly.graph_objects as go

from embedlib.figures.colours import MUTED, POSITION, RULE, TOKEN, Theme
from embedlib.figures.layout import TEXT, Spec, axis, base_layout, legend, make_figure
from embedlib.figures.marks import scatter
from embedlib.figures.text import hover, plain

HEIGHT = 340


def scree_figure(
    ratios: Sequence[float],
    *,
    level: float,
    shown: int,
    names: tuple[str, str, str],
    x_title: str,
    y_title: str,
    theme: Theme,
    hover_text: str = "PC {number}: {share}\nup to here: {sum}",
    title: str = "",
) -> go.Figure:
    """Draw a bar for each axis's share, a line for their running sum, and a level to compare with.

    Args:
        ratios: share of the variance along each principal axis, falling, each in [0, 1].
        level: a share to compare them with, at least 0.
        shown: how many of the first axes are in the picture; their bars stand out.
        names: of the bars, of the running sum, and of the level.
        x_title: what is counted along x.
        y_title: what the bars' height is.
        theme: "light" or "dark".
        hover_text: what a bar says, with {number}, {share} and {sum}.
        title: a heading inside the figure.

    Returns:
        A figure with three traces: bars (left axis), running sum (right axis), level (left axis).

    Raises:
        ValueError: no ratios, or one outside [0, 1].
    """
    if not ratios or any(not 0 <= ratio <= 1 for ratio in ratios):
        raise ValueError(f"ratios={list(ratios)[:5]} must hold at least one share, each in [0, 1]")
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
    layout = base_layout(
        theme,
        height=HEIGHT,
        title=title,
        bargap=0.25,
        xaxis=axis(
            theme,
            x_title,
            range=[0.4, len(ratios) + 0.6],
            fixedrange=True,
            showgrid=False,
            dtick=max(1, len(ratios) // 6),
        ),
        yaxis=axis(theme, y_title, range=[0, top], tickformat=".2~%", fixedrange=True, nticks=5),
        yaxis2=axis(theme, names[1], range=[0, 1.05], tickformat=".0%", fixedrange=True, dtick=0.25)
        | {"overlaying": "y", "side": "right", "showgrid": False},
        showlegend=True,
        legend=legend(theme, height=HEIGHT, title=title) | {"font": {"size": TEXT}},
    )
    layout["margin"] |= {"t": 44 + (36 if title else 0)}
    return make_figure([bars, running, compared], layout)
