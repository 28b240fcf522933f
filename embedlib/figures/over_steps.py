"""Lines over the steps of a training, in one chart or a small one for each, with the step in view marked on all.

All charts share one axis of steps, on which the first hundred are wide enough to see what happens in them.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import plotly.graph_objects as go

from embedlib.figures.colours import GRID, INK, SERIES, TOKEN, Theme
from embedlib.figures.labels import end_names, label_width
from embedlib.figures.layout import BUTTONS, TICK, TITLE, Spec, axis, base_layout, make_figure
from embedlib.figures.lines import DASHES
from embedlib.figures.marks import dashed, level_name, note, scatter, upright
from embedlib.figures.panels import Grid, number
from embedlib.figures.text import bold, hover, plain

_APART = 0.11  # of the axis: two ticks nearer than this would cover each other on a phone


def step_place(step: float) -> float:
    """Return where a step lies on the axis: log10(1 + step), so that step 0 has a place too."""
    return math.log10(1 + step)


def step_ticks(last: int) -> list[int]:
    """Return the steps that are named on an axis from 0 to `last`: 0, 1, 3, 10, 30 and so on, and the last."""
    ticks = [0, *(factor * 10**power for power in range(len(str(last))) for factor in (1, 3))]
    room = _APART * step_place(last)
    return [*(tick for tick in ticks if step_place(last) - step_place(tick) >= room), last]


def step_axis(theme: Theme, title: str, *, last: int, **more: object) -> Spec:
    """Return the axis of x; `more` wins.

    Args:
        theme: "light" or "dark".
        title: what is counted.
        last: the last step of the whole training, at least 1: the axis stays as it is while steps are still to come.
        more: further entries of Plotly's axis.
    """
    ticks = step_ticks(last)
    end = step_place(last)
    return axis(
        theme,
        title,
        range=[-0.012 * end, 1.012 * end],
        tickmode="array",
        tickvals=[step_place(tick) for tick in ticks],
        ticktext=[f"{tick:,}" for tick in ticks],
        fixedrange=True,
    ) | dict(more)


def mark_step(layout: Spec, step: int, name: str, *, last: int, theme: Theme) -> None:
    """Draw an upright through a step and write over the plot what it is; needs 24 px of room above."""
    share = step_place(step) / step_place(last)
    side = "left" if share < 0.15 else "right" if share > 0.85 else "center"
    words = note(bold(name), step_place(step), 1, INK[theme], f"{side} bottom", paper="y", size=TICK, over=theme)
    layout["shapes"].append(step_line(step, theme))
    layout["annotations"].append(words)


def step_line(step: int, theme: Theme, mark: str | None = None) -> Spec:
    """Return the upright through a step; `mark` numbers the axes in a figure of several, None where there is one."""
    axes = {} if mark is None else {"xref": f"x{mark}", "yref": f"y{mark} domain"}
    return upright(step_place(step), theme, **axes)


def thinned(steps: Sequence[int], values: Sequence[float], *, last: int, most: int) -> tuple[list[int], list[float]]:
    """Return at most so many points, evenly along the axis: each the mean of the values in its stretch.

    Args:
        steps: rising.
        values: one per step.
        last: of the axis.
        most: how many stretches the axis is cut into.

    Returns:
        For each stretch that has values its middle step, and their mean; where a stretch has one, that one.
    """
    stretches: dict[int, list[int]] = {}
    for index, step in enumerate(steps):
        stretches.setdefault(int(most * step_place(step) / step_place(last)), []).append(index)
    groups = list(stretches.values())
    return (
        [steps[group[len(group) // 2]] for group in groups],
        [math.fsum(values[index] for index in group) / len(group) for group in groups],
    )


Scale = Literal["share", "place", "number"]


def height_of(value: float, scale: Scale, near: int) -> float:
    """Return where a value lies on the axis of y."""
    return math.log10(value + near - 1) - math.log10(near) if scale == "place" else float(value)


def reach_of(
    heights: Sequence[Sequence[float]], scale: Scale, levels: Sequence[tuple[float, str]], lowest_place: float
) -> tuple[float, float]:
    """Return the range of y from bottom to top, in the axis' own unit."""
    if scale == "share":
        return -0.02, 1.03
    if scale == "place":
        return 1.05 * (lowest_place or 1.0), -0.06 * (lowest_place or 1.0)
    values = [height for line in heights for height in line if math.isfinite(height)]
    values += [0.0, *(value for value, _ in levels)]  # with 0, the scale stays while values fall
    low, high = min(values), max(values)
    room = 0.08 * (high - low) or 0.5
    return low - (room if low < 0 else 0), high + 1.8 * room  # above, a level is named


