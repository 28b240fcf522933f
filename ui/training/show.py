"""All that is drawn of a training: again twice a second while it goes on, in whole runs of the page otherwise."""

import streamlit as st

from embedlib.word_corpus import WordCorpus
from ui.pacing import draw_first
from ui.questions import questions
from ui.training.analogies import analogies
from ui.training.asked import page_questions
from ui.training.cloud import cloud, picture_sidebar, step_in_view, view_of
from ui.training.code import show_code
from ui.training.corpora import Source, told
from ui.training.files import save_and_load
from ui.training.moved import moved
from ui.training.neighbours import neighbours
from ui.training.recording import Recording
from ui.training.run import Run
from ui.training.scores import scores
from ui.training.transport import transport
from ui.training.watching import SECONDS_BETWEEN, recording_of


def show(run: Run, source: Source, corpus: WordCorpus) -> None:
    """Draw a training."""
    picture_sidebar(has_kinds=run.has_kinds)
    recording = recording_of(run)
    if recording.state == "training":
        # Streamlit forgets the interval with the first whole run that does not come here.
        st.fragment(_live, run_every=SECONDS_BETWEEN)(run, source, corpus)
    else:
        with st.container():  # a fragment has one too: all stays in its place as the training ends
            _draw(recording, source, corpus)
        view = view_of(recording)
        show_code(view, source)
        questions(page_questions(view))


def _live(run: Run, source: Source, corpus: WordCorpus) -> None:
    recording = recording_of(run)
    if recording.state != "training":
        st.rerun()
    _draw(recording, source, corpus)


def _draw(recording: Recording, source: Source, corpus: WordCorpus) -> None:
    transport(recording, step_in_view(recording))
    view = view_of(recording)
    cloud(view, told(source, corpus))
    neighbours(view)
    draw_first()
    analogies(view)
    scores(view)
    moved(view)
    save_and_load(view, source, corpus)
