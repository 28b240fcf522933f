"""One positional scheme in depth: its formula, what it adds, turns or biases, and how alike positions become."""

import streamlit as st

from ui.i18n import _
from ui.positions.controls import about, chosen_key, chosen_position, exists, settings_sidebar, show_code
from ui.positions.views import show_scheme
from ui.settings import state

st.title(_("One positional scheme in depth"))
settings_sidebar()
key = chosen_key()
about(key)
if exists(key):
    position = chosen_position()
    show_scheme(key, n_positions=state.get("positions"), position=position)
    show_code(key.scheme(), n_positions=state.get("positions"))
