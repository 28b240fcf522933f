"""What is compared, and on which text: beside each other, so that the first pictures are on the first screen."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui.compare.request import scheme_controls
from ui.compare.text import text_to_compare
from ui.components import width_watch
from ui.i18n import _
from ui.shared.text.prepared import PreparedText


def schemes_and_text() -> tuple[PreparedText, DeltaGenerator]:
    """Draw the choice of schemes and the text, folded up on a phone.

    Returns:
        The text that can be used, and a place beside it for the controls of the pointer.
    """
    if width_watch.narrow(key="width-watch"):
        with st.expander(_("Schemes, text, position and head")):
            scheme_controls()
            return text_to_compare(), st.container()
    schemes, text = st.columns(2, gap="large")
    with schemes:
        scheme_controls()
        place = st.container()
    with text:
        return text_to_compare(), place
