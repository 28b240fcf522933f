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
    """Show a figure.

    Args:
        name: names the files, and keys all of it.
        draw: makes it with theme=…, and with title=… where it leaves the page; it must not hold rows.
        shows: all that decides what it shows, besides the reader's theme and language.
        heading: its title where it leaves the page.
        alt: what it says, in words.
        table: writes its numbers as CSV.
    """
    themed = partial(draw, theme=current_theme())
    export.chart(
        f"train-{name}", themed, alt=alt, table=table, name=f"training-{name}", title=heading, shows=(name, shows)
    )


def step_written(step: int) -> str:
    """Name a step."""
    return _("step {step:,}").format(step=step)


def write_above(name: str, sentences: str, *, wide: bool = False) -> None:
    """Write what charts say above them, on ground that is high enough for it at any step: nothing below may jump.

    Args:
        name: keys it.
        sentences: markdown.
        wide: whether it has the width of the page to itself, where fewer lines are enough.
    """
    with st.container(key=f"train-{'wide' if wide else 'told'}-{name}"):
        st.write(sentences)


def steps_csv(lines: Sequence[StepLine], value: str) -> str:
    """Write one line per name and step."""
    return lines_csv(
        ["name", "step", value],
        ([line.name, step, number] for line in lines for step, number in zip(line.steps, line.values, strict=True)),
    )


def bars_csv(bars: Sequence[RankedBar], value: str, aside: str) -> str:
    """Write one line per bar: its name, value, what stands aside, and what the pointer is told."""
    return lines_csv(["name", value, aside, "detail"], ([bar.name, bar.value, bar.aside, bar.detail] for bar in bars))
