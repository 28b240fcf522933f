"""Charts, and under each a small menu to save it: as an image, as a page, as numbers."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from html import escape

import streamlit as st
from plotly.graph_objects import Figure

from ui.cache.figures import kept_figure
from ui.export.config import plotly_config, with_ticks_written
from ui.export.grids import Grid, grid_csv, without_marks
from ui.export.offers import Arrays, Offer, columns_of, visit
from ui.i18n import _, between, language
from ui.settings import state


def chart(
    key: str,
    draw: Callable[..., Figure],
    *,
    alt: str,
    table: Callable[[], str],
    arrays: Callable[[], Arrays] | None = None,
    name: str = "",
    title: str = "",
    source: str = "",
    shows: Hashable = None,
) -> None:
    """Draw a figure, and offer under it to save it and its numbers.

    Args:
        key: Streamlit key of the figure.
        draw: makes it; called again with theme="light", and title=… where there is one, when there is no session:
            it must hold its words, and should hold no large tensors.
        alt: what the figure shows, for those who do not see it.
        table: writes the numbers as CSV, likewise.
        arrays: finds them as arrays, where they are some, likewise.
        name: of the files, without their endings; "" for the key.
        title: heading of the figure that is saved; "" where it needs none.
        source: where the numbers come from; "" for what `set_data_source` has set.
        shows: all that decides what the figure shows, besides the theme and the language, where it is kept; None where
            it is drawn in each run.
    """
    written = partial(with_ticks_written, draw)
    figure = written() if shows is None else kept_figure((key, shows), written)
    show_figure(figure, key=key, alt=alt)
    heading = {"title": title} if title else {}
    take_along(
        name or key,
        table=table,
        arrays=arrays,
        figure=lambda: draw(theme="light", **heading),
        title=title,
        source=source,
        key=key,
    )


def shown_table(name: str, columns: Mapping[str, Sequence[str]], *, alt: str) -> None:
    """Draw a small table, and offer under it to save it.

    Args:
        name: of the files, without their endings.
        columns: by their names, all of one length; cells are markdown, in which text of readers is code.
        alt: what the table shows, for those who do not see it; heading of what is saved.
    """
    st.table(columns, border="horizontal", hide_index=True, alt=alt)
    saved = without_marks(columns)
    take_along(name, grid=lambda: saved, title=alt)


def show_figure(figure: Figure, *, key: str, alt: str) -> None:
    """Draw a figure.

    Args:
        figure: what is drawn.
        key: Streamlit key.
        alt: what the figure shows, for those who do not see it.
    """
    st.plotly_chart(figure, key=key, alt=alt, theme=None, config=plotly_config())


def set_data_source(source: str) -> None:
    """Set where the numbers of the figures that follow come from, in a few words, for what is saved of them."""
    visit(_address()).source = source


def take_along(
    name: str,
    *,
    table: Callable[[], str] | None = None,
    figure: Callable[[], Figure] | None = None,
    grid: Callable[[], Grid] | None = None,
    arrays: Callable[[], Arrays] | None = None,
    title: str = "",
    source: str = "",
    key: str = "",
) -> None:
    """Offer to save a figure: as an image, a page that opens anywhere, its numbers as CSV and as NPZ.

    All are made when somebody asks, outside of the visitor's session: what they need is to be taken in before. They
    should hold no large tensors: look them up in the cache instead.

    Args:
        name: of the files, without their endings.
        table: writes the CSV; None for the texts of the grid.
        figure: draws the figure for white paper, in the light theme; the numbers of its ticks become the language’s.
        grid: gives what is drawn instead where that is a table or tokens.
        arrays: finds the numbers as arrays, by their names; None for the columns of the CSV that `table` writes.
        title: where the figure itself has none.
        source: where the numbers come from; "" for what `set_data_source` has set.
        key: of what shows the figure on the page, where it can be zoomed or turned: images show what is in view.
    """
    known, words = visit(address := _address()), {"lang": language()}
    words |= {"source": _("Source"), "settings": _("Settings"), "link": _("Link")}
    whence = source or known.source
    if table is not None and arrays is None:
        arrays = partial(columns_of, table)
    if grid is not None and table is None:
        table = partial(_written, grid)
    known.offers[name] = offer = Offer(
        name,
        title,
        whence,
        address,
        state.last_link(),
        words,
        figure=None if figure is None else partial(with_ticks_written, figure),
        grid=grid,
        table=table,
        arrays=arrays,
        key=key,
    )
    label = _("Save")
    about = escape(label + between(": ") + (title or name))
    buttons = "".join(f'<button type="button" data-save="{kind}">{kind.upper()}</button>' for kind in offer.kinds)
    st.html(
        f'<div class="save" data-offer="{known.token}/{name}"><button type="button" data-opens aria-expanded="false" '
        f'aria-label="{about}">{label}</button><span role="group" aria-label="{about}" hidden>{buttons}</span>'
        '<span role="status"></span></div>'
    )


def _written(grid: Callable[[], Grid]) -> str:
    return grid_csv(grid())


def _address() -> str:
    return (st.context.url or "").partition("?")[0]


def download(
    label: str, make: Callable[[], str | bytes], file_name: str, *, kind: str = "text/csv", key: str = ""
) -> None:
    """Offer a file that is made when somebody asks for it, outside of their session.

    Args:
        label: of the button.
        make: writes the file; it must hold all that it needs.
        file_name: under which it is saved.
        kind: its media type.
        key: of the button; "" for the name of the file with "-csv" in place of its ending.
    """
    key = key or f"{file_name.removesuffix('.csv')}-csv"
    st.download_button(label, make, file_name, kind, key=key, type="tertiary", on_click="ignore")
