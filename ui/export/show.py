"""Show drawings on a page, each with its save menu."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Generic, ParamSpec, TypeVar

import streamlit as st
from plotly.graph_objects import Figure

from ui.cache.bounded import memo
from ui.export.config import plotly_config
from ui.export.drawing import KINDS, Drawing
from ui.export.grids import Grid, strip_grid_markup
from ui.export.numbers import Numbers
from ui.export.offers import Offer, current_visit
from ui.i18n import _, language, separator
from ui.settings import state
from ui.theme import current_theme

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Keyed(Generic[T]):
    """An unhashable argument of `show`, such as a tensor, with a cache key.

    Attributes:
        value: the argument.
        cache_key: identifies the value among all possible ones, given the other arguments.
    """

    value: T
    cache_key: Hashable = None


@dataclass(frozen=True)
class _CachedFigure:
    """The cached figure of a drawing, with the data of its menu; without tensors."""

    figure: Figure
    alt: str
    name: str
    title: str
    key: str
    source: str


_BYTES = 200_000  # about, of one figure


@memo(40_000_000, size=lambda _shown: _BYTES, key=lambda key, _make: key)
def _cache_figure(_key: Hashable, make: Callable[[], _CachedFigure]) -> _CachedFigure:
    return make()


_reads: dict[tuple[str, str], frozenset[str]] = {}  # all settings that a function has ever read, by its name


def show(make: Callable[P, Drawing], /, *args: P.args, **kwargs: P.kwargs) -> None:
    """Show the figure of a drawing, and its save menu.

    The figure is cached by the function, its arguments, the settings that it reads, the theme and the language.

    Args:
        make: a function at module level; see `Drawing`.
        *args: hashable, or with a hashable `cache_key`; only what the figure depends on.
        **kwargs: likewise.
    """
    call = partial(make, *args, **kwargs)
    made = _cached_figure(make, call)
    show_figure(made.figure, key=made.key, alt=made.alt)
    _menu(call, made.name, made.title, made.source, KINDS, key=made.key)


def _cached_figure(make: Callable[..., Drawing], call: "partial[Drawing]") -> _CachedFigure:
    """Return a figure from the cache, or draw it."""
    theme, name = current_theme(), _function_name(make)

    def draw() -> _CachedFigure:
        with state.recorded_reads() as read:
            drawing = call()
            figure, alt = drawing.draw(theme=theme), drawing.alt_text()
        _reads[name] = _reads.get(name, frozenset()) | read
        return _CachedFigure(figure, alt, drawing.name, drawing.title, drawing.key or drawing.name, drawing.source)

    given = [getattr(value, "cache_key", value) for value in (*call.args, *sorted(call.keywords.items()))]
    while True:
        read = _reads.get(name, frozenset())
        made = _cache_figure((name, *given, state.hashable_values(read), theme, language()), draw)
        if _reads.get(name, read) == read:  # else the key lacks a setting that the function has read just now
            return made


def _function_name(make: Callable[..., object]) -> tuple[str, str]:
    """Return the module and name of a function, as a cache key.

    Raises:
        TypeError: it is a closure, whose captured variables would be missing from the cache's key.
    """
    if "<" in make.__qualname__:
        raise TypeError(f"{make.__qualname__} must be a function at module level: pass what it needs as arguments")
    return make.__module__, make.__qualname__


def save_menu(make: Callable[P, Drawing], /, *args: P.args, **kwargs: P.kwargs) -> None:
    """Show the save menu of a drawing that the page shows by a component or a table.

    Args:
        make: a function at module level; see `Drawing`.
        *args: small: they are kept for as long as the page is in view. Tensors are looked up in a cache.
        **kwargs: likewise.
    """
    _function_name(make)
    call = partial(make, *args, **kwargs)
    drawing = call()
    _menu(call, drawing.name, drawing.title, drawing.source, drawing.kinds, key=drawing.key)


def save_table(name: str, title: str, grid: Grid, *, numbers: Numbers | None = None, source: str = "") -> None:
    """Show the save menu of a table or of tokens.

    Args:
        name: of the files, without their endings.
        title: heading of its files.
        grid: columns by name, all of one length; marks of markdown are not saved.
        numbers: for CSV and NPZ; None for the texts of the grid.
        source: origin of the numbers; "" for the page's, see `set_data_source`.
    """
    save_menu(_table, name, title, strip_grid_markup(grid), numbers, source)


def _table(name: str, title: str, grid: Grid, numbers: Numbers | None, source: str) -> Drawing:
    return Drawing(name=name, title=title, grid=grid, numbers=numbers, source=source)


def show_texts(name: str, columns: Mapping[str, Sequence[str]], *, alt: str) -> None:
    """Show a small table of texts, and its save menu.

    Args:
        name: of the files, without their endings.
        columns: by their names, all of one length; cells are markdown, in which text of readers is code.
        alt: describes the table for screen readers; heading of its files.
    """
    st.table(columns, border="horizontal", hide_index=True, alt=alt)
    save_table(name, alt, columns)


def show_figure(figure: Figure, *, key: str, alt: str) -> None:
    """Show a Plotly figure without a save menu.

    Args:
        figure: Plotly's.
        key: Streamlit key.
        alt: describes the figure for screen readers.
    """
    st.plotly_chart(figure, key=key, alt=alt, theme=None, config=plotly_config())


def set_data_source(source: str) -> None:
    """Set the data source of all figures on this page, in a few words."""
    current_visit(_address()).source = source


def download(
    label: str, make: Callable[[], str | bytes], file_name: str, *, kind: str = "text/csv", key: str = ""
) -> None:
    """Draw a download button for a file that is made on request, outside of the session.

    Args:
        label: of the button.
        make: writes the file; it must hold all that it needs.
        file_name: under which it is saved.
        kind: its media type.
        key: unique on the page; "" for the file name.
    """
    known, key = current_visit(_address()), key or file_name
    known.files[key] = make, kind
    ending = file_name.rpartition(".")[2]
    st.html(
        f'<div class="save" data-offer="{known.token}/{escape(key)}"><button type="button" data-save="{ending}" '
        f'data-name="{escape(file_name)}">{escape(label)}</button><span role="status"></span></div>',
        width="content",
    )


def _menu(
    make: Callable[[], Drawing], name: str, title: str, source: str, kinds: Iterable[str], *, key: str = ""
) -> None:
    """Draw the menu as plain HTML, and register its offer while the page is in view."""
    known, words = current_visit(address := _address()), {"lang": language()}
    words |= {"source": _("Source"), "settings": _("Settings"), "link": _("Link")}
    known.offers[name] = Offer(
        name,
        title,
        source or known.source,
        address,
        state.last_link(),
        state.thread_settings(),
        words,
        make,
        list(kinds),
        key,
    )
    label = _("Save")
    about = escape(label + separator(": ") + (title or name))
    buttons = "".join(f'<button type="button" data-save="{kind}">{kind.upper()}</button>' for kind in kinds)
    st.html(
        f'<div class="save" data-offer="{known.token}/{name}"><button type="button" data-opens aria-expanded="false" '
        f'aria-label="{about}">{label}</button><span role="group" aria-label="{about}" hidden>{buttons}</span>'
        '<span role="status"></span></div>'
    )


def _address() -> str:
    return (st.context.url or "").partition("?")[0]
