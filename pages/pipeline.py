"""Text becomes input embeddings: tokens, rows of E, positions, and their sum; and where to go from here."""

import streamlit as st

from ui.i18n import _
from ui.lessons import walk
from ui.pipeline.request import checked_request, settings_sidebar
from ui.pipeline.sections import show_embeddings
from ui.settings import state
from ui.shared.page_fragment import page_fragment
from ui.shared.text.text_area import show_notices, text_area, text_title

settings_sidebar()


def next_steps() -> None:
    """Offer the tour, the lessons and the comparison."""
    with st.container(horizontal=True, width="content", key="ways-on"):
        st.button(_("Learn"), on_click=walk.open_stop, args=("tour", 0), key="learn", icon=":material/school:")
        st.page_link("../pages/lessons.py", label=_("Teach"), icon=":material/co_present:")
        st.page_link("../pages/compare.py", label=_("Compare"), icon=":material/table_chart:")


text_title(None if state.get("lesson") else next_steps)


def text_and_embeddings() -> None:
    """Draw the text area and all that follows it."""
    prepared = text_area()
    show_notices(prepared)
    if prepared.text and (request := checked_request(prepared.text)) is not None:
        show_embeddings(request)


page_fragment(text_and_embeddings)
