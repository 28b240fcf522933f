"""A whole table: maps of its rows, their neighbours, and directions with a meaning."""

from pathlib import Path

import streamlit as st

from ui.embed import section_scope, shared_controls
from ui.export import set_data_source
from ui.projection.code import show_code
from ui.projection.controls import places_in_view, scene_controls, scheme_sidebar, settings_sidebar
from ui.projection.faithful import faithfulness
from ui.projection.files import load_and_save, show_selection
from ui.projection.meaning import analogies
from ui.projection.panel import chosen_row, matching_rows
from ui.projection.picture import moving_picture, picture
from ui.projection.tables import MODEL, table_in_view
from ui.projection.text import text_and_examples, text_chips
from ui.projection.view import choose_panel, gather_view, text_rows
from ui.settings import state
from ui.shared.page import page_title
from ui.shared.page_fragment import page_fragment
from ui.shared.text.text_area import current_text

st.html(Path(__file__).parent.parent / "ui" / "projection" / "style.css")
page_title()
settings_sidebar()


def text_and_picture() -> None:
    """Draw the text, the picture, and all that follows them."""
    if state.has_fragment() and not can_be_fragment():
        st.rerun()
    text = current_text().text
    table = table_in_view(text)
    if table is None:
        text_and_examples()
        return
    set_data_source(table.origin.replace("`", ""))
    scheme_sidebar(table)
    view = gather_view(table, text_rows(table, text))
    with shared_controls("map", "projection-picture"):
        scene_controls(view)
    left, right = st.columns([68, 32], gap="medium")
    right = right.container(key="projection-panel")
    with right, section_scope("projection-panel"):
        matches = matching_rows(table)
        panel = choose_panel()
        if panel == "analogies":
            analogies(view)
    with left:
        above, below = st.container(), st.container()
        with below if view.map == "meaning" else above:  # the ends of axes are read at the axes, and changed below them
            places = places_in_view(view, matches, lambda moving: moving_picture(view, moving))
        if places is not None:
            with above:
                picture(view, places, matches)
        below.caption(table.origin)
    with right:
        if panel == "neighbours":
            with section_scope("projection-panel", "chosen"):
                chosen_row(view, places)
        show_selection(view, matches)
    text_and_examples()
    with section_scope("projection-tokens"):
        text_chips(view)
    if places is not None:
        faithfulness(view, places)
    load_and_save(table, view.isolated)
    show_code(view, text, places)


def can_be_fragment() -> bool:
    """Return whether the text can be a fragment: no scheme in the sidebar, no map or model being computed or loaded."""
    return state.get("vectors") != MODEL and not state.get("moved") and state.get("map") not in ("tsne", "umap")


if can_be_fragment():
    page_fragment(text_and_picture)
else:
    text_and_picture()
