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
    """Offer the tour as the first thing to do, and smaller the lessons and the comparison."""
    tour = walk.load_lesson("tour")
    label = _("New here? Take the tour: {stops} stops, about {minutes} minutes").format(
        stops=len(tour.stops), minutes=tour.minutes
    )
    with st.container(horizontal=True, width="content", key="ways-on"):
        st.button(
            label, type="primary", on_click=walk.open_stop, args=("tour", 0), key="learn", icon=":material/school:"
        )
        st.page_link("../pages/lessons.py", label=_("Teach"))
        st.page_link("../pages/compare.py", label=_("Compare"))


text_title(None if state.get("lesson") else next_steps)


def text_and_embeddings() -> None:
    """Draw the text area and all that follows it."""
    prepared = text_area()
    show_notices(prepared)
    if prepared.text and (request := checked_request(prepared.text)) is not None:
        show_embeddings(request)


page_fragment(text_and_embeddings)
