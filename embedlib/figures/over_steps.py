"""Lines over the steps of a training, each named where it has come to, with the step in view marked on all."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from embedlib.figures.colours import INK, MUTED, SERIES, Theme
from embedlib.figures.layout import BUTTONS, TEXT, TICK, Spec, axis, base_layout, halo, make_figure
from embedlib.figures.lines import DASHES
from embedlib.figures.spread import spread
from embedlib.figures.step_axis import mark_step, step_axis, step_place
from embedlib.figures.step_scale import Scale, height_of, reach_of, ticks_of
from embedlib.figures.text import hover, plain, shorten

LABEL = 13  # characters of a name beside its line
FRAME = 84.0  # px of the height that are not the lines' own


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
    layout["margin"] |= {"t": 30 + (40 if title else 0 if free else BUTTONS - 6), "r": _margin(lines)}
    for value, name in levels:
        # Its name is at the end from which the lines come, unless they come from it.
        beside = abs(height_of(value, scale, near) - heights[0][0]) < 0.2 * abs(high - low)
        _level(layout, value, name, theme, at_end=beside)
    if shown is not None:
        mark_step(layout, *shown, last=last, theme=theme)
    layout["annotations"] += _names(lines, heights, (low, high), theme, height)
    traces = [_line(line, heights[index], index, scale, theme, hover_text) for index, line in enumerate(lines)]
    if shown is not None:
        traces += _dots(lines, heights, shown[0], theme)
    return make_figure(traces, layout)


def _line(line: StepLine, heights: Sequence[float], index: int, scale: Scale, theme: Theme, hover_text: str) -> Spec:
    value = {"share": ":.0%", "place": ":,d", "number": ":.4g"}[scale]
    return {
        "type": "scatter",
        "mode": "lines",
        "name": plain(line.name),
        "x": [step_place(step) for step in line.steps],
        "y": list(heights),
        "customdata": list(zip(line.steps, line.values, strict=True)),
        "line": {"color": SERIES[theme][index], "width": 3.0, "dash": DASHES[index]},
        "hovertemplate": hover(
            hover_text, name=plain(line.name), x="%{customdata[0]:,d}", y=f"%{{customdata[1]{value}}}"
        ),
    }


def _dots(lines: Sequence[StepLine], heights: Sequence[Sequence[float]], step: int, theme: Theme) -> list[Spec]:
    """The marked step on every line that has it."""
    met = [
        (index, heights[index][list(line.steps).index(step)]) for index, line in enumerate(lines) if step in line.steps
    ]
    if not met:
        return []
    dots = {
        "type": "scatter",
        "mode": "markers",
        "x": [step_place(step)] * len(met),
        "y": [height for _, height in met],
        "marker": {
            "size": 13,
            "color": [SERIES[theme][index] for index, _ in met],
            "line": {"color": INK[theme], "width": 2},
        },
        "hoverinfo": "skip",
        "cliponaxis": False,
    }
    return [dots]


def _names(
    lines: Sequence[StepLine],
    heights: Sequence[Sequence[float]],
    reach: tuple[float, float],
    theme: Theme,
    height: int,
) -> list[Spec]:
    """Each line's name beside its end, pushed apart so that all can be read."""
    low, high = reach
    ends = [
        (index, (heights[index][-1] - low) / (high - low))
        for index, line in enumerate(lines)
        if line.named and math.isfinite(heights[index][-1])
    ]
    places = spread([place for _, place in ends], 21 / (height - FRAME), low=0.02, high=0.98)
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
        for (index, _), place in zip(ends, places, strict=True)
    ]


def _margin(lines: Sequence[StepLine]) -> int:
    longest = max((len(shorten(line.name, LABEL)) for line in lines if line.named), default=0)
    return 20 + 9 * longest


def _level(layout: Spec, value: float, name: str, theme: Theme, *, at_end: bool) -> None:
    """Draw a dashed line, and say over it what it is."""
    line = {"color": MUTED[theme], "width": 2, "dash": "dash"}
    span = {"xref": "paper", "x0": 0, "x1": 1, "y0": value, "y1": value}
    layout["shapes"].append({"type": "line", "line": line, "layer": "below", **span})
    layout["annotations"].append(
        {
            "xref": "paper",
            "x": 0.99 if at_end else 0.01,
            "xanchor": "right" if at_end else "left",
            "y": value,
            "yanchor": "bottom",
            "text": plain(name),
            "font": {"size": TICK, "color": INK[theme], "shadow": halo(theme)},
            "showarrow": False,
        }
    )
