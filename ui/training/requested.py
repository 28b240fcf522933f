"""What was asked for and is not there: a step whose rows were not kept, a word without a row."""

import streamlit as st

from ui.i18n import _
from ui.settings import state
from ui.shared.markdown import as_code
from ui.training.cloud import step_in_view
from ui.training.recording import Recording
from ui.training.view import TrainingView
from ui.training.word_choice import word_of


def missing_said(view: TrainingView) -> None:
    """Say which step or word is shown in place of one that was asked for."""
    for sentence in (_step_missing(view.recording), _word_missing(view)):
        if sentence:
            st.warning(sentence)


def _step_missing(recording: Recording) -> str | None:
    asked: int | None = state.get("train_step")
    if asked is None:
        return None
    shown, steps = step_in_view(recording), recording.request.config.steps
    names = {"asked": asked, "shown": shown, "steps": steps}
    if asked > steps:
        return _("Step {asked:,} was asked for, but this training ends at step {steps:,}: that is shown.").format(
            **names
        )
    if asked == shown or recording.state == "training":
        return None
    if asked > recording.last:
        return _("Step {asked:,} was asked for, and the training is not there yet: step {shown:,} is in view.").format(
            **names
        )
    return _(
        "Step {asked:,} was asked for, but its rows were not kept: step {shown:,}, the nearest that was, is in view."
    ).format(**names)


def _word_missing(view: TrainingView) -> str | None:
    asked = state.get("train_word")
    if not asked or asked in view.words:
        return None
    return _("The word {asked} was asked for, but has no row: {shown} is in its place.").format(
        asked=as_code(asked[:40]), shown=as_code(view.words[word_of(view)])
    )
