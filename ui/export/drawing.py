"""A drawing: a figure whose numbers are given once; its alt text and files follow from them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from plotly.graph_objects import Figure

from ui.export.config import localise_figure
from ui.export.grids import Grid
from ui.export.numbers import Numbers, grid_numbers
from ui.i18n import separator

# The source of each kind of file.
KINDS = {"png": "picture", "svg": "picture", "html": "picture", "csv": "numbers", "npz": "numbers"}


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """A figure or table, with the numbers that can be saved.

    A module-level function makes it from plain arguments and settings: `show` calls it for the page, and again, on a
    thread without a session, when somebody saves a file.

    Attributes:
        name: of its files, without extensions.
        title: heading of its files; also the start of its alt text.
        numbers: shown by the figure; None for the texts of `grid`.
        figure: draws it with Plotly, given theme=… and title=…; None where the page has a component or a table instead
            and there is no Plotly figure of it.
        grid: the table or tokens to save in place of a figure.
        alt: describes the figure for screen readers; "" for the title and the range of its numbers.
        key: Streamlit key of the figure; "" for its name.
        source: origin of the numbers; "" for the page's, see `set_data_source`.
    """

    name: str
    title: str
    numbers: Numbers | None = None
    figure: Callable[..., Figure] | None = None
    grid: Grid | None = None
    alt: str = ""
    key: str = ""
    source: str = ""

    def draw(self, **options: str) -> Figure:
        """Return the Plotly figure, localised.

        Args:
            **options: theme and title.

        Raises:
            ValueError: it has no figure.
        """
        if self.figure is None:
            raise ValueError(f"name={self.name!r} has no figure: save its grid")
        return localise_figure(self.figure, **options)

    def saved_numbers(self) -> Numbers:
        """Return the numbers for CSV and NPZ."""
        return self.numbers or grid_numbers(self.grid or {})

    def alt_text(self) -> str:
        """Return the alt text."""
        if self.alt or self.numbers is None:
            return self.alt or self.title
        return separator(": ").join(filter(None, [self.title, self.numbers.alt()]))

    @property
    def kinds(self) -> list[str]:
        """File extensions that can be saved."""
        has_picture = self.figure is not None or self.grid is not None
        return [kind for kind, needs in KINDS.items() if has_picture or needs != "picture"]


def figure_drawing(
    name: str,
    title: str,
    numbers: Numbers,
    draw: Callable[..., Figure],
    *values: Any,
    key: str = "",
    alt: str = "",
    source: str = "",
    **options: Any,
) -> Drawing:
    """Return the drawing of a figure; the arguments are those of `Drawing` but for these.

    Args:
        draw: one of `embedlib.figures`.
        *values: what it draws.
        **options: its other arguments, but for theme and title.
    """
    figure = partial(draw, *values, **options)
    return Drawing(name=name, title=title, numbers=numbers, figure=figure, key=key, alt=alt, source=source)
