"""What part of each model its embedding matrix is: one lying bar of three parts for each model."""

import math
from collections.abc import Sequence

import plotly.graph_objects as go

from embedlib.figures.arrays import check_chosen, check_labels
from embedlib.figures.colours import GROUND, INK, MUTED, POSITION, RULE, TOKEN, Theme
from embedlib.figures.layout import TEXT, Spec, axis, base_layout, legend, make_figure
from embedlib.figures.text import hover, plain

ROW = 50  # px: a line for the name, one for the bar
FOOT = 56  # px for the axis below


def model_shares_figure(
    parts: Sequence[tuple[float, float, float]],
    *,
    names: Sequence[str],
    said: Sequence[str],
    part_names: tuple[str, str, str],
    x_title: str,
    theme: Theme,
    chosen: int | None = None,
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
        chosen: the model whose name is underlined.
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
    check_chosen(chosen, len(parts))
    count, head = len(parts), 72 + (36 if title else 0)
    height = count * ROW + FOOT + head
    layout = base_layout(
        theme,
        height=height,
        title=title,
        barmode="stack",
        xaxis=axis(theme, x_title, range=[0, 1], tickformat=".0%", dtick=0.2, fixedrange=True),
        yaxis={"visible": False, "range": [count - 0.5, -0.5], "fixedrange": True},
        annotations=[_words(index, names[index], said[index], theme, marked=index == chosen) for index in range(count)],
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
    colour, pattern = look
    return {
        "type": "bar",
        "orientation": "h",
        "name": plain(part),
        "x": list(shares),
        "y": [index + 0.2 for index in range(len(shares))],
        "width": 0.36,
        "customdata": list(range(len(shares))),
        "hovertext": [plain(name) for name in names],
        "hovertemplate": hover(hover_text, name="%{hovertext}", part=plain(part), value="%{x:.1%}"),
        "marker": {
            "color": colour,
            "pattern": {"shape": pattern, "fillmode": "overlay", "fgcolor": GROUND[theme], "size": 7, "solidity": 0.3},
            "line": {"width": 0},
        },
    }


def _words(index: int, name: str, said: str, theme: Theme, *, marked: bool) -> Spec:
    """The name above the bar, and its numbers behind it."""
    shown = f"<b>{plain(name)}</b>"
    shown = f"<u>{shown}</u>" if marked else shown
    return {
        "x": 0,
        "xanchor": "left",
        "y": index - 0.22,
        "yanchor": "middle",
        "text": f"{shown}  <span style='color:{MUTED[theme]}'>{plain(said)}</span>",
        "showarrow": False,
        "font": {"size": TEXT, "color": INK[theme]},
    }
