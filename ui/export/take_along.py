"""What is under a figure: its numbers and itself, to take along."""

from collections.abc import Callable

import streamlit as st
from plotly.graph_objects import Figure

from embedlib.figures import CONFIG
from ui.i18n import _


def take_along(name: str, *, table: Callable[[], str], figure: Callable[[], Figure]) -> None:
    """Offer a figure's numbers as CSV and the figure as a page that opens anywhere.

    Both are made when somebody asks, so they must not hold large tensors: look them up in the cache instead. An image
    is among the figure's own buttons.

    Args:
        name: of the files, without their endings; also keys the buttons.
        table: writes the CSV.
        figure: draws the figure.
    """
    with st.container(horizontal=True):
        st.download_button(
            _("Numbers (CSV)"), table, f"{name}.csv", "text/csv", key=f"{name}-csv", type="tertiary", on_click="ignore"
        )
        st.download_button(
            _("Figure (HTML)"),
            lambda: figure().to_html(config=CONFIG, include_plotlyjs=True),
            f"{name}.html",
            "text/html",
            key=f"{name}-html",
            type="tertiary",
            on_click="ignore",
        )
