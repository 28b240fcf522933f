"""Train short, test long: what positional schemes make of lengths that training never had."""

import streamlit as st

from ui.extrapolation.controls import experiment_choice, measure_choice, training_sidebar, what_to_compare
from ui.extrapolation.origin import origin
from ui.extrapolation.progress import runs_in_hand
from ui.extrapolation.request import checked_request
from ui.extrapolation.runs import results_of
from ui.i18n import _

st.title(_("Train short, test long"))
training_sidebar()
with st.container(horizontal=True, gap="large"):
    experiment_choice()
    measure_choice()
what_to_compare()
if (request := checked_request()) is not None:
    results = results_of(request)
    runs_in_hand(request, results)
    origin(request, results)
