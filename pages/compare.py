"""Positional schemes side by side: on the reader's own text, at one scale, in the same numbers."""

import streamlit as st

from embedlib.i18n import N_
from ui.compare.attention import attention
from ui.compare.controls import marked_token_choice, pointer_controls, text_to_compare
from ui.compare.decide import decision_table
from ui.compare.distance import by_distance
from ui.compare.measures import implementers, measures
from ui.compare.past import past_training
from ui.compare.pictures import contributions, similarity
from ui.compare.request import (
    Comparison,
    checked_keys,
    checked_text,
    comparison,
    scheme_controls,
    scheme_sources,
    settings_sidebar,
    show_code,
)
from ui.compare.units import unit_control
from ui.components.browser import is_narrow
from ui.embed import section_scope
from ui.export import set_data_source
from ui.i18n import _
from ui.settings import state
from ui.shared.origin import rows_sentence
from ui.shared.page import page_title, section
from ui.shared.page_fragment import page_fragment
from ui.shared.schemes import SIMILARITY_LEAD
from ui.shared.text.text_area import show_notices

FEW = 4  # schemes whose pictures have room beside what is said of them

page_title()
scheme_controls(narrow=is_narrow())
settings_sidebar()
keys = checked_keys()


@section("compare-similarity", N_("Similarity of positions"), lead=SIMILARITY_LEAD)
def similarities(compared: Comparison) -> None:
    """Show how similar positions are, by distance and pair by pair."""
    unit_control(compared)
    by_distance(compared)
    similarity(compared)


def side_by_side() -> None:
    """Draw the pointer, the text, and all that follows them; without a text, what needs none."""
    # The pictures need the text that is set below them, from which on the page is about it.
    pictures, glance, text_place = st.container(), st.container(), st.container(key="compare-text")
    with text_place:
        prepared = text_to_compare()
        show_notices(prepared)
        request = checked_text(prepared.text) if prepared.text else None
        if keys and request is not None:
            with section_scope("compare-tokens"):
                marked_token_choice(request)
            st.caption(rows_sentence(request))
    if not keys:
        return
    with pictures:
        with section_scope("compare-schemes") as is_drawn:
            with st.container(key=f"schemes-{'few' if len(keys) <= FEW else 'many'}"):
                with st.container(key="schemes-lead"):
                    st.header(_("What each scheme does"))
                    st.write(
                        _(
                            "Each picture shows the numbers by which a scheme marks positions; the coloured line under "
                            "its name says where they go, and the sentence below the picture says how the scheme "
                            "works. Rows that are added and rotations belong to a position: follow the marked one "
                            "across. Changes of the score belong to a pair: a query, which looks, and a key, which is "
                            "looked at."
                        )
                    )
                    n_heads = keys[0].n_heads
                    position, head = pointer_controls(request, n_positions=state.get("positions"), n_heads=n_heads)
                compared = comparison(keys, request, position=position, head=head)
                set_data_source(scheme_sources(compared))
                if is_drawn:
                    with st.container(key="schemes-pictures"):
                        contributions(compared)
    with glance:
        decision_table(keys)
    if compared.request is not None:
        attention(compared, compared.request)
    similarities(compared)
    measures(compared)
    past_training(compared)
    implementers(compared)
    if compared.request is not None:
        show_code(compared, compared.request)


page_fragment(side_by_side)
