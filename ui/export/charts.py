"""Charts with what is under them: their numbers and themselves, to take along."""

import re
from collections.abc import Callable, Hashable, Mapping
from html import escape, unescape

import streamlit as st
from plotly.graph_objects import Figure

from embedlib.figures import CONFIG
from ui.cache.figures import kept_figure
from ui.i18n import _, language
from ui.settings import state


def chart(
    key: str,
    draw: Callable[..., Figure],
    *,
    alt: str,
    table: Callable[[], str],
    name: str = "",
    title: str = "",
    shows: Hashable = None,
) -> None:
    """Draw a figure, and offer its numbers and itself under it.

    Args:
        key: Streamlit key of the figure.
        draw: makes it, with title=… where it leaves the page; called again then, when there is no session: it must
            hold its words and its theme, and should hold no large tensors.
        alt: what the figure shows, for those who do not see it.
        table: writes the numbers as CSV, likewise.
        name: of the files, without their endings; "" for the key.
        title: heading of the figure that is taken along; "" where it needs none.
        shows: all that decides what the figure shows, besides the theme and the language, where it is kept; None where
            it is drawn in each run.
    """
    figure = draw() if shows is None else kept_figure((key, shows), draw)
    show_figure(figure, key=key, alt=alt, name=name)
    take_along(name or key, table=table, figure=lambda: draw(title=title) if title else figure)


def show_figure(figure: Figure, *, key: str, alt: str, name: str = "") -> None:
    """Draw a figure whose image is saved under a name of its own, as large as it is on the screen.

    Args:
        figure: what is drawn.
        key: Streamlit key.
        alt: what the figure shows, for those who do not see it.
        name: of the image's file, without its ending; "" for the key.
    """
    image = CONFIG["toImageButtonOptions"] | {"filename": name or key}
    st.plotly_chart(figure, key=key, alt=alt, theme=None, config=CONFIG | {"toImageButtonOptions": image})


def take_along(name: str, *, table: Callable[[], str], figure: Callable[[], Figure], title: str = "") -> None:
    """Offer a figure's numbers as CSV and the figure as a page that opens anywhere.

    Both are made when somebody asks, outside of the visitor's session: what they need is to be taken in before. They
    should hold no large tensors: look them up in the cache instead. An image is among the figure's own buttons.

    Args:
        name: of the files, without their endings; also keys the buttons.
        table: writes the CSV.
        figure: draws the figure.
        title: of the page, where the figure itself has none.
    """
    last_link, address = state.last_link(), (st.context.url or "").partition("?")[0]
    words = {"lang": language(), "settings": _("Settings"), "link": _("Link")}
    with st.container(horizontal=True):
        download(_("Numbers (CSV)"), table, f"{name}.csv")
        download(
            _("Figure (HTML)"),
            lambda: figure_page(figure(), title or name, address, *last_link(), words),
            f"{name}.html",
            kind="text/html",
            key=f"{name}-html",
        )


def figure_page(
    figure: Figure, title: str, address: str, query: str, settings: Mapping[str, str], words: dict[str, str]
) -> str:
    """Write a page that holds a figure, its title, the settings that it was drawn with, and the link to them.

    Args:
        figure: what is drawn.
        title: of the page, where the figure has none.
        address: of the page in the app; "" where it is not known.
        query: what differs from the defaults, as in a link.
        settings: all that the page was drawn with, as a link writes them, by their names.
        words: "lang", "settings" and "link", in the reader's language.
    """
    own = figure.layout.title.text
    heading = escape(" ".join(unescape(re.sub(r"<[^>]*>", " ", own or title)).split()))
    listed = "; ".join(f"{name} = {value}" for name, value in settings.items())
    link = escape(f"{address}?{query}" if query else address)
    return (
        f'<!doctype html>\n<html lang="{words["lang"]}"><head><meta charset="utf-8"><title>{heading}</title>'
        "<style>body { font: 16px/1.5 sans-serif; margin: 1.5rem } footer { overflow-wrap: anywhere }</style></head>"
        f"<body>{'' if own else f'<h1>{heading}</h1>'}"
        + str(figure.to_html(config=CONFIG, include_plotlyjs=True, full_html=False))
        + f"<footer><p>{words['settings']}: {escape(listed)}</p>"
        + (f'<p>{words["link"]}: <a href="{link}">{link}</a></p>' if address else "")
        + "</footer></body></html>\n"
    )


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
