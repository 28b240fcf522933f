"""Background jobs of the server: shared by key, a few at a time, in fair order between visitors."""

import atexit
import logging
import math
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import count
from typing import Any, TypeVar
from weakref import WeakSet

from embedlib.tables import TableError
from ui.jobs.job import Job, Report
from ui.jobs.presence import is_here

Result = TypeVar("Result")
Visitor = TypeVar("Visitor", bound=Hashable)
Work = TypeVar("Work", bound=Hashable)

_log = logging.getLogger(__name__)
_LOW_PRIORITY = 10  # of Unix's 19: pages come first, and jobs get the rest


class Jobs:
    """A queue that runs jobs on its own threads and keeps their results.

    Args:
        at_once: how many run together; a function if that changes.
        each: how many of them one visitor may have, so that others need not wait for long jobs; None for all.
        patience: seconds without Job.add_waiter after which a visitor no longer counts as waiting; None to count them
            until they disconnect.
        is_here: returns whether a visitor is still connected.
        kept: how many finished jobs are kept; the least recently used are evicted.
        kept_bytes: how many bytes their results may take together; the last is kept whatever its size.
        is_quick: whether results are quickly recomputed, and so need not outlast the visitors.
        clock: returns seconds.
    """

    def __init__(
        self,
        *,
        at_once: int | Callable[[], int] = 1,
        each: int | None = None,
        patience: float | None = 10.0,
        is_here: Callable[[str], bool] = lambda visitor: True,
        kept: int = 32,
        kept_bytes: int = 256_000_000,
        is_quick: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._at_once = at_once
        self._each = each
        self._patience = math.inf if patience is None else patience
        self._is_here = is_here
        self._kept = kept
        self._kept_bytes = kept_bytes
        self.is_quick = is_quick
        self._clock = clock
        self._jobs: dict[Hashable, Job[Any]] = {}  # the longest unused first
        self._ring: list[str] = []  # waiting visitors, the next first
        self._running: dict[Job[Any], str] = {}  # with the visitor whose turn it used
        self._numbers = count()
        self._lock = threading.RLock()  # taken before a job's own, never after
        _all.add(self)

    def submit(self, key: Hashable, work: Callable[[Report], Result], *, visitor: str) -> Job[Result]:
        """Submit a job in every run of a page: the work starts only once.

        Args:
            key: the kind of work and all that determines its result. A key that is queued, running or kept returns that
                job. A cancelled one restarts, except for a visitor who cancelled it.
            work: called on another thread with a Report, which it should call several times a second. It must not call
                Streamlit.
            visitor: who asks.

        Returns:
            The job; a failed one stays so until `retry`.
        """
        with self._lock:
            job = self._jobs.pop(key, None)
            if job is None or (job.state == "cancelled" and not job.is_cancelled_by(visitor)):
                job = Job(
                    key,
                    work,
                    number=next(self._numbers),
                    patience=self._patience,
                    clock=self._clock,
                    position=self.queue_position,
                    is_here=self._is_here,
                    cancelling_visitors=frozenset() if job is None else job.cancelling_visitors,
                )
            self._jobs[key] = job  # the last used
            job.add_waiter(visitor)
            if job.state == "queued" and visitor not in self._ring:
                self._ring.insert(self._newcomer_index(), visitor)
            if len(self._running) < self.at_once:  # else the next job to end starts it
                self._start_next()
            return job

    def find(self, key: Hashable) -> Job[Any] | None:
        """Return the job of a key that is queued, running or kept, and mark it as used; None if there is none."""
        with self._lock:
            job = self._jobs.pop(key, None)
            if job is not None:
                self._jobs[key] = job
            return job

    def retry(self, job: Job[Any], visitor: str) -> None:
        """Undo a visitor's cancellation, and let failed work restart, at the next `submit`."""
        with self._lock:
            job.allow(visitor)
            if job.state == "failed" and self._jobs.get(job.key) is job:
                del self._jobs[job.key]

    def queue_position(self, job: Job[Any]) -> int:
        """Return a job's position in the queue: 1 is next, 0 if it is not queued."""
        with self._lock:
            return next((position for position, (_, other) in enumerate(self._order(), 1) if other is job), 0)

    def alive(self) -> list[Job[Any]]:
        """List the running jobs, then the queued ones in the order in which they will start."""
        with self._lock:
            return [*(job for job in self._running if job.alive), *(job for _, job in self._order())]

    def stop(self, timeout: float = 2.0) -> None:
        """Cancel everything, and wait up to `timeout` seconds for it to end."""
        with self._lock:
            for job in [*self._jobs.values(), *self._running]:
                job.stop()
            running = list(self._running)
        until = time.monotonic() + timeout
        for job in running:
            job.over.wait(max(until - time.monotonic(), 0))

    @property
    def at_once(self) -> int:
        """Return how many jobs may run at once now."""
        return self._at_once() if callable(self._at_once) else self._at_once

    def start_waiting(self) -> None:
        """Start queued jobs after the number that may run at once has grown."""
        with self._lock:
            self._start_next()

    def forget_finished(self) -> None:
        """Drop all finished jobs."""
        with self._lock:
            self._jobs = {key: job for key, job in self._jobs.items() if job.alive}

    def __len__(self) -> int:
        """Count the queued, running and kept jobs."""
        return len(self._jobs)

    def _newcomer_index(self) -> int:
        """Return the index at which a new visitor joins the ring: before those at its end whose jobs run now."""
        having = set(self._running.values())
        index = len(self._ring)
        while index and self._ring[index - 1] in having:
            index -= 1
        return index

    def _order(self, *, but: Collection[str] = ()) -> list[tuple[str, Job[Any]]]:
        """Return the queued jobs in the order in which they will start, each with the visitor whose turn it uses.

        Args:
            but: visitors to leave out.
        """
        wishes: dict[str, list[Job[Any]]] = {}
        queued = [job for job in self._jobs.values() if job.state == "queued"]
        for job in sorted(queued, key=lambda job: job.number):
            for visitor in job.waiting_visitors():
                wishes.setdefault(visitor, []).append(job)
        return fair_order([visitor for visitor in self._ring if visitor in wishes and visitor not in but], wishes)

    def _start_next(self) -> None:
        self._drop_unwanted()
        while len(self._running) < self.at_once:
            having = Counter(self._running.values())
            order = self._order(
                but={visitor for visitor, running in having.items() if running >= (self._each or self.at_once)}
            )
            if not order:
                return
            visitor, job = order[0]
            self._ring.remove(visitor)
            self._ring.append(visitor)
            if job.begin():
                self._running[job] = visitor
                # A daemon, so that work that does not report cannot delay the server's shutdown.
                threading.Thread(target=self._run, args=(job,), name="job", daemon=True).start()

    def _run(self, job: Job[Any]) -> None:
        if sys.platform == "linux":  # where threads have priorities, which their own threads inherit
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _LOW_PRIORITY)
        job.run()
        if job.error is not None and not isinstance(job.error, TableError):  # which the page shows
            _log.error("Work in the background failed", exc_info=job.error)
        with self._lock:
            self._running.pop(job, None)
            self._start_next()
        job.over.set()

    def _drop_unwanted(self) -> None:
        """Drop jobs that nobody waits for, idle visitors, and the least recently used results."""
        waiting = set[str]()
        for job in self._jobs.values():
            if job.state == "queued":
                waiting_visitors = job.waiting_visitors()
                waiting.update(waiting_visitors)
                if not waiting_visitors:
                    job.stop()
        self._ring = [visitor for visitor in self._ring if visitor in waiting]
        finished = {key: job.kept_bytes for key, job in self._jobs.items() if not job.alive}
        while len(finished) > 1 and (len(finished) > self._kept or sum(finished.values()) > self._kept_bytes):
            key = next(iter(finished))
            del finished[key], self._jobs[key]