def ticks_of(scale: Scale, most: int, near: int) -> Spec:
    """Return the axis' ticks: powers of ten and the last, for places."""
    if scale == "share":
        return {"tickformat": ".0%", "dtick": 0.25}
    if scale == "number":
        return {"nticks": 6}
    ticks = [10**power for power in range(len(str(most)))]
    if most >= 1.7 * ticks[-1]:
        ticks.append(most)
    return {
        "tickmode": "array",
        "tickvals": [height_of(tick, scale, near) for tick in ticks],
        "ticktext": [f"{tick:,}" for tick in ticks],
    }


LABEL = 13  # characters of a name beside its line


@dataclass(frozen=True, slots=True)
class StepLine:
    """One line.

    Attributes:
        name: what it is.
        steps: rising, at least one.
        values: one per step.
        named: whether its name stands beside its end, in its colour.
    """

    name: str
    steps: Sequence[int]
    values: Sequence[float]
    named: bool = True

    def at(self, step: int) -> float | None:
        """Return the value at a step; None where there is none."""
        steps = list(self.steps)
        return float(self.values[steps.index(step)]) if step in steps else None


def over_steps_figure(
    lines: Sequence[StepLine],
    *,
    last: int,
    scale: Scale,
    x_title: str,
    y_title: str,
    theme: Theme,
    shown: tuple[int, str] | None = None,
    levels: Sequence[tuple[float, str]] = (),
    most: int = 1,
    near: int = 1,
    hover_text: str = "{name}\n{x}: {y}",
    height: int = 320,
    title: str = "",
) -> go.Figure:
    """Draw lines over steps.

    Args:
        lines: one to six.
        last: the last step of the whole training, to which the axis goes from the beginning.
        scale: of y: "share" from 0 to 1 in percent; "place" from `most` up to 1, on a scale as good as logarithmic;
            "number" from 0 as far as the values go.
        x_title: what is counted along x.
        y_title: what the values are.
        theme: "light" or "dark".
        shown: the step that is marked, and what to call it.
        levels: dashed heights and what to call them.
        most: the last place there is, for "place".
        near: for "place": the first places share as much of the height as the first one would alone, where it does
            not matter which of them it is.
        hover_text: what a point says, with {name}, {x} and {y}.
        height: in CSS pixels.
        title: a heading inside the figure.

    Returns:
        A figure with one trace per line, x on the axis of `step_axis`, customdata [step, value]; one trace of dots at
        the marked step where lines have it.

    Raises:
        ValueError: no lines or more than can be told apart, or one whose values do not fit its steps.
    """
    if not 1 <= len(lines) <= len(DASHES):
        raise ValueError(f"lines={len(lines)} of them: there must be 1 to {len(DASHES)}, which can be told apart")
    if any(not line.steps or len(line.steps) != len(line.values) for line in lines):
        raise ValueError("a line must have at least one step, and a value for each")
    heights = [[height_of(value, scale, near) for value in line.values] for line in lines]
    low, high = reach_of(heights, scale, levels, height_of(most, scale, near))
    layout = base_layout(
        theme,
        height=height,
        title=title,
        xaxis=step_axis(theme, x_title, last=last),
        yaxis=axis(theme, y_title, range=[low, high], fixedrange=True, zeroline=False) | ticks_of(scale, most, near),
        annotations=[],
        shapes=[],
    )
    free = any(line.named for line in lines)  # Plotly's buttons lie over the names' margin, clear of the marked step
    layout["margin"] |= {
        "t": 30 + (40 if title else 0 if free else BUTTONS - 6),
        "r": 20 + label_width([line.name for line in lines if line.named], LABEL),
    }
    for value, name in levels:
        # Its name is at the end from which the lines come, unless they come from it.
        beside = abs(height_of(value, scale, near) - heights[0][0]) < 0.2 * abs(high - low)
        layout["shapes"].append(dashed(value, theme, layer="below"))
        layout["annotations"].append(level_name(name, value, theme, at_end=beside))
    if shown is not None:
        mark_step(layout, *shown, last=last, theme=theme)
    layout["annotations"] += _names(lines, heights, (low, high), theme, height)
    traces = [_line(line, heights[index], index, scale, theme, hover_text) for index, line in enumerate(lines)]
    if shown is not None:
        traces += _dots(lines, heights, shown[0], theme)
    return make_figure(traces, layout)


