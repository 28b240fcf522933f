"""The embedding matrix as a layer: lookup, its cost, its initialisation, and which rows learn."""

from pathlib import Path

import streamlit as st

from ui.embedding_layer.cost import lookup_cost
from ui.embedding_layer.examples import title_and_examples
from ui.embedding_layer.gradients import which_rows_learn
from ui.embedding_layer.layers import for_implementers, position_layer
from ui.embedding_layer.lookup import lookup_and_product, matrix_and_rows
from ui.embedding_layer.models import known_models
from ui.embedding_layer.questions import page_questions, show_code
from ui.embedding_layer.request import checked_request, matrix_for, settings_sidebar
from ui.embedding_layer.starts import initialisations
from ui.export import set_data_source
from ui.shared.page_fragment import page_fragment
from ui.shared.questions import questions
from ui.shared.text.text_area import current_text, show_notices, text_area

st.html(Path(__file__).parent.parent / "ui" / "embedding_layer" / "style.css")
matrix = settings_sidebar(current_text().text)


def layer() -> None:
    """Draw the title with its examples, the text, and all that follows them."""
    title_and_examples()
    prepared = text_area()
    show_notices(prepared)
    if matrix_for(prepared.text) != matrix:  # which the sidebar shows
        st.rerun()
    if not prepared.text or (request := checked_request(prepared.text)) is None:
        return
    set_data_source(request.origin.in_files)
    matrix_and_rows(request)
    lookup_and_product(request)
    lookup_cost()
    position_layer(request)
    initialisations(request)
    which_rows_learn(request)
    known_models(request)
    if not request.by_hand:
        for_implementers(request)
    show_code(request)
    questions(page_questions(request), key="layer-questions")


page_fragment(layer)