_all: WeakSet[Jobs] = WeakSet()


def count_all() -> tuple[int, int]:
    """Count the queued and the running jobs of all queues."""
    alive = [job.state for queue in list(_all) for job in queue.alive()]
    return alive.count("queued"), alive.count("running")


def is_waiting(visitor: str) -> bool:
    """Return whether a visitor waits for a job of any queue."""
    return any(visitor in job.waiting_visitors() for queue in list(_all) for job in queue.alive())


def forget_quick_results() -> None:
    """Drop results that are quickly recomputed: the server calls it when nobody is left."""
    for queue in list(_all):
        if queue.is_quick:
            queue.forget_finished()


def fair_order(visitors: Iterable[Visitor], wanted: Mapping[Visitor, Sequence[Work]]) -> list[tuple[Visitor, Work]]:
    """Order the work of several visitors round-robin.

    Args:
        visitors: in order of their turns.
        wanted: the work of each visitor, in their own order; several may want the same.

    Returns:
        Every piece of work once, with the visitor whose turn it uses.
    """
    ring = list(visitors)
    left = {visitor: list(wanted.get(visitor, ())) for visitor in ring}
    order: list[tuple[Visitor, Work]] = []
    taken: set[Work] = set()
    while ring:
        for visitor in list(ring):
            while left[visitor] and left[visitor][0] in taken:
                left[visitor].pop(0)
            if not left[visitor]:
                ring.remove(visitor)
                continue
            work = left[visitor].pop(0)
            taken.add(work)
            order.append((visitor, work))
    return order


# One core is left to the pages, and two jobs at a time are enough.
jobs = Jobs(at_once=max(1, min(2, (os.cpu_count() or 2) - 1)), is_here=is_here)
# Jobs that wait for other machines and cost no core here, so that they need not queue behind trainings.
downloads = Jobs(at_once=4, each=3, patience=None, is_here=is_here)
# Threads that still compute while the interpreter shuts down can crash.
atexit.register(jobs.stop)
atexit.register(downloads.stop)
