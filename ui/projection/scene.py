"""Which map of the table is drawn, and what the reader can change about it."""

from collections.abc import Callable
from typing import Literal

import streamlit as st

from ui.i18n import _
from ui.projection.colouring import colour_in_view, colour_titles
from ui.projection.maps import map_controls, places_of_map
from ui.projection.meaning import lines_of_meaning
from ui.projection.places import Places, meaning_places, principal_places
from ui.projection.shown_table import ShownTable
from ui.projection.view import View
from ui.settings import controls, state


def scene_controls(table: ShownTable) -> None:
    """Draw the choice of the map, of its dimensions and of its colours."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.segmented_control(
            _("Map"),
            state.options("map"),
            key="map",
            format_func=lambda name: {
                "pca": _("PCA"),
                "tsne": _("t-SNE"),
                "umap": _("UMAP"),
                "meaning": _("meaning"),
            }[name],
            required=True,
            on_change=state.dismiss_notices,
        )
        if state.get("map") != "meaning":
            st.segmented_control(
                _("Axes"),
                state.options("view"),
                key="view",
                format_func=lambda view: {"2d": _("2-D"), "3d": _("3-D")}[view],
                required=True,
            )
        titles = colour_titles(table)
        st.selectbox(
            _("Colour"),
            list(titles),
            format_func=lambda name: titles[name],
            width=205,
            **controls.shown_instead("colour", colour_in_view(table, state.get("colour"))),
        )
        st.toggle(_("Join the text"), key="line", on_change=state.dismiss_notices)
        st.toggle(
            _("Add positions"),
            key="moved",
            help=_("Each token of your text moves to where its row lies once its position is added."),
            on_change=state.dismiss_notices,
        )


def places_in_view(view: View, draw: Callable[[Places], None]) -> Places | None:
    """Return where the rows lie in the map that is chosen; None where a sentence or a job stands in its place.

    Args:
        view: what is looked at.
        draw: draws the points of a map that still move.
    """
    wanted = state.get("map")
    dimensions: Literal[2, 3] = 3 if state.get("view") == "3d" else 2
    if wanted == "meaning":
        lines = lines_of_meaning(view.table)
        return None if lines is None else meaning_places(view.table, lines, view.isolated, view.always)
    if wanted in ("tsne", "umap"):
        map_controls()
        return places_of_map(view, dimensions, draw)
    return principal_places(view.table, dimensions, view.isolated, view.always)
