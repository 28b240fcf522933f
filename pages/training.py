"""Rows in training: from drawn by chance to lying beside those of the same meaning, in front of the reader."""

from pathlib import Path

import streamlit as st

from ui.i18n import _
from ui.jobs.view import this_visitor
from ui.shared.rows import show_english_note
from ui.training.cloud import picture_sidebar
from ui.training.corpora import corpus_of, source_section
from ui.training.files import look_for_waiting, request_for, run_of, take_up_waiting
from ui.training.request import settings_sidebar
from ui.training.runs import want_no_more
from ui.training.show import show

st.html(Path(__file__).parent.parent / "ui" / "training" / "style.css")
st.title(_("Training of word vectors"))
take_up_waiting()
source = source_section()
if source.name in ("grammar", "manual"):
    with st.sidebar:
        show_english_note()
picture_sidebar(has_kinds=source.name == "grammar")
settings_sidebar()
corpus = corpus_of(source)
if corpus is None:
    want_no_more(this_visitor())
else:
    look_for_waiting(source, corpus)
    show(run_of(request_for(source), source, corpus), source, corpus)
