"""The word that panels are about: the reader's, and one that says something until they have chosen."""

import streamlit as st

from ui.i18n import _
from ui.settings import state
from ui.training.view import TrainingView

LONG = 6  # letters
_PICKED = "shown_train_word"


def word_of(view: TrainingView) -> int:
    """Return the chosen row; where none is, king's, or that of the most frequent word that is long enough to mean much.

    The most frequent words of all hold sentences together, and stand beside everything.
    """
    if view.word is not None:
        return view.word
    if view.recording.has_kinds and "king" in view.words:
        return view.words.index("king")
    return next((row for row, word in enumerate(view.words) if len(word) >= LONG), 0)


def word_picker(view: TrainingView) -> None:
    """Draw the choice of a word, empty until one is chosen: so that the one shown meanwhile may be chosen too."""
    chosen = None if view.word is None else view.words[view.word]
    st.session_state[_PICKED] = chosen
    st.selectbox(
        _("Word"),
        view.words,
        index=None,
        placeholder=_("{word}, until you choose one").format(word=view.words[word_of(view)]),
        width=320,
        help=_("Type to search. A click on a point of the cloud chooses too."),
        key=_PICKED,
        on_change=_pick,
    )


def _pick() -> None:
    state.put(train_word=st.session_state[_PICKED] or "")
    state.dismiss_notices()
