"""All that is drawn of a training: again twice a second while it goes on, in whole runs of the page otherwise."""

import streamlit as st

from embedlib.word2vec import WordCorpus
from ui.export import set_data_source
from ui.i18n import _
from ui.jobs import News, live
from ui.shared.page import draw_first
from ui.shared.questions import questions
from ui.shared.text.source import Source
from ui.training.analogies import analogies
from ui.training.cloud import cloud, say_missing, step_in_view, view_of
from ui.training.corpora import text_in_words
from ui.training.files import save_and_load
from ui.training.moved import moved
from ui.training.neighbours import neighbours
from ui.training.questions import page_questions, show_code
from ui.training.run import Run
from ui.training.scores import scores
from ui.training.transport import SECONDS_BETWEEN, news_of, recording_of, transport
from ui.training.view import Recording

SECONDS_BETWEEN_PANELS = 1.5  # charts are dear to draw: a slow machine must still have time for its reader


def show(run: Run, source: Source, corpus: WordCorpus) -> None:
    """Draw a training."""
    recording = recording_of(run)
    say_missing(view_of(recording))
    if recording.state == "training":
        _live_picture(run, source, corpus)
        _live_panels(run, source, corpus)
    else:
        with st.container():  # a fragment has one too: all stays in its place as the training ends
            _picture(recording, source, corpus)
        with st.container():
            _panels(recording, source, corpus)
        view = view_of(recording)
        show_code(view, source)
        questions(page_questions(view), section="training-questions", height=692, phone=801)


@live(SECONDS_BETWEEN)
def _live_picture(run: Run, source: Source, corpus: WordCorpus) -> News:
    recording = recording_of(run)
    if recording.state != "training":
        st.rerun()
    _picture(recording, source, corpus)
    return news_of(run)


@live(SECONDS_BETWEEN_PANELS)
def _live_panels(run: Run, source: Source, corpus: WordCorpus) -> News:
    recording = recording_of(run)
    if recording.state != "training":
        st.rerun()
    _panels(recording, source, corpus)
    return news_of(run)


def _picture(recording: Recording, source: Source, corpus: WordCorpus) -> None:
    transport(recording, step_in_view(recording))
    cloud(view_of(recording), text_in_words(source, corpus))


def _panels(recording: Recording, source: Source, corpus: WordCorpus) -> None:
    view = view_of(recording)
    set_data_source(_("trained here, {steps:,} steps").format(steps=recording.last))
    neighbours(view)
    draw_first()
    analogies(view)
    scores(view)
    moved(view)
    save_and_load(view, source, corpus)
