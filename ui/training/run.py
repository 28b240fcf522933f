"""A training that everybody with the same settings shares: it stands still unless somebody wants more of it."""

import threading
import time
from collections.abc import Iterator

import torch

from embedlib.grammar import kinds_of
from embedlib.maps import Cancelled
from embedlib.row_axes import By, RowAxes, fit_row_axes
from embedlib.row_history import RowHistory, kept_steps, look_ahead
from embedlib.skip_gram import SkipGramState, SkipGramStep, resume_skip_gram, skip_gram
from embedlib.word_corpus import WordCorpus
from ui.job import Report
from ui.training.request import Request

SLICE = 0.5  # seconds of training after which another visitor may have a turn
_MOST_ASKED = 200  # steps that are kept because somebody stopped there


class Run:
    """Rows in training, their history, and the state in which they can be saved.

    Args:
        request: what is trained on what.
        corpus: the words.
        begun: a saved state to go on from; None begins anew.
        device: where rows are trained; None means CPU.
    """

    def __init__(
        self,
        request: Request,
        corpus: WordCorpus,
        *,
        begun: SkipGramState | None = None,
        device: torch.device | None = None,
    ) -> None:
        words = corpus.words
        self.request = request
        self.device = device or torch.device("cpu")
        self.kinds = tuple(kinds_of(words)) if request.corpus == "grammar" else (None,) * len(words)
        self.has_kinds = any(kind is not None for kind in self.kinds)
        self.history = RowHistory(words, corpus.counts, request.config)
        self.scheduled = kept_steps(request.config, len(words))
        self.begun_at = 0 if begun is None else begun.step
        self.diverged = False
        self.error: BaseException | None = None  # what stopped the training other than its own numbers
        self.slices = 0  # that are over
        self._axes: dict[tuple[By, int], RowAxes] = {}
        self._lock = threading.Lock()  # of the steps: one thread takes them
        steps = skip_gram(corpus, request.config, device=device)
        start = next(steps)
        self.history.add(0, start.loss, start.rows)
        self.state = start.state() if begun is None else begun  # as it was when the last slice ended
        if begun is not None:
            steps = resume_skip_gram(corpus, begun, device=device)
            if begun.step:
                self.history.add(begun.step, torch.nan, begun.tensors["rows"])
        self._steps: Iterator[SkipGramStep] | None = steps

    @property
    def at(self) -> int:
        """The step at which the training stands."""
        return self.history.last

    @property
    def over(self) -> bool:
        """Whether no step can follow."""
        return self.diverged or self.error is not None or self.at == self.request.config.steps

    @property
    def nbytes(self) -> int:
        """About how many bytes it takes once it is over, with what it needs on the way."""
        table = 4 * len(self.kinds) * self.request.config.d_model
        return (len(self.scheduled) + 18) * table

    def goal_after(self, step: int) -> int:
        """Return the step that is next for who stands at one: the one after it, or the next that is kept already."""
        ahead = [kept for kept in self.history.kept if kept > step]
        if ahead:
            return ahead[0]
        if len(self.history.kept) < len(self.scheduled) + _MOST_ASKED:
            return min(self.at + 1, self.request.config.steps)
        return next(kept for kept in (*self.scheduled, self.request.config.steps) if kept > step)

    def train(self, goal: int, report: Report | None = None, *, seconds: float = SLICE) -> None:
        """Take steps until a goal, or until the time is up; the rows at the goal are kept.

        Args:
            goal: at most config.steps.
            report: hears of every step; raises Cancelled where nobody wants more.
            seconds: how long this may take.
        """
        if not self._lock.acquire(blocking=False):  # another thread is at it
            return
        try:
            self._train(goal, report, time.monotonic() + seconds)
        except Cancelled:
            raise
        except BaseException as error:
            self.error = error
            raise
        finally:
            self.slices += 1
            self._lock.release()

    def _train(self, goal: int, report: Report | None, until: float) -> None:
        step = None
        try:
            while self._steps is not None and not self.over and self.at < goal and time.monotonic() < until:
                if report is not None:
                    report(self.at / self.request.config.steps)
                step = next(self._steps)
                keep = step.diverged or step.step == goal or step.step in self.scheduled
                self.diverged = step.diverged
                self.history.add(step.step, step.loss, step.rows if keep else None)
        finally:
            if step is not None:
                self.state = step.state()
            if self.over:
                self._steps = None  # with the optimiser's tables

    def axes(self, by: By, fit: str) -> RowAxes:
        """Return axes that are held: see Recording.axes."""
        steps = self.request.config.steps
        wanted = [0, look_ahead(self.request.config), *([steps] if fit == "last" else [])]
        kept = self.history.kept
        step = max(step for step in wanted if step in kept)
        if self.diverged and step < wanted[1]:
            step = kept[-1]
        key = (by, step)
        if key not in self._axes:
            kinds = self.kinds if by == "kinds" and self.has_kinds else None
            self._axes[key] = fit_row_axes(self.history.rows(step), kinds=kinds, step=step)
        return self._axes[key]
