"""Figures that most controls of a page leave as they are, kept until something that they show has changed."""

from collections.abc import Callable, Hashable

from plotly.graph_objects import Figure

from ui.cache.bounded import memo
from ui.i18n import language
from ui.theme import current_theme

_BYTES = 200_000  # about what one takes


@memo(40_000_000, size=lambda _figure: _BYTES, key=lambda shows, build: (shows, current_theme(), language()))
def kept_figure(shows: Hashable, build: Callable[[], Figure]) -> Figure:
    """Return a figure that was built for the same things before, or build it; whoever receives it only reads it.

    Args:
        shows: all that decides what the figure shows, besides the reader's theme and language.
        build: draws it.
    """
    return build()
