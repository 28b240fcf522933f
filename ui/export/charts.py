"""Charts with what is under them: their numbers and themselves, to take along."""

from collections.abc import Callable, Hashable

import streamlit as st
from plotly.graph_objects import Figure

from embedlib.figures import CONFIG
from ui.cache.figures import kept_figure
from ui.i18n import _


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
    st.plotly_chart(figure, key=key, alt=alt, theme=None, config=CONFIG)
    take_along(name or key, table=table, figure=lambda: draw(title=title) if title else figure)


def take_along(name: str, *, table: Callable[[], str], figure: Callable[[], Figure]) -> None:
    """Offer a figure's numbers as CSV and the figure as a page that opens anywhere.

    Both are made when somebody asks, outside of the visitor's session: what they need is to be taken in before. They
    should hold no large tensors: look them up in the cache instead. An image is among the figure's own buttons.

    Args:
        name: of the files, without their endings; also keys the buttons.
        table: writes the CSV.
        figure: draws the figure.
    """
    with st.container(horizontal=True):
        download(_("Numbers (CSV)"), table, f"{name}.csv")
        download(
            _("Figure (HTML)"),
            lambda: figure().to_html(config=CONFIG, include_plotlyjs=True),
            f"{name}.html",
            kind="text/html",
            key=f"{name}-html",
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
