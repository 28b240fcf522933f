"""Rows in training: from drawn by chance to lying beside those of the same meaning, in front of the reader."""

from pathlib import Path

import streamlit as st

from ui.jobs.view import this_visitor
from ui.shared.page import page_title
from ui.shared.rows import show_english_note
from ui.training.cloud import picture_sidebar
from ui.training.corpora import load_corpus, source_section
from ui.training.files import build_request, check_pending, resume_pending, shared_run
from ui.training.request import settings_sidebar
from ui.training.runs import cancel_requests
from ui.training.show import show_training

st.html(Path(__file__).parent.parent / "ui" / "training" / "style.css")
page_title()
resume_pending()
source = source_section()
if source.name in ("grammar", "manual"):
    with st.sidebar:
        show_english_note()
picture_sidebar(has_kinds=source.name == "grammar")
settings_sidebar()
corpus = load_corpus(source)
if corpus is None:
    cancel_requests(this_visitor())
else:
    check_pending(source, corpus)
    show_training(shared_run(build_request(source), source, corpus), source, corpus)
