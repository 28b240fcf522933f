"""Train short, test long: what positional schemes do at lengths that training never had."""

from pathlib import Path

import streamlit as st

from ui.extrapolation.chart import by_length, table_by_length
from ui.extrapolation.claims import claims
from ui.extrapolation.controls import experiment_choice, measure_choice, text_to_train_on, training_sidebar
from ui.extrapolation.details import fixed_settings, origin, show_code, task_in_words
from ui.extrapolation.progress import runs_in_hand
from ui.extrapolation.published import published
from ui.extrapolation.questions import page_questions
from ui.extrapolation.reading import how_we_decide, orders, verdicts
from ui.extrapolation.request import checked_request
from ui.extrapolation.results import results_of, values_of
from ui.i18n import _
from ui.shared.questions import questions

st.html(Path(__file__).parent.parent / "ui" / "extrapolation" / "style.css")
st.title(_("Length extrapolation"))
training_sidebar()
with st.container(horizontal=True, gap="medium"):
    experiment_choice()
    measure_choice()
if (request := checked_request(text_to_train_on())) is not None:
    results = results_of(request)
    task_in_words(request)
    verdicts(results)
    runs_in_hand(request, results)
    by_length(results)
    if values_of(results):
        table_by_length(results)
    orders(results)
    how_we_decide(results)
    claims()
    published(results)
    origin(request, results)
    fixed_settings(request)
    show_code(results)
    questions(page_questions(results), key="lengths-questions")
