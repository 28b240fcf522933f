"""Drawings on a page, each with its save menu."""

import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from typing import Any, Generic, ParamSpec, TypeVar

import streamlit as st
from plotly.graph_objects import Figure

from embedlib.figures import Theme
from ui.cache.bounded import memo
from ui.embed import current_section, embedded_section
from ui.export.config import plotly_config
from ui.export.drawing import Drawing
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
    """A value that has no hash, such as a tensor, as an argument of `show`.

    Attributes:
        value: the argument.
        cache_key: identifies the value among all that may stand in its place, beside the other arguments.
    """

    value: T
    cache_key: Hashable


@dataclass(frozen=True)
class _ShownDrawing:
    """The cached part of a drawing: what the page shows of it, without tensors."""

    figure: Figure | None
    alt: str
    name: str
    title: str
    key: str
    source: str
    kinds: Sequence[str]


_FIGURE, _TEXTS = 200_000, 1_000  # about what a figure and what the rest take, in bytes


@memo(40_000_000, size=lambda shown: _TEXTS if shown.figure is None else _FIGURE, key=lambda key, _make: key)
def _get_or_make(_key: Hashable, make: Callable[[], _ShownDrawing]) -> _ShownDrawing:
    return make()


_reads_lock = threading.Lock()
_reads: dict[tuple[str, str], frozenset[str]] = {}  # by a function's name: the settings that it has ever read


def show(make: Callable[P, Drawing], /, *args: P.args, **kwargs: P.kwargs) -> None:
    """Show the figure of a drawing, with its save menu in the corner.

    The figure is cached by the function, its arguments, the settings that it reads, the theme and the language.

    Args:
        make: a function at module level; see `Drawing`.
        *args: hashable, or with a hashable `cache_key`; as little as the figure depends on.
        **kwargs: likewise.
    """
    _show(partial(make, *args, **kwargs))


def show_clickable(
    on_click: Callable[[dict[str, Any]], None], make: Callable[P, Drawing], /, *args: P.args, **kwargs: P.kwargs
) -> None:
    """Show a figure as `show` does, and call `on_click` in a callback with the point that the user clicks."""
    _show(partial(make, *args, **kwargs), on_click)


def _show(call: "partial[Drawing]", on_click: Callable[[dict[str, Any]], None] | None = None) -> None:
    made = _show_cached(call, current_theme())
    assert made.figure is not None
    _menu(call, made)
    key = made.key or made.name
    options: dict[str, Any] = {}
    if on_click is not None:
        options = {"on_select": partial(_pass_point, key, on_click), "selection_mode": "points"}
    st.plotly_chart(made.figure, key=key, alt=made.alt, theme=None, config=plotly_config(), **options)


def _pass_point(key: str, on_click: Callable[[dict[str, Any]], None]) -> None:
    if points := st.session_state[key]["selection"]["points"]:
        on_click(points[0])


def save_menu(make: Callable[P, Drawing], /, *args: P.args, **kwargs: P.kwargs) -> None:
    """Show the save menu of a drawing whose figure the page shows next, by a component or a table.

    An icon at the figure's upper right corner opens it.

    Args:
        make: a function at module level; see `Drawing`.
        *args: small: they are kept for as long as the page is in view. Tensors are looked up in a cache. Where all are
            hashable, as for `show`, the drawing is made once and not in every run.
        **kwargs: likewise.
    """
    call = partial(make, *args, **kwargs)
    _menu(call, _show_cached(call, None))


def _show_cached(call: "partial[Drawing]", theme: Theme | None) -> _ShownDrawing:
    """Return a drawing from the cache, or make it; its figure is drawn if there is a theme."""
    name = _function_name(call.func)

    def make() -> _ShownDrawing:
        with state.recorded_reads() as read:
            drawing = call()
            figure = None if theme is None else drawing.draw(theme=theme)
            alt = "" if theme is None else drawing.alt_text()
        with _reads_lock:
            _reads[name] = _reads.get(name, frozenset()) | read
        return _ShownDrawing(figure, alt, drawing.name, drawing.title, drawing.key, drawing.source, drawing.kinds)

    given = _call_key(call)
    try:
        hash(given)
    except TypeError:  # a tensor among the arguments
        return make()
    while True:
        read = _reads.get(name, frozenset())
        made = _get_or_make((given, state.hashable_values(read), theme, language()), make)
        if _reads.get(name, read) == read:  # else the key lacks a setting that the function has read just now
            return made


def _call_key(call: "partial[Any]") -> tuple[object, ...]:
    """Return the cache key of a call of a module-level function."""
    values = [*call.args, *sorted(call.keywords.items())]
    keys = [_call_key(one) if isinstance(one, partial) else getattr(one, "cache_key", one) for one in values]
    return (_function_name(call.func), *keys)


def _function_name(function: Callable[..., object]) -> tuple[str, str]:
    """Return a function's module and qualified name, for a cache key.

    Raises:
        TypeError: it is a closure or a method: captured variables or the object would be missing from the cache's key.
    """
    if "<" in function.__qualname__ or hasattr(function, "__self__"):
        raise TypeError(f"{function.__qualname__} must be a function at module level: pass what it needs as arguments")
    return function.__module__, function.__qualname__


