"""The program behind the training page."""

import streamlit as st

from embedlib.programs.training import training_program
from ui.i18n import _
from ui.training import measured
from ui.training.analogies import SHOWN as ANSWERS
from ui.training.analogy_words import asked_of
from ui.training.corpora import Source
from ui.training.neighbours import SHOWN
from ui.training.view import TrainingView
from ui.training.word_choice import word_of

SAVED = "training.safetensors"  # the name under which the page saves a training


def show_code(view: TrainingView, source: Source) -> None:
    """Show the program that prints the numbers of the step in view."""
    st.header(_("The code"))
    st.caption(
        _(
            "It trains up to step {step:,} and prints the numbers of this page. Run it in the folder of this project."
        ).format(step=view.step)
    )
    st.code(program(view, source), language="python")


def program(view: TrainingView, source: Source) -> str:
    """Write the program that trains up to the step in view and prints what the panels show of it."""
    request, run, asked = view.request, view.recording.run, asked_of(view)
    now = measured.scores(view.recording, view.step)[view.step]
    words = view.words
    return training_program(
        request.corpus,
        request.config,
        view.step,
        text=source.text,
        file=request.file or "",
        min_count=request.min_count,
        most_words=request.most_words,
        loaded=(SAVED, run.begun_at) if request.loaded else None,
        has_kinds=now.kinds is not None,
        has_relations=bool(now.right),
        word=words[word_of(view)],
        k=min(SHOWN, len(words) - 1),
        asked=() if asked is None else [words[row] for row in asked.rows],
        n_answers=0 if asked is None else min(ANSWERS, len(words) - len(set(asked.rows))),
        expected=None if asked is None or asked.expected is None else words[asked.expected],
    )
