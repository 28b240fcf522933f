"""A text becomes batches: windows of ids, their targets one id further on, and the block of vectors they make."""

from pathlib import Path

import streamlit as st

from ui.batches.batch import batch_in_view
from ui.batches.block import show_block
from ui.batches.examples import title_and_examples
from ui.batches.ladder import shape_ladder
from ui.batches.pairs import inputs_and_targets
from ui.batches.questions import page_questions
from ui.batches.request import checked_request, settings_sidebar, show_code, source_section
from ui.batches.windows import batch_navigation, windows_over_the_text
from ui.embed import shared_controls
from ui.export import set_data_source
from ui.shared.origin import Origin
from ui.shared.questions import questions

st.html(Path(__file__).parent.parent / "ui" / "batches" / "style.css")
settings_sidebar()
title_and_examples()
source = source_section()
request = checked_request(source)
if request is not None:
    set_data_source(Origin(request.table, request.seed).in_files)
    batch = batch_in_view(request)
    with shared_controls("batch", "batches-pairs", "batches-windows", "batches-block"):
        batch_navigation(request)
    inputs_and_targets(batch)
    windows_over_the_text(request, batch)
    shape_ladder(request, batch)
    show_block(batch)
    show_code(request)
    questions(page_questions(request, batch), key="batches-questions")
