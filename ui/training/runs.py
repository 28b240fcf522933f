"""The trainings of all visitors: kept while there is room, and given turns in the background."""

import atexit

from ui.bounded_cache import BoundedCache
from ui.jobs import Jobs
from ui.presence import is_here
from ui.training.request import Request
from ui.training.run import Run

_BYTES = 400_000_000
# Pages ask again twice a second for as long as they are open: who was not heard of for a second has gone.
_PATIENCE = 1.0

runs: BoundedCache[Request, Run] = BoundedCache(_BYTES, lambda run: run.nbytes)
training_jobs = Jobs(at_once=1, patience=_PATIENCE, is_here=is_here, kept=4)
atexit.register(training_jobs.stop)


def want(run: Run, goal: int, *, visitor: str) -> int:
    """Ask for a run to be trained on; call it in every run of a page for as long as that is wanted.

    Args:
        run: the training.
        goal: the step that is wanted.
        visitor: who asks.

    Returns:
        Which turn it will have, 1 for the next; 0 where it trains or nothing is left to do.
    """
    if run.over or run.at >= goal:
        return 0
    number = run.slices
    # Two: while one is trained the next waits, so that no time is lost until this is called again.
    now, _ = (
        training_jobs.submit((run.name, turn, goal), lambda report: run.train(goal, report), visitor=visitor)
        for turn in (number, number + 1)
    )
    return now.place_in_queue


def want_no_more(run: Run, *, visitor: str) -> None:
    """Take back what a visitor wanted of a run; it stops at its next step where nobody else wants it."""
    for job in training_jobs.alive():
        if job.key[0] == run.name:  # type: ignore[index]
            job.cancel(visitor)
            job.allow(visitor)  # they may want it again
