"""Lines over the steps of a training, each named where it has come to, with the step in view marked on all."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import plotly.graph_objects as go

from embedlib.figures.colours import GROUND, INK, MUTED, SERIES, Theme
from embedlib.figures.layout import TEXT, TICK, Spec, axis, base_layout, halo, make_figure
from embedlib.figures.lines import DASHES
from embedlib.figures.spread import spread
from embedlib.figures.step_axis import mark_step, step_axis, step_place
from embedlib.figures.text import hover, plain, shorten

Scale = Literal["share", "place", "number"]
LABEL = 13  # characters of a name beside its line
FRAME = 84.0  # px of the height that are not the lines' own


@dataclass(frozen=True, slots=True)
class StepLine:
    """One line.

    Attributes:
        name: beside its end, in its colour; "" for a line that needs none.
        steps: rising, at least one.
        values: one per step.
    """

    name: str
    steps: Sequence[int]
    values: Sequence[float]

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
    hover_text: str = "{name}\n{x}: {y}",
    height: int = 320,
    title: str = "",
) -> go.Figure:
    """Draw lines over steps.

    Args:
        lines: one to six.
        last: the last step of the whole training, to which the axis goes from the beginning.
        scale: of y: "share" from 0 to 1 in percent; "place" from `most` up to 1, on a logarithmic scale; "number" as
            far as the values go.
        x_title: what is counted along x.
        y_title: what the values are.
        theme: "light" or "dark".
        shown: the step that is marked, and what to call it.
        levels: dashed heights and what to call them.
        most: the last place there is, for "place".
        hover_text: what a point says, with {name}, {x} and {y}.
        height: in CSS pixels.
        title: a heading inside the figure.

    Returns:
        A figure with one trace per line, x on the axis of `step_axis` and customdata the steps; one trace of dots at
        the marked step where lines have it.

    Raises:
        ValueError: no lines or more than can be told apart, or one whose values do not fit its steps.
    """
    if not 1 <= len(lines) <= len(DASHES):
        raise ValueError(f"lines={len(lines)} of them: there must be 1 to {len(DASHES)}, which can be told apart")
    if any(not line.steps or len(line.steps) != len(line.values) for line in lines):
        raise ValueError("a line must have at least one step, and a value for each")
    low, high = _reach(lines, scale, levels, most)
    layout = base_layout(
        theme,
        height=height,
        title=title,
        xaxis=step_axis(theme, x_title, last=last),
        yaxis=axis(theme, y_title, range=[low, high], fixedrange=True, zeroline=False) | _ticks(scale, most),
        annotations=[],
        shapes=[],
    )
    layout["margin"] |= {"t": 30 + (40 if title else 0), "r": _margin(lines)}
    for value, name in levels:
        _level(layout, value, name, theme)
    if shown is not None:
        mark_step(layout, *shown, last=last, theme=theme)
    layout["annotations"] += _names(lines, scale, (low, high), theme, height)
    traces = [_line(line, index, scale, theme, hover_text) for index, line in enumerate(lines)]
    if shown is not None:
        traces += _dots(lines, shown[0], theme)
    return make_figure(traces, layout)


def _line(line: StepLine, index: int, scale: Scale, theme: Theme, hover_text: str) -> Spec:
    value = {"share": "%{y:.0%}", "place": "%{y:,d}", "number": "%{y:.4g}"}[scale]
    return {
        "type": "scatter",
        "mode": "lines",
        "name": plain(line.name),
        "x": [step_place(step) for step in line.steps],
        "y": list(line.values),
        "customdata": list(line.steps),
        "line": {"color": SERIES[theme][index], "width": 3.0, "dash": DASHES[index]},
        "hovertemplate": hover(hover_text, name=plain(line.name), x="%{customdata:,d}", y=value),
    }


def _dots(lines: Sequence[StepLine], step: int, theme: Theme) -> list[Spec]:
    """The marked step on every line that has it."""
    met = [(index, value) for index, line in enumerate(lines) if (value := line.at(step)) is not None]
    if not met:
        return []
    dots = {
        "type": "scatter",
        "mode": "markers",
        "x": [step_place(step)] * len(met),
        "y": [value for _, value in met],
        "marker": {
            "size": 13,
            "color": [SERIES[theme][index] for index, _ in met],
            "line": {"color": INK[theme], "width": 2},
        },
        "hoverinfo": "skip",
        "cliponaxis": False,
    }
    return [dots]


def _reach(
    lines: Sequence[StepLine], scale: Scale, levels: Sequence[tuple[float, str]], most: int
) -> tuple[float, float]:
    """The range of y from bottom to top, in the axis' own unit."""
    if scale == "share":
        return -0.02, 1.03
    if scale == "place":
        return 1.05 * math.log10(max(most, 2)), -0.06 * math.log10(max(most, 2))
    values = [value for line in lines for value in line.values if math.isfinite(value)]
    values += [value for value, _ in levels]
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    room = 0.08 * (high - low) or max(0.5, 0.5 * abs(high))
    return low - room, high + room


def _ticks(scale: Scale, most: int) -> Spec:
    if scale == "share":
        return {"tickformat": ".0%", "dtick": 0.25}
    if scale == "number":
        return {"nticks": 6}
    ticks = [10**power for power in range(len(str(most)))]
    if most >= 1.5 * ticks[-1]:
        ticks.append(most)
    return {"type": "log", "tickmode": "array", "tickvals": ticks, "ticktext": [f"{tick:,}" for tick in ticks]}


def _names(
    lines: Sequence[StepLine], scale: Scale, reach: tuple[float, float], theme: Theme, height: int
) -> list[Spec]:
    """Each line's name beside its end, pushed apart so that all can be read."""
    low, high = reach
    ends = [
        (index, float(line.values[-1]))
        for index, line in enumerate(lines)
        if line.name and math.isfinite(line.values[-1])
    ]
    places = [((math.log10(value) if scale == "place" else value) - low) / (high - low) for _, value in ends]
    return [
        {
            "x": step_place(lines[index].steps[-1]),
            "yref": "paper",
            "y": place,
            "xanchor": "left",
            "yanchor": "middle",
            "xshift": 10,
            "text": f"<b>{plain(shorten(lines[index].name, LABEL))}</b>",
            "font": {"size": TEXT, "color": SERIES[theme][index], "shadow": halo(theme)},
            "showarrow": False,
        }
        for (index, _), place in zip(ends, spread(places, 21 / (height - FRAME), low=0.02, high=0.98), strict=True)
    ]


def _margin(lines: Sequence[StepLine]) -> int:
    longest = max(len(shorten(line.name, LABEL)) for line in lines)
    return 20 + 9 * longest if longest else 20


def _level(layout: Spec, value: float, name: str, theme: Theme) -> None:
    """Draw a dashed line and say what it is: over it at the left, where the lines of a training begin low."""
    line = {"color": MUTED[theme], "width": 2, "dash": "dash"}
    span = {"xref": "paper", "x0": 0, "x1": 1, "y0": value, "y1": value}
    layout["shapes"].append({"type": "line", "line": line, "layer": "below", **span})
    layout["annotations"].append(
        {
            "xref": "paper",
            "x": 0.01,
            "xanchor": "left",
            "y": value,
            "yanchor": "bottom",
            "text": plain(name),
            "font": {"size": TICK, "color": INK[theme], "shadow": halo(theme)},
            "bgcolor": GROUND[theme],
            "opacity": 0.92,
            "showarrow": False,
        }
    )
