"""The queue of all visitors' trainings in the background, one slice at a time."""

import atexit
from typing import Any

from ui.jobs import Job, Jobs, Report, is_here
from ui.training.run import Run

# Seconds. A visitor who leaves is noticed at once; this is for pages that hang.
_PATIENCE = 8.0

training_jobs = Jobs(at_once=1, patience=_PATIENCE, is_here=is_here, kept=4, is_quick=True)
atexit.register(training_jobs.stop)


def request_run(run: Run, goal: int, *, visitor: str) -> int:
    """Request that a run be trained up to a goal; call it in every rerun while that is needed.

    Args:
        run: the training.
        goal: the requested step.
        visitor: whose request it is.

    Returns:
        The run's place in the queue, 1 for the next; 0 where it trains or nothing is left to do.
    """
    if run.is_over or run.current_step >= goal:
        return 0

    def work(report: Report) -> None:
        run.train(goal, report, is_free=lambda: not _others_wait(run))

    number = run.slices
    # Two slices: while one is trained the next is queued, so that none is missed before the next call.
    now, _ = (training_jobs.submit((run.name, turn, goal), work, visitor=visitor) for turn in (number, number + 1))
    return now.queue_position


def cancel_requests(visitor: str, *, of: Run | None = None, but: Run | None = None) -> None:
    """Cancel a visitor's requests; a training stops at its next step unless others requested it.

    Args:
        visitor: whose requests.
        of: the run to cancel; None for all.
        but: the run to keep; None for none.
    """
    for job in training_jobs.alive():
        name = _run_name(job)
        if visitor in job.waiting_visitors() and (of is None or name == of.name) and (but is None or name != but.name):
            job.cancel(visitor)
            job.allow(visitor)  # they may request it again


def n_training() -> int:
    """Count the trainings in the queue."""
    return len({_run_name(job) for job in training_jobs.alive()})


def _others_wait(run: Run) -> bool:
    return any(job.state == "queued" and _run_name(job) != run.name for job in training_jobs.alive())


def _run_name(job: Job[Any]) -> str:
    """Return the name of the run this job belongs to."""
    assert isinstance(job.key, tuple)
    return str(job.key[0])
