"""Positional schemes side by side: on the reader's own text, at one scale, in the same numbers."""

import streamlit as st

from ui.compare.attention import attention
from ui.compare.controls import pointer, text_to_compare, token_to_mark
from ui.compare.decide import decision_table
from ui.compare.distance import by_distance
from ui.compare.measures import measures
from ui.compare.past import past_training
from ui.compare.pictures import contributions, similarity
from ui.compare.request import (
    checked_keys,
    checked_text,
    comparison,
    scheme_controls,
    settings_sidebar,
    show_code,
    sources,
)
from ui.compare.units import unit_control
from ui.components.browser import narrow, section, should_draw_section
from ui.export import source_is
from ui.i18n import _
from ui.settings import state
from ui.shared.follow import follow
from ui.shared.rows import origin
from ui.shared.text.text_area import show_notices

st.title(_("Positional schemes compared"))
scheme_controls(narrow=narrow())
settings_sidebar()
keys = checked_keys()
if keys:
    decision_table(keys)


def side_by_side() -> None:
    """Draw the pointer, the text, and all that follows them; without a text, what needs none."""
    # The pictures need the text that is set below them, from which on the page is about it.
    pictures, text_place = st.container(), st.container(key="compare-text")
    with text_place:
        prepared = text_to_compare()
        show_notices(prepared)
        request = checked_text(prepared.text) if prepared.text else None
        if keys and request is not None:
            token_to_mark(request)
            st.caption(origin(request))
    if not keys:
        return
    with pictures:
        st.header(_("What each scheme does"))
        position, head = pointer(request, n_positions=state.get("positions"), n_heads=keys[0].n_heads)
        compared = comparison(keys, request, position=position, head=head)
        source_is(sources(compared))
        contributions(compared)
    if compared.request is not None:
        attention(compared, compared.request)
    with section():
        st.header(_("Similarity of positions"))
        if should_draw_section("compare-similarity", height=1348, phone=1633):
            unit_control(compared)
            by_distance(compared)
            similarity(compared)
    measures(compared)
    past_training(compared)
    if compared.request is not None:
        show_code(compared, compared.request)


follow(side_by_side)
