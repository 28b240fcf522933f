"""Drawings of values, bars and steps, shared by the sections of the training page."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st
from plotly.graph_objects import Figure

from embedlib.figures import RankedBar, StepLine, over_steps_figure, ranked_bars_figure
from ui.export import Drawing, Lines, Numbers, figure_drawing
from ui.i18n import _
from ui.training.view import TrainingView


def training_drawing(
    name: str, title: str, numbers: Numbers, draw: Callable[..., Figure], *values: Any, alt: str, **options: Any
) -> Drawing:
    """Return a drawing of values that a figure shows; options: of `draw`."""
    return figure_drawing(f"training-{name}", title, numbers, draw, *values, key=f"train-{name}", alt=alt, **options)


def bars_drawing(
    name: str, title: str, bars: Sequence[RankedBar], *, value: str, aside: str = "aside", alt: str, **options: Any
) -> Drawing:
    """Return a drawing of bars; value, aside: headings in files of the bars' lengths and of their side labels."""
    lines = Lines(["name", value, aside, "detail"], [[bar.name, bar.value, bar.side_text, bar.detail] for bar in bars])
    return training_drawing(name, title, lines, ranked_bars_figure, bars, alt=alt, **options)


def steps_drawing(
    view: TrainingView, name: str, title: str, lines: Sequence[StepLine], numbers: Numbers, *, alt: str, **options: Any
) -> Drawing:
    """Return a drawing of lines over the steps of a training, the step in view marked."""
    options |= {"last": view.request.config.steps, "x_title": _("step"), "shown": (view.step, step_label(view.step))}
    return training_drawing(name, title, numbers, over_steps_figure, lines, alt=alt, **options)


def step_lines(lines: Sequence[StepLine], value: str) -> Lines:
    """Return one line per name and step."""
    values = [[line.name, step, at] for line in lines for step, at in zip(line.steps, line.values, strict=True)]
    return Lines(["name", "step", value], values)


def step_label(step: int) -> str:
    """Name a step."""
    return _("step {step:,}").format(step=step)


def show_summary(name: str, sentences: str, *, wide: bool = False) -> None:
    """Show sentences above a chart, in a box of a fixed height: nothing below may jump."""
    with st.container(key=f"train-{'wide' if wide else 'above'}-{name}"):
        st.write(sentences)


def lines_alt(line: StepLine) -> str:
    """Return a phrase on where a line of ranks begins and ends."""
    return _("{name}: rank {before:,} (step {first:,}), {now:,} (step {last:,})").format(
        name=line.name, before=line.values[0], first=line.steps[0], now=line.values[-1], last=line.steps[-1]
    )
