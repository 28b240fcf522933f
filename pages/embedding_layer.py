"""The embedding matrix as a layer: picking rows, what that saves, how rows begin and which of them learn."""

from pathlib import Path

import streamlit as st

from ui.embedding_layer.cost import lookup_cost
from ui.embedding_layer.examples import example_pills
from ui.embedding_layer.gradients import which_rows_learn
from ui.embedding_layer.layers import position_layer, second_layer
from ui.embedding_layer.lookup import matrix_and_rows, token_line, two_ways
from ui.embedding_layer.models import known_models
from ui.embedding_layer.questions import page_questions, show_code
from ui.embedding_layer.request import checked_request, ids_field, settings_sidebar
from ui.embedding_layer.starts import how_rows_begin
from ui.i18n import _
from ui.shared.page import draw_first
from ui.shared.questions import questions
from ui.shared.text.text_area import text_area

st.html(Path(__file__).parent.parent / "ui" / "embedding_layer" / "style.css")
st.title(_("The embedding layer"))
example_pills()
prepared = text_area()
settings_sidebar(prepared.text)
ids_field()
for notice in prepared.notices:
    st.warning(notice)
if not prepared.text:
    st.info(_("The text is empty: type something, or choose an example."))
elif (request := checked_request(prepared.text)) is not None:
    chosen = token_line(request)
    matrix_and_rows(request)
    two_ways(request, chosen)
    lookup_cost()
    draw_first()
    second_layer(request)
    position_layer(request)
    how_rows_begin(request)
    which_rows_learn(request)
    known_models(request)
    show_code(request)
    questions(page_questions(request))
