"""Lines over the steps of a training, in one chart or a small one for each, with the step in view marked on all.

All charts share one axis of steps, on which the first hundred take more room than later ones.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Unpack

import numpy as np
import plotly.graph_objects as go

from embedlib.colours import GRID, INK, SERIES, TOKEN, Theme
from embedlib.figures.charts import DASHES, LineChart, dots, value_range
from embedlib.figures.labels import end_names, label_width
from embedlib.figures.layout import TITLE, AxesOptions, Frame, FrameOptions, Spec, axis, make_figure
from embedlib.figures.marks import Grid, note, number, scatter, vertical_line
from embedlib.figures.text import bold, hover, plain

Scale = Literal["share", "place", "number"]
_FORMATS: dict[Scale, str] = {"share": ":.0%", "place": ":,d", "number": ":.4g"}


@dataclass(frozen=True, slots=True)
class StepLine:
    """A line over the steps of a training: its name, rising steps, and a value for each.

    `named` says whether the name stands beside the line's end, in its colour.
    """

    name: str
    steps: Sequence[int]
    values: Sequence[float]
    named: bool = True

    def __post_init__(self) -> None:
        if not self.steps or len(self.steps) != len(self.values):
            raise ValueError("a line must have at least one step, and a value for each")

    def at(self, step: int) -> float | None:
        """Return the value at a step; None where there is none."""
        return dict(zip(self.steps, map(float, self.values), strict=True)).get(step)


def step_coordinate(step: float) -> float:
    """Return the coordinate of a step on the axis, log10(1 + step), which is defined for step 0 too."""
    return math.log10(1 + step)


def step_axis(theme: Theme, title: str, *, last: int, factors: Sequence[int] = (1, 3), **more: object) -> Spec:
    """Return the axis of steps 0 to `last`, with ticks at 0, 1, 3, 10, 30 … and the last; `more` overrides entries."""
    end = step_coordinate(last)
    ticks = [0, *(factor * 10**power for power in range(len(str(last))) for factor in factors)]
    # Two ticks nearer than 0.11 of the axis would cover each other on a phone.
    ticks = [*(tick for tick in ticks if end - step_coordinate(tick) >= 0.11 * end), last]
    spec = axis(theme, title, range=[-0.012 * end, 1.012 * end], tickmode="array", fixedrange=True)
    spec |= {"tickvals": [step_coordinate(tick) for tick in ticks], "ticktext": [f"{tick:,}" for tick in ticks]}
    return spec | more


def average_stretches(
    steps: Sequence[int], values: Sequence[float], *, last: int, most: int
) -> tuple[list[int], list[float]]:
    """Average the values in each of `most` equal stretches of the axis, at the middle step; empty ones are left out."""
    stretches: dict[int, list[int]] = {}
    for index, step in enumerate(steps):
        stretches.setdefault(int(most * step_coordinate(step) / step_coordinate(last)), []).append(index)
    groups = list(stretches.values())
    means = [math.fsum(values[index] for index in group) / len(group) for group in groups]
    return [steps[group[len(group) // 2]] for group in groups], means


def over_steps_figure(
    lines: Sequence[StepLine],
    *,
    last: int,
    scale: Scale,
    shown: tuple[int, str] | None = None,
    levels: Sequence[tuple[float, str]] = (),
    most: int = 1,
    near: int = 1,
    hover_text: str = "{name}\n{x}: {y}",
    **options: Unpack[AxesOptions],
) -> go.Figure:
    """Draw one to six lines over the steps of a training.

    A trace per line, x as `step_coordinate`, customdata [step, value], and one of points at the marked step.

    Args:
        last: the last step of the whole training, where the axis ends from the beginning.
        scale: of y: "share" from 0 to 1 in percent; "place" with rank 1 at the top and `most` at the foot, by the
            logarithm of rank + near - 1; "number" from 0 to the largest value.
        levels: dashed heights and their names.
    """
    if not 1 <= len(lines) <= len(DASHES):
        raise ValueError(f"lines={len(lines)} of them: there must be 1 to {len(DASHES)}, which can be told apart")

    def plotted_height(value: float) -> float:
        return math.log10((value + near - 1) / near) if scale == "place" else float(value)

    frame = Frame(**options)
    theme, heights = frame.theme, [[plotted_height(value) for value in line.values] for line in lines]
    if scale == "share":
        y: Spec = {"range": [-0.02, 1.03], "tickformat": ".0%", "dtick": 0.25}
    elif scale == "number":
        low, high = value_range(np.concatenate(heights), *(value for value, _ in levels), 0.0)
        y = {"range": [low, high + 0.07 * (high - low)], "nticks": 6}  # above, a level is named
    else:
        lowest = plotted_height(most) or 1.0
        ticks = [10**power for power in range(len(str(most)))]
        ticks += [most] * (most >= 1.7 * ticks[-1])
        y = {"range": [1.05 * lowest, -0.06 * lowest], "tickmode": "array"}
        y |= {"tickvals": [plotted_height(tick) for tick in ticks], "ticktext": [f"{tick:,}" for tick in ticks]}
    low, high = y["range"]
    chart = LineChart(
        frame,
        320,
        step_axis(theme, frame.x_title, last=last),
        axis(theme, frame.y_title, fixedrange=True, **y),
    )
    for value, name in levels:  # named at the end from which the lines come, unless they come from the level
        height = plotted_height(value)
        chart.level(height, name, at_end=abs(height - heights[0][0]) < 0.2 * abs(high - low))
    traces = [
        scatter(
            "lines",
            [step_coordinate(step) for step in line.steps],
            mine,
            name=plain(line.name),
            customdata=list(zip(line.steps, line.values, strict=True)),
            line={"color": colour, "width": 3.0, "dash": dash},
            hovertemplate=hover(
                hover_text, name=plain(line.name), x="%{customdata[0]:,d}", y=f"%{{customdata[1]{_FORMATS[scale]}}}"
            ),
        )
        for line, mine, colour, dash in zip(lines, heights, SERIES[theme], DASHES, strict=False)
    ]
    if shown is not None:
        x = step_coordinate(shown[0])
        chart.mark(x, shown[1])
        met = [(line.at(shown[0]), colour) for line, colour in zip(lines, SERIES[theme], strict=False)]
        found = {colour: plotted_height(value) for value, colour in met if value is not None}
        if found:
            traces.append(dots([x] * len(found), list(found.values()), list(found), theme))
    ends = [
        (line.name, colour, step_coordinate(line.steps[-1]), (mine[-1] - low) / (high - low))
        for line, mine, colour in zip(lines, heights, SERIES[theme], strict=False)
        if line.named and math.isfinite(mine[-1])
    ]
    chart.notes += end_names(ends, longest=13, height=chart.height, paper="y", over=theme, xshift=10)
    named = [line.name for line in lines if line.named]
    return chart.figure(traces, top=30, right=20 + label_width(named, 13))


def small_steps_figure(
    lines: Sequence[StepLine],
    *,
    names: Sequence[str],
    last: int,
    shown: int | None = None,
    hover_text: str = "{name}\n{x}: {y}",
    share_text: Callable[[float], str] = "{:.0%}".format,
    **options: Unpack[FrameOptions],
) -> go.Figure:
    """Draw shares from 0 to 1 over the steps of a training, in a small chart for each line.

    A trace per line, then one per line that has a value at the marked step `shown`; `share_text` writes that value.
    """
    if not lines or len(names) != len(lines):
        raise ValueError(f"lines={len(lines)} of them, names={len(names)}: give at least one, and a name for each")
    frame = Frame(**options)
    theme = frame.theme
    grid = Grid(len(lines), columns=2, cell=92, gap=0.09, below=34)
    layout = frame.layout(frame.height or grid.height + frame.top_margin(12), shapes=[])
    layout["margin"] |= {"r": 18}
    layout["annotations"] = [grid.name(index, name, INK[theme]) for index, name in enumerate(names)]
    traces, marked = [], []
    for index, line in enumerate(lines):
        mark, (across, up) = number(index), grid.span(index)
        axes = {"xaxis": f"x{mark}", "yaxis": f"y{mark}"}
        layout[f"xaxis{mark}"] = step_axis(
            theme, "", last=last, factors=(1,), domain=across, anchor=f"y{mark}", showgrid=False
        )
        shares: Spec = {"range": [-0.03, 1.05], "tickformat": ".0%", "tickvals": [0, 1], "fixedrange": True}
        shares |= {"showticklabels": index % grid.columns == 0}
        layout[f"yaxis{mark}"] = axis(theme, domain=up, anchor=f"x{mark}", **shares)
        traces.append(
            scatter(
                "lines",
                [step_coordinate(step) for step in line.steps],
                list(line.values),
                name=plain(line.name),
                customdata=list(line.steps),
                fill="tozeroy",
                fillcolor=GRID[theme],
                line={"color": TOKEN[theme], "width": 3},
                hovertemplate=hover(hover_text, name=plain(line.name), x="%{customdata:,d}", y="%{y:.0%}"),
                **axes,
            )
        )
        if shown is None:
            continue
        layout["shapes"].append(vertical_line(step_coordinate(shown), theme, xref=f"x{mark}", yref=f"y{mark} domain"))
        if (value := line.at(shown)) is not None:
            corner = across[0], up[1], TOKEN[theme], "left top"
            layout["annotations"].append(
                note(bold(share_text(value)), *corner, paper="xy", size=TITLE, over=theme, xshift=8)
            )
            marked.append(dots([step_coordinate(shown)], [value], [TOKEN[theme]], theme) | axes)
    return make_figure([*traces, *marked], layout)
