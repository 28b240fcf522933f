"""A chart of the training page: kept while nothing in it changes, with its numbers and itself to take along."""

from collections.abc import Callable, Hashable

import streamlit as st
from plotly.graph_objects import Figure

from embedlib.figures import CONFIG
from ui.cache.figures import kept_figure
from ui.export.take_along import take_along
from ui.i18n import _
from ui.shared import theme


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
    look = theme.current()
    figure = kept_figure((name, shows), lambda: draw(theme=look))
    st.plotly_chart(figure, key=f"train-{name}", alt=alt, theme=None, config=CONFIG)
    take_along(f"training-{name}", table=table, figure=lambda: draw(theme=look, title=heading))


def step_written(step: int) -> str:
    """Name a step."""
    return _("step {step:,}").format(step=step)


def told(name: str, sentences: str, *, wide: bool = False) -> None:
    """Write what charts say above them, on ground that is high enough for it at any step: nothing below may jump.

    Args:
        name: keys it.
        sentences: markdown.
        wide: whether it has the width of the page to itself, where fewer lines are enough.
    """
    with st.container(key=f"train-{'wide' if wide else 'told'}-{name}"):
        st.write(sentences)
