"""Text becomes input embeddings: tokens, rows of E, positions, and their sum."""

import streamlit as st

from ui.i18n import _
from ui.pipeline.request import checked_request, settings_sidebar
from ui.pipeline.sections import show_embeddings
from ui.shared.follow import follow
from ui.shared.text.text_area import text_section

settings_sidebar()


def text_and_embeddings() -> None:
    """Draw the text area and all that follows it."""
    prepared = text_section(_("From text to input embeddings"))
    for notice in prepared.notices:
        st.warning(notice)
    if not prepared.text:
        st.info(_("The text is empty: type something or choose an example."))
    elif (request := checked_request(prepared.text)) is not None:
        show_embeddings(request)


follow(text_and_embeddings)