def save_table(name: str, title: str, grid: Grid, *, numbers: Numbers | None = None, source: str = "") -> None:
    """Show the save menu of a table or of tokens that the page shows next.

    Args:
        name: of the files, without their endings.
        title: heading of what is saved.
        grid: columns by name, all of one length; marks of markdown are not saved.
        numbers: what is written as CSV and NPZ; None for the texts of the grid.
        source: where the numbers come from; "" for what `set_data_source` says of the page.
    """
    save_menu(_table, name, title, strip_grid_markup(grid), numbers, source)


def _table(name: str, title: str, grid: Grid, numbers: Numbers | None, source: str) -> Drawing:
    return Drawing(name=name, title=title, grid=grid, numbers=numbers, source=source)


def show_texts(name: str, columns: Mapping[str, Sequence[str]], *, alt: str, stacks: bool = False) -> None:
    """Show a small table of texts, with its save menu in the corner.

    Args:
        name: of the files, without their endings.
        columns: by their names, all of one length; cells are markdown, in which text of readers is code.
        alt: describes the table for readers who do not see it; heading of what is saved.
        stacks: whether each row is shown as a list where there is no room for so many columns.
    """
    save_table(name, alt, columns)
    if not stacks:
        st.table(columns, border="horizontal", hide_index=True, alt=alt)
        return
    with st.container(key=f"stacks-{name}"):  # frame.css shows one of the two
        st.table(columns, border="horizontal", hide_index=True, alt=alt)
        show_lists(columns)


def show_lists(columns: Mapping[str, Sequence[str]]) -> None:
    """Show each row of a table as a list under its first cell, for narrow screens."""
    rows = []
    for row in zip(*columns.values(), strict=True):
        named = list(zip(columns, row, strict=True))
        lines = (f"- {head}{separator(': ')}{cell}" for head, cell in named[1:])
        rows.append("\n".join([f"**{row[0]}**\n", *lines]))
    st.markdown("\n\n".join(rows))


def set_data_source(source: str) -> None:
    """Set the data source, in a few words, that all figures of this page name when they are saved."""
    visit = current_visit(_address())
    visit.source = source
    earlier = {name: offer for name, offer in visit.offers.items() if not offer.source}  # shown above, in this run
    visit.offers |= {name: replace(offer, source=source) for name, offer in earlier.items()}


def download(
    label: str, make: Callable[[], str | bytes], file_name: str, *, kind: str = "text/csv", key: str = ""
) -> None:
    """Offer a file that is made when somebody asks for it, outside of their session.

    Args:
        label: of the button.
        make: writes the file; it must hold all that it needs.
        file_name: under which it is saved.
        kind: its media type.
        key: tells files of one name on a page apart; "" for the name.
    """
    known, key = current_visit(_address()), key or file_name
    known.files[key] = make, kind
    ending = file_name.rpartition(".")[2]
    st.html(
        f'<div class="save" data-offer="{known.token}/{escape(key)}"><button type="button" data-save="{ending}" '
        f'data-name="{escape(file_name)}">{escape(label)}</button><span role="status"></span></div>',
        width="content",
    )


def _menu(make: Callable[[], Drawing], shown: _ShownDrawing) -> None:
    """Write the menu as plain HTML, and keep the offer for as long as the page is in view."""
    known, words = current_visit(address := _address()), {"lang": language()}
    words |= {"source": _("Source"), "settings": _("Settings"), "link": _("Link")}
    known.offers[shown.name] = Offer(
        shown.name,
        shown.title,
        shown.source or known.source,
        address,
        state.last_link(),
        state.thread_settings(),
        words,
        make,
        shown.kinds,
        shown.key,
    )
    same = [name for name, offer in known.offers.items() if offer.title == shown.title]
    number = same.index(shown.name) + 1  # of figures of one title, which a screen reader tells apart by it
    about = _("Save") + separator(": ") + (shown.title or shown.name)
    about = escape(about if number == 1 else f"{about} ({number})")
    buttons = "".join(f'<button type="button" data-save="{kind}">{kind.upper()}</button>' for kind in shown.kinds)
    st.html(
        f'<div class="save corner" data-offer="{known.token}/{escape(shown.name)}" data-section="{current_section()}">'
        f'<button type="button" data-opens aria-expanded="false" aria-label="{about}" title="{about}"></button>'
        f'<span role="group" aria-label="{about}" hidden>{buttons}{_embed_button(shown)}</span>'
        '<span role="status"></span></div>'
    )


def _embed_button(shown: _ShownDrawing) -> str:
    """Return the button that offers the figure's section as a frame for somebody's page, but not in such a frame."""
    section = "" if embedded_section() else current_section()
    if not section:
        return ""
    title = escape(shown.title or shown.name)
    return f'<button type="button" data-embed="{section}" data-figure="{title}">{escape(_("Embed"))}</button>'


def _address() -> str:
    return (st.context.url or "").partition("?")[0]
