"""Positional schemes side by side: on the reader's own text, at one scale, in the same numbers."""

import streamlit as st

from ui.compare.attention import attention
from ui.compare.controls import pointer, schemes_and_text
from ui.compare.distance import by_distance
from ui.compare.measures import measures, what_measures_hide
from ui.compare.past import past_training
from ui.compare.pictures import contributions, similarity
from ui.compare.request import checked_keys, checked_text, comparison, settings_sidebar, show_code
from ui.compare.units import unit_control
from ui.i18n import _
from ui.settings import state
from ui.shared.page import draw_first
from ui.shared.rows import origin

st.title(_("Positional schemes side by side"))
settings_sidebar()
prepared, place = schemes_and_text()
for notice in prepared.notices:
    st.warning(notice)
keys = checked_keys()
request = checked_text(prepared.text) if prepared.text else None
if not prepared.text:
    st.info(_("The text is empty: type something, or choose an example."))
elif keys and request is not None:
    position, head = pointer(request, place, n_positions=state.get("positions"), n_heads=keys[0].n_heads)
    st.caption(origin(request))
    shown = comparison(keys, request, position=position, head=head)
    contributions(shown)
    draw_first()
    st.header(_("How alike two positions are"))
    unit_control(shown)
    by_distance(shown)
    similarity(shown)
    attention(shown)
    measures(shown)
    what_measures_hide(shown)
    past_training(shown)
    show_code(shown)
