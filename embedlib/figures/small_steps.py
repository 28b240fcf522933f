"""Small charts of one share each over the steps of a training, all on the same axes, each with its name above."""

from collections.abc import Sequence

import plotly.graph_objects as go

from embedlib.figures.colours import GRID, INK, TOKEN, Theme
from embedlib.figures.grid import Grid, number
from embedlib.figures.layout import BUTTONS, TITLE, Spec, axis, base_layout, halo, make_figure
from embedlib.figures.over_steps import StepLine
from embedlib.figures.step_axis import step_axis, step_line, step_place
from embedlib.figures.text import hover, plain

CELL = 92  # px
BELOW = 34  # px under each for the ticks


def small_steps_figure(
    lines: Sequence[StepLine],
    *,
    names: Sequence[str],
    last: int,
    theme: Theme,
    shown: int | None = None,
    columns: int = 2,
    hover_text: str = "{name}\n{x}: {y}",
    title: str = "",
) -> go.Figure:
    """Draw shares from 0 to 1 over steps, one chart for each.

    Args:
        lines: at least one.
        names: what stands over each.
        last: the last step of the whole training.
        theme: "light" or "dark".
        shown: the step that is marked; its share stands in each chart, which is low where a training begins.
        columns: charts in a row.
        hover_text: what a point says, with {name}, {x} and {y}.
        title: a heading inside the figure.

    Returns:
        A figure with a trace per line, and after them one per line that has the marked step.

    Raises:
        ValueError: no lines, one whose values do not fit its steps, or other than one name for each.
    """
    if not lines or len(names) != len(lines):
        raise ValueError(f"lines={len(lines)} of them, names={len(names)}: give at least one, and a name for each")
    if any(not line.steps or len(line.steps) != len(line.values) for line in lines):
        raise ValueError("a line must have at least one step, and a value for each")
    grid = Grid(len(lines), columns=columns, cell=CELL, gap=0.09, below=BELOW)
    head = 48 if title else BUTTONS
    layout = base_layout(theme, height=grid.height + head, title=title, shapes=[])
    layout["margin"] |= {"t": head, "r": 18}
    layout["annotations"] = [grid.name(index, name, INK[theme]) for index, name in enumerate(names)]
    traces: list[Spec] = []
    dots: list[Spec] = []
    for index, line in enumerate(lines):
        mark = number(index)
        layout |= _axes(grid, index, last, theme)
        traces.append(_line(line, mark, theme, hover_text))
        if shown is not None:
            layout["shapes"].append(step_line(shown, theme, mark))
            if (value := line.at(shown)) is not None:
                layout["annotations"].append(_share(grid, index, value, theme))
                dots.append(_dot(shown, value, mark, theme))
    return make_figure([*traces, *dots], layout)


def _share(grid: Grid, index: int, value: float, theme: Theme) -> Spec:
    """Write a share large into the upper left of a chart."""
    (left, _), (_, top) = grid.span(index)
    return {
        "xref": "paper",
        "yref": "paper",
        "x": left,
        "y": top,
        "xanchor": "left",
        "yanchor": "top",
        "xshift": 8,
        "text": f"<b>{value:.0%}</b>",
        "font": {"size": TITLE, "color": TOKEN[theme], "shadow": halo(theme)},
        "showarrow": False,
    }


def _axes(grid: Grid, index: int, last: int, theme: Theme) -> Spec:
    across, up = grid.span(index)
    mark = number(index)
    x = step_axis(theme, "", last=last, domain=across, anchor=f"y{mark}", showgrid=False)
    y = axis(
        theme, "", domain=up, anchor=f"x{mark}", range=[-0.03, 1.05], tickformat=".0%", tickvals=[0, 1], fixedrange=True
    ) | {"showticklabels": index % grid.columns == 0}
    return {f"xaxis{mark}": x | _few_ticks(x), f"yaxis{mark}": y}


def _few_ticks(x: Spec) -> Spec:
    """Name only powers of ten where there is room for few."""
    kept = [
        (place, text)
        for place, text in zip(x["tickvals"], x["ticktext"], strict=True)
        if not text.startswith("3") or text == x["ticktext"][-1]
    ]
    return {"tickvals": [place for place, _ in kept], "ticktext": [text for _, text in kept]}


def _line(line: StepLine, mark: str, theme: Theme, hover_text: str) -> Spec:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": plain(line.name),
        "x": [step_place(step) for step in line.steps],
        "y": list(line.values),
        "customdata": list(line.steps),
        "xaxis": f"x{mark}",
        "yaxis": f"y{mark}",
        "fill": "tozeroy",
        "fillcolor": GRID[theme],
        "line": {"color": TOKEN[theme], "width": 3},
        "hovertemplate": hover(hover_text, name=plain(line.name), x="%{customdata:,d}", y="%{y:.0%}"),
    }


def _dot(step: int, value: float, mark: str, theme: Theme) -> Spec:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [step_place(step)],
        "y": [value],
        "xaxis": f"x{mark}",
        "yaxis": f"y{mark}",
        "marker": {"size": 11, "color": TOKEN[theme], "line": {"color": INK[theme], "width": 2}},
        "hoverinfo": "skip",
        "cliponaxis": False,
    }