def _line(line: StepLine, heights: Sequence[float], index: int, scale: Scale, theme: Theme, hover_text: str) -> Spec:
    value = {"share": ":.0%", "place": ":,d", "number": ":.4g"}[scale]
    return scatter(
        "lines",
        [step_place(step) for step in line.steps],
        list(heights),
        name=plain(line.name),
        customdata=list(zip(line.steps, line.values, strict=True)),
        line={"color": SERIES[theme][index], "width": 3.0, "dash": DASHES[index]},
        hovertemplate=hover(hover_text, name=plain(line.name), x="%{customdata[0]:,d}", y=f"%{{customdata[1]{value}}}"),
    )


def _dots(lines: Sequence[StepLine], heights: Sequence[Sequence[float]], step: int, theme: Theme) -> list[Spec]:
    """The marked step on every line that has it."""
    met = [
        (index, heights[index][list(line.steps).index(step)]) for index, line in enumerate(lines) if step in line.steps
    ]
    if not met:
        return []
    colours = [SERIES[theme][index] for index, _ in met]
    marker = {"size": 13, "color": colours, "line": {"color": INK[theme], "width": 2}}
    places = [step_place(step)] * len(met), [height for _, height in met]
    return [scatter("markers", *places, marker=marker, hoverinfo="skip", cliponaxis=False)]


def _names(
    lines: Sequence[StepLine],
    heights: Sequence[Sequence[float]],
    reach: tuple[float, float],
    theme: Theme,
    height: int,
) -> list[Spec]:
    low, high = reach
    ends = [
        (line.name, SERIES[theme][index], step_place(line.steps[-1]), (heights[index][-1] - low) / (high - low))
        for index, line in enumerate(lines)
        if line.named and math.isfinite(heights[index][-1])
    ]
    return end_names(ends, longest=LABEL, height=height, paper="y", over=theme, xshift=10)


CELL = 92  # px
BELOW = 34  # px under each for the ticks


def small_steps_figure(
    lines: Sequence[StepLine],
    *,
    names: Sequence[str],
    last: int,
    theme: Theme,
    shown: int | None = None,
    hover_text: str = "{name}\n{x}: {y}",
    share_text: Callable[[float], str] = "{:.0%}".format,
    title: str = "",
) -> go.Figure:
    """Draw shares from 0 to 1 over steps, one chart for each.

    Args:
        lines: at least one.
        names: what stands over each.
        last: the last step of the whole training.
        theme: "light" or "dark".
        shown: the step that is marked; its share stands in each chart, which is low where a training begins.
        hover_text: what a point says, with {name}, {x} and {y}.
        share_text: writes the share of the marked step.
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
    grid = Grid(len(lines), columns=2, cell=CELL, gap=0.09, below=BELOW)
    head = 48 if title else BUTTONS
    layout = base_layout(theme, height=grid.height + head, title=title, shapes=[])
    layout["margin"] |= {"t": head, "r": 18}
    layout["annotations"] = [grid.name(index, name, INK[theme]) for index, name in enumerate(names)]
    traces: list[Spec] = []
    dots: list[Spec] = []
    for index, line in enumerate(lines):
        mark = number(index)
        layout |= _axes(grid, index, last, theme)
        traces.append(_small_line(line, mark, theme, hover_text))
        if shown is not None:
            layout["shapes"].append(step_line(shown, theme, mark))
            if (value := line.at(shown)) is not None:
                layout["annotations"].append(_share(grid, index, share_text(value), theme))
                dots.append(_dot(shown, value, mark, theme))
    return make_figure([*traces, *dots], layout)


def _share(grid: Grid, index: int, share: str, theme: Theme) -> Spec:
    """Write a share large into the upper left of a chart."""
    (left, _), (_, top) = grid.span(index)
    return note(bold(share), left, top, TOKEN[theme], "left top", paper="xy", size=TITLE, over=theme, xshift=8)


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


def _small_line(line: StepLine, mark: str, theme: Theme, hover_text: str) -> Spec:
    return scatter(
        "lines",
        [step_place(step) for step in line.steps],
        list(line.values),
        name=plain(line.name),
        customdata=list(line.steps),
        xaxis=f"x{mark}",
        yaxis=f"y{mark}",
        fill="tozeroy",
        fillcolor=GRID[theme],
        line={"color": TOKEN[theme], "width": 3},
        hovertemplate=hover(hover_text, name=plain(line.name), x="%{customdata:,d}", y="%{y:.0%}"),
    )


def _dot(step: int, value: float, mark: str, theme: Theme) -> Spec:
    return scatter(
        "markers",
        [step_place(step)],
        [value],
        xaxis=f"x{mark}",
        yaxis=f"y{mark}",
        marker={"size": 11, "color": TOKEN[theme], "line": {"color": INK[theme], "width": 2}},
        hoverinfo="skip",
        cliponaxis=False,
    )
