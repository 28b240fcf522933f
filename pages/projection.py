"""A whole table in view: where its rows lie, which are alike, and what directions mean."""

import streamlit as st

from ui.i18n import _
from ui.projection.code import show_code
from ui.projection.controls import places_in_view, scene_controls, settings_sidebar
from ui.projection.faithful import faithfulness, scree
from ui.projection.files import load_and_save, selection
from ui.projection.meaning import analogies
from ui.projection.panel import chosen_row, search
from ui.projection.picture import moving_picture, picture
from ui.projection.tables import table_in_view
from ui.projection.text import suggested_text, text_chips, text_to_type
from ui.projection.view import text_rows, view_of
from ui.shared.page import draw_first
from ui.shared.text.text_area import current_text

st.title(_("A whole table in view"))
settings_sidebar()
suggestion = suggested_text()
text = current_text(suggestion).text
table = table_in_view(text)
if table is None:
    text_to_type(suggestion)
else:
    st.caption(table.told)
    scene_controls(table)
    view = view_of(table, text_rows(table, text))
    left, right = st.columns([68, 32], gap="medium")
    with right:
        found = search(table)
    with left:
        places = places_in_view(view, lambda moving: moving_picture(view, moving))
        if places is not None:
            picture(view, places, found)
    with right:
        chosen_row(view, places)
        selection(view, found)
    text_to_type(suggestion)
    text_chips(view)
    draw_first()
    if places is not None:
        faithfulness(view, places)
        scree(view, places.principal)
    analogy = analogies(view)
    load_and_save(table, view.isolated)
    show_code(view, text, places, analogy)
