"""A chart of the training page: kept while nothing in it changes, with its numbers and itself to take along."""

from collections.abc import Callable, Hashable, Sequence
from functools import partial

import streamlit as st
from plotly.graph_objects import Figure

from embedlib.figures import RankedBar, StepLine
from ui import export
from ui.export import lines_csv
from ui.i18n import _
from ui.shared.page import current_theme


def chart(
    name: str, draw: Callable[..., Figure], *, shows: Hashable, heading: str, alt: str, table: Callable[[], str]
) -> None:
    """Show a figure that is made with theme=…, and with title=… where it leaves the page; it must not hold rows."""
    themed = partial(draw, theme=current_theme())
    export.chart(
        f"train-{name}", themed, alt=alt, table=table, name=f"training-{name}", title=heading, shows=(name, shows)
    )


def step_written(step: int) -> str:
    """Name a step."""
    return _("step {step:,}").format(step=step)


def write_above(name: str, sentences: str, *, wide: bool = False) -> None:
    """Write what charts say above them, on ground that is high enough for it at any step: nothing below may jump."""
    with st.container(key=f"train-{'wide' if wide else 'above'}-{name}"):
        st.write(sentences)


def lines_alt(line: StepLine) -> str:
    """Say where a line of ranks begins and ends."""
    return _("{name}: rank {before:,} (step {first:,}), {now:,} (step {last:,})").format(
        name=line.name, before=line.values[0], first=line.steps[0], now=line.values[-1], last=line.steps[-1]
    )


def steps_csv(lines: Sequence[StepLine], value: str) -> str:
    """Write one line per name and step."""
    return lines_csv(
        ["name", "step", value],
        ([line.name, step, number] for line in lines for step, number in zip(line.steps, line.values, strict=True)),
    )


def bars_csv(bars: Sequence[RankedBar], value: str, aside: str) -> str:
    """Write one line per bar: its name, value, what stands aside, and details."""
    return lines_csv(["name", value, aside, "detail"], ([bar.name, bar.value, bar.aside, bar.detail] for bar in bars))
