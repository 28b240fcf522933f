"""A training shared by all visitors with the same settings: it pauses unless somebody requests more steps."""

import threading
import time
from collections.abc import Callable, Iterator
from secrets import token_hex

import numpy as np
import torch
from numpy.typing import NDArray

from embedlib.grammar import word_kinds
from embedlib.progress import Cancelled
from embedlib.projection import AxesBasis, RowAxes, fit_row_axes
from embedlib.word2vec import (
    RowHistory,
    SkipGramState,
    SkipGramStep,
    WordCorpus,
    axes_step,
    resume_skip_gram,
    skip_gram,
    steps_to_store,
)
from ui.jobs import Report
from ui.training.request import Request

SLICE = 0.5  # seconds
_MOST_ASKED = 200  # unscheduled steps that are stored because a visitor stopped there


class Run:
    """Rows in training, their history, and the state in which they can be saved.

    Args:
        request: what is trained on what.
        corpus: the words.
        begun: a saved state to resume; None starts at step 0.
        device: where rows are trained; None means CPU.
        slice_seconds: of training before the next run in the queue.
    """

    def __init__(
        self,
        request: Request,
        corpus: WordCorpus,
        *,
        begun: SkipGramState | None = None,
        device: torch.device | None = None,
        slice_seconds: float = SLICE,
    ) -> None:
        words = corpus.words
        self.request = request
        self.name = token_hex(8)  # distinguishes it from earlier runs of the same request
        self.device = device or torch.device("cpu")
        self.kinds = tuple(word_kinds(words)) if request.corpus == "grammar" else (None,) * len(words)
        self.has_kinds = any(kind is not None for kind in self.kinds)
        self.history = RowHistory(words, corpus.counts, request.config)
        self.scheduled = steps_to_store(request.config, len(words))
        self.begun_at = 0 if begun is None else begun.step
        self.sound_at: int | None = None  # where training went astray, the step to whose rows it was put back
        self.error: BaseException | None = None  # what stopped the training other than its own numbers
        self.slices = 0  # that are over
        self._slice_seconds = slice_seconds
        self._axes: dict[tuple[AxesBasis, int], RowAxes] = {}
        self._places: dict[tuple[AxesBasis, int, int], NDArray[np.float32]] = {}
        self._lock = threading.Lock()  # of the steps: one thread takes them
        self._corpus = corpus
        self._steps: Iterator[SkipGramStep] | None = skip_gram(corpus, request.config, device=device)
        self._step: SkipGramStep | None = next(self._steps)
        self.history.add(0, self._step.loss, self._step.rows)
        self.state = begun or self._step.state()  # as it was when the last slice ended
        if begun is not None and begun.step:
            self._steps = self._step = None
            self.history.add(begun.step, torch.nan, begun.tensors["rows"])

    @property
    def current_step(self) -> int:
        """The training's current step."""
        return self.history.last

    @property
    def diverged(self) -> bool:
        """True if training diverged."""
        return self.sound_at is not None

    @property
    def kept_steps(self) -> tuple[int, ...]:
        """The steps whose rows are stored, rising; of a diverged run, none after the last sound one."""
        kept, most = self.history.steps, self.sound_at
        return kept if most is None else tuple(step for step in kept if step <= most)

    @property
    def is_over(self) -> bool:
        """True if no step can follow: finished, diverged, or stopped by an error."""
        return self.diverged or self.error is not None or self.current_step == self.request.config.steps

    @property
    def nbytes(self) -> int:
        """Estimated bytes of the finished run, with its buffers."""
        n_rows, d_model = len(self.kinds), self.request.config.d_model
        return 4 * n_rows * ((len(self.scheduled) + 18) * d_model + 4 * 3 * len(self.scheduled))

    def goal_after(self, step: int) -> int:
        """Return the next step after one: the next stored one, else the next of training."""
        ahead = [kept for kept in self.kept_steps if kept > step]
        if ahead:
            return ahead[0]
        last = self.request.config.steps
        return (
            min(self.current_step + 1, last)
            if self._may_keep
            else next(kept for kept in self.scheduled if kept > self.current_step)
        )

    @property
    def _may_keep(self) -> bool:
        """True if more unscheduled steps, at which visitors stopped, may be stored."""
        return len(self.history.steps) < len(self.scheduled) + _MOST_ASKED

    def hold(self, seconds: float = 0.3) -> None:
        """Store the current rows, if the training pauses within a moment."""
        if self._lock.acquire(timeout=seconds):
            if self._step is not None and self._may_keep:
                self.history.add(self._step.step, self._step.loss, self._step.rows)
            self._lock.release()

    def train(
        self,
        goal: int,
        report: Report | None = None,
        *,
        seconds: float | None = None,
        is_free: Callable[[], bool] = lambda: False,
    ) -> None:
        """Train until a goal, or until the time is up; the rows at the goal are stored.

        Args:
            goal: at most config.steps.
            report: called after every step; raises Cancelled once no visitor requests more.
            seconds: how long this may take; None for one slice.
            is_free: called when the time is up; True allows another slice.
        """
        if not self._lock.acquire(blocking=False):  # another thread is at it
            return
        try:
            self._train(goal, report, self._slice_seconds if seconds is None else seconds, is_free)
            self._update_state()
        except Cancelled:
            self._update_state()
            raise
        except BaseException as error:  # the rows may be half updated: resume from the last state
            self.error, self._steps, self._step = error, None, None
            raise
        finally:
            self.slices += 1
            self._lock.release()

    def recover(self) -> None:
        """Clear the error, to retry from the last state."""
        self.error = None

    def _train(self, goal: int, report: Report | None, seconds: float, is_free: Callable[[], bool]) -> None:
        if self._steps is None and not self.is_over:
            self._steps = resume_skip_gram(self._corpus, self.state, device=self.device)
        until = time.monotonic() + seconds
        while self._steps is not None and not self.is_over and self.current_step < goal:
            if time.monotonic() >= until:
                if not is_free():
                    return
                self._update_state()
                until = time.monotonic() + seconds
            if report is not None:
                report(self.current_step / self.request.config.steps)
            self._record_step(next(self._steps), goal)

    def _record_step(self, step: SkipGramStep, goal: int) -> None:
        self._step = step
        if step.step > self.current_step:  # else it is done again, after a failure
            keep = not step.diverged and step.step in (goal, *self.scheduled)
            self.history.add(step.step, step.loss, step.rows if keep else None)
            if step.diverged:
                self.history.add_rows(step.rows_step, step.rows)
                self.sound_at = step.rows_step

    def _update_state(self) -> None:
        """Update the state from which the run is saved or resumed."""
        if self._step is not None:
            self.state = self._step.state()
        if self.is_over:
            self._steps = self._step = None  # with the optimiser's tables

    def axes(self, by: AxesBasis, fit: str) -> RowAxes:
        """Return cached axes: between kinds where they are known, fitted "ahead" or at the "last" step."""
        steps, kept = self.request.config.steps, self.kept_steps
        ahead = axes_step(self.request.config)
        if fit == "last" and steps in kept:
            step = steps
        else:  # a training that was begun elsewhere may be past the look-ahead step
            step = next((step for step in kept if step >= ahead), kept[-1] if self.diverged else 0)
        key = (by, step)
        if key not in self._axes:
            kinds = self.kinds if by == "kinds" and self.has_kinds else None
            self._axes[key] = fit_row_axes(self.history.rows(step), kinds=kinds, step=step)
        return self._axes[key]

    def places(self, axes: RowAxes, step: int) -> NDArray[np.float32]:
        """Return the coordinates of a kept step's rows along axes, (n_rows, 3) float32; read-only."""
        key = (axes.basis, axes.step, step)
        if key not in self._places:
            self._places[key] = axes.coordinates(self.history.rows(step)).numpy()
        return self._places[key]
