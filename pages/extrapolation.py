"""Train short, test long: positional schemes at lengths longer than in training."""

from pathlib import Path

import streamlit as st

from ui.embed import shared_controls
from ui.extrapolation.chart import by_length, table_by_length
from ui.extrapolation.claims import claims
from ui.extrapolation.controls import experiment_choice, measure_choice, text_to_train_on, training_sidebar
from ui.extrapolation.details import describe_task, implementers, show_code
from ui.extrapolation.mechanism import mechanism
from ui.extrapolation.progress import show_pending_runs
from ui.extrapolation.published import published_figures
from ui.extrapolation.questions import page_questions
from ui.extrapolation.request import checked_request
from ui.extrapolation.results import collect_results, scores_by_line
from ui.extrapolation.verdicts import show_orders, show_reasons, show_verdict_rule, show_verdicts
from ui.shared.page import page_title
from ui.shared.questions import questions

st.html(Path(__file__).parent.parent / "ui" / "extrapolation" / "style.css")
page_title()
training_sidebar()
with shared_controls("experiment", "lengths-chart", "lengths-table"), st.container(horizontal=True, gap="medium"):
    experiment_choice()
    measure_choice()
if (request := checked_request(text_to_train_on())) is not None:
    results = collect_results(request)
    describe_task(request)
    show_verdicts(results)
    show_pending_runs(request, results)
    by_length(results)
    show_reasons(results)
    if scores_by_line(results):
        mechanism(results)
        table_by_length(results)
    show_orders(results)
    show_verdict_rule(results)
    claims()
    published_figures(results)
    implementers(request, results)
    show_code(results)
    questions(page_questions(results), key="lengths-questions")
