"""A training as one visitor sees it: as much of the shared run as they have watched, one step and one word of it."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal

import streamlit as st
from torch import Tensor

from embedlib.projection import RowAxes
from embedlib.word2vec import RowHistory
from ui.i18n import _
from ui.settings import state
from ui.training.request import Request
from ui.training.run import Run

State = Literal["fresh", "training", "paused", "done", "diverged"]
LONG = 6  # letters
_PICKED = "shown_train_word"


@dataclass(frozen=True)
class Recording:
    """The shared run, as far as this visitor has watched it."""

    run: Run  # whose rows are shown; other visitors may share it and be further
    last: int  # the newest kept step that this visitor may see; where training diverged, the last sound one
    state: State  # "training" while more is requested

    @property
    def request(self) -> Request:
        """The request of the run; (request, step) is the cache key of results of a step's rows."""
        return self.run.request

    @property
    def history(self) -> RowHistory:
        """The rows and losses of the whole run, which may be further than `last`."""
        return self.run.history

    @property
    def kinds(self) -> tuple[str | None, ...]:
        """The kind of each word, a key of embedlib.grammar.KINDS; None for words without one."""
        return self.run.kinds

    @property
    def has_kinds(self) -> bool:
        """True if any word of the text has a known kind."""
        return self.run.has_kinds

    @property
    def kept_steps(self) -> tuple[int, ...]:
        """The kept steps up to `last`, rising."""
        return tuple(step for step in self.run.kept_steps if step <= self.last)

    @property
    def losses(self) -> Tensor:
        """The loss of every step up to `last`, or to where training diverged, float32; nan where it is not known."""
        return self.history.losses if self.state == "diverged" else self.history.losses[: self.last + 1]


@dataclass(frozen=True)
class TrainingView:
    """One step of a recording, and one word of it."""

    recording: Recording
    step: int  # a kept step, at most recording.last; all panels show it
    word: int | None  # the chosen row
    axes: RowAxes  # of the cloud

    @property
    def cache_key(self) -> Hashable:
        """Cache key of drawings of the view, without the word, the axes and the steps computed so far."""
        return self.request, self.recording.last, len(self.recording.losses), self.step

    @property
    def request(self) -> Request:
        """The request of the run."""
        return self.recording.request

    @property
    def history(self) -> RowHistory:
        """Rows and losses; ask recording.kept_steps and recording.losses for what this visitor may see of them."""
        return self.recording.history

    @property
    def kinds(self) -> tuple[str | None, ...]:
        """The kind of each word; all None unless recording.has_kinds."""
        return self.recording.kinds

    @property
    def words(self) -> tuple[str, ...]:
        """The word of each row, the most frequent first."""
        return self.recording.history.words

    @property
    def first(self) -> int:
        """The step before any training."""
        return self.recording.history.steps[0]

    @property
    def rows(self) -> Tensor:
        """The rows at this step, (vocab_size, d_model) float32. Only read them."""
        return self.recording.history.rows(self.step)


def default_word(view: TrainingView) -> int:
    """Return the chosen row; else king's, or that of the most frequent word that is long enough to mean much."""
    if view.word is not None:
        return view.word
    if view.recording.has_kinds and "king" in view.words:
        return view.words.index("king")
    return next((row for row, word in enumerate(view.words) if len(word) >= LONG), 0)


def word_picker(view: TrainingView) -> None:
    """Draw the choice of a word, empty until one is chosen, so that the default can be chosen too."""
    chosen = None if view.word is None else view.words[view.word]
    st.session_state[_PICKED] = chosen
    st.selectbox(
        _("Word"),
        view.words,
        index=None,
        placeholder=view.words[default_word(view)],
        width=320,
        help=_("You can also choose a word at its point in the picture."),
        key=_PICKED,
        on_change=_apply_word,
    )


def _apply_word() -> None:
    state.put(train_word=st.session_state[_PICKED] or "")
