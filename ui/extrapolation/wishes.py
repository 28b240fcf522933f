"""What a visitor waits for: runs that they asked for and that are not over, wherever in the app they look meanwhile."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import streamlit as st

from embedlib.extrapolation.experiments import Unit
from embedlib.extrapolation.tasks import Task
from ui import cache
from ui.extrapolation.outcomes import runs, work_of
from ui.extrapolation.request import Request
from ui.jobs.view import this_visitor

_KEY = "extrapolation_wishes"


@dataclass
class Wishes:
    """Runs asked for since there were none.

    Attributes:
        pending: those that wait or run, each with what it is trained on.
        n_asked: how many there were.
        failed: those that ended in an error.
    """

    pending: dict[Unit, Task] = field(default_factory=dict)
    n_asked: int = 0
    failed: list[Unit] = field(default_factory=list)

    @property
    def n_over(self) -> int:
        """How many of them are over."""
        return self.n_asked - len(self.pending)


def ask(units: Iterable[Unit], request: Request) -> None:
    """Ask for runs; what was cancelled or failed before begins anew."""
    mine, visitor = _mine(), this_visitor()
    mine.failed.clear()
    for unit in units:
        if unit not in mine.pending:
            mine.n_asked += 1
            mine.pending[unit] = request.task()
            job = runs.find(unit)
            if job is not None:
                runs.retry(job, visitor)
    carry_on()


def carry_on() -> Wishes:
    """Return what this visitor waits for, without what is over by now.

    What ended because their connection broke for longer than a moment is asked for again.
    """
    mine, visitor = _mine(), this_visitor()
    for unit, task in list(mine.pending.items()):
        job = runs.find(unit)
        if job is not None and (job.cancelled_by(visitor) or job.state in ("done", "failed")):
            del mine.pending[unit]
            if job.state == "failed":
                mine.failed.append(unit)
        elif job is None or not job.alive or visitor not in job.wanting():
            runs.submit(unit, work_of(unit, task, cache.device().device), visitor=visitor)
    if not mine.pending:
        mine.n_asked = 0
    return mine


def cancel() -> None:
    """Wait for nothing any more; what is finished stays."""
    mine, visitor = _mine(), this_visitor()
    for unit in mine.pending:
        job = runs.find(unit)
        if job is not None:
            job.cancel(visitor)
    mine.pending.clear()
    mine.n_asked = 0


def _mine() -> Wishes:
    return st.session_state.setdefault(_KEY, Wishes())  # type: ignore[no-any-return]
