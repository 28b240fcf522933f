"""The page of a training: fragments that rerun twice a second while it runs, full reruns otherwise."""

import streamlit as st

from embedlib.word2vec import WordCorpus
from ui.embed import embeddable
from ui.export import set_data_source
from ui.i18n import _
from ui.jobs import SECONDS_RUNNING, SECONDS_WAITING
from ui.page_runs import fragment
from ui.shared.page import pause_for_first_paint
from ui.shared.questions import questions
from ui.shared.text.source import Source
from ui.training.analogies import analogies
from ui.training.cloud import cloud, current_view, implementation_note, note_missing, step_in_view
from ui.training.corpora import describe_text
from ui.training.files import save_and_load
from ui.training.moves import moved_rows
from ui.training.neighbours import neighbours
from ui.training.pair import one_pair
from ui.training.questions import page_questions, show_code
from ui.training.run import Run
from ui.training.runs import n_training
from ui.training.scores import scores
from ui.training.transport import current_recording, transport
from ui.training.view import Recording

_PANELS = 3.0  # times as long between two drawings of the charts, or a slow machine has no time for its reader


def show_training(run: Run, source: Source, corpus: WordCorpus) -> None:
    """Draw a training."""
    recording = current_recording(run)
    note_missing(current_view(recording))
    if recording.state == "training":
        every = _seconds_between()
        fragment(_live_picture, run_every=every)(run, source, corpus, every)
        fragment(_live_panels, run_every=_PANELS * every)(run, source, corpus, every)
    else:
        with st.container():  # a fragment has one too: all stays in its place as the training ends
            _picture(recording, source, corpus)
        with st.container():
            _panels(recording, source, corpus)
        view = current_view(recording)
        show_code(view, source)
        questions(page_questions(view), key="training-questions")


def _seconds_between() -> float:
    """Return the seconds between two reruns: more where several trainings share the queue."""
    return min(SECONDS_RUNNING * max(n_training(), 1), SECONDS_WAITING)


def _live_picture(run: Run, source: Source, corpus: WordCorpus, every: float) -> None:
    _picture(_live_recording(run, every), source, corpus)


def _live_panels(run: Run, source: Source, corpus: WordCorpus, every: float) -> None:
    _panels(_live_recording(run, every), source, corpus)


def _live_recording(run: Run, every: float) -> Recording:
    """Return the current recording; rerun the page where it has ended, or can be drawn more often."""
    recording = current_recording(run)
    if recording.state != "training" or _seconds_between() < every:
        st.rerun()
    return recording


@embeddable("training-words")
def _picture(recording: Recording, source: Source, corpus: WordCorpus) -> None:
    transport(recording, step_in_view(recording))
    cloud(current_view(recording), describe_text(source, corpus, recording.run.request.config.d_model))


def _panels(recording: Recording, source: Source, corpus: WordCorpus) -> None:
    view = current_view(recording)
    set_data_source(_("trained here, {steps:,} steps").format(steps=recording.last))
    one_pair(view, corpus)
    neighbours(view)
    pause_for_first_paint()
    analogies(view)
    scores(view)
    moved_rows(view)
    save_and_load(view, source, corpus)
    with st.expander(_("For implementers")):
        st.write(implementation_note(view))
