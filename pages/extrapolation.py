"""Train short, test long: what positional schemes make of lengths that training never had."""

from pathlib import Path

import streamlit as st

from ui.extrapolation.caveats import caveat, choices_of_training, origin, show_code, task_in_words
from ui.extrapolation.chart import by_length, table_by_length
from ui.extrapolation.controls import experiment_choice, measure_choice, training_sidebar, what_to_compare
from ui.extrapolation.progress import runs_in_hand
from ui.extrapolation.published import published
from ui.extrapolation.questions import page_questions
from ui.extrapolation.reading import what_it_says
from ui.extrapolation.request import checked_request
from ui.extrapolation.results import results_of
from ui.i18n import _
from ui.shared.page import draw_first
from ui.shared.questions import questions

st.html(Path(__file__).parent.parent / "ui" / "extrapolation" / "style.css")
st.title(_("Train short, test long"))
training_sidebar()
with st.container(horizontal=True, gap="medium"):
    experiment_choice()
    measure_choice()
if (request := checked_request(what_to_compare())) is not None:
    task_in_words(request)
    results = results_of(request)
    runs_in_hand(request, results)
    by_length(results)
    caveat(request)
    draw_first()
    what_it_says(results)
    table_by_length(results)
    published(results)
    choices_of_training(request)
    origin(request, results)
    show_code(results)
    questions(page_questions(results))
