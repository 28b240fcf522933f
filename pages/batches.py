"""A text becomes batches: windows of ids, their targets one id further on, and the block of vectors they make."""

from pathlib import Path

import streamlit as st

from ui.batches.batch import batch_in_view
from ui.batches.block import show_block
from ui.batches.examples import load_example
from ui.batches.ladder import shapes
from ui.batches.pairs import inputs_and_targets
from ui.batches.questions import ask
from ui.batches.request import checked_request, plan_controls, settings_sidebar, show_code, sizes, source_section
from ui.batches.windows import windows_over_the_text
from ui.i18n import _
from ui.shared.page import draw_first

st.html(Path(__file__).parent.parent / "ui" / "batches" / "style.css")
st.title(_("From a text to batches"))
settings_sidebar()
load_example()
source = source_section()
plan_controls()
request = checked_request(source)
if request is not None:
    st.caption(sizes(request))
    batch = batch_in_view(request)
    windows_over_the_text(request, batch)
    inputs_and_targets(request, batch)
    shapes(request, batch)
    show_block(batch)
    draw_first()
    show_code(request)
    ask(request, batch)
