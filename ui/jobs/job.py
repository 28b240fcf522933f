"""One background job: its state, progress, waiting visitors and result."""

import threading
import time
from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Any, Generic, Literal, Protocol, TypeVar

from embedlib.progress import Cancelled
from ui.cache.bounded import estimate_bytes
from ui.page_runs import page_runs

Result = TypeVar("Result")
State = Literal["queued", "running", "done", "failed", "cancelled"]

_REST = 4.0  # pause for page runs per processor time used, so that jobs get a fifth
_LONGEST_REST = 0.5  # seconds, or a cancelled job would be slow to stop
_GRACE = 0.5  # seconds after a disconnection before a visitor no longer counts, so that a reconnect keeps the job


class Report(Protocol):
    """The callback by which a job reports progress, many times a second; raises Cancelled to stop it."""

    def __call__(self, share: float, latest: Any = None, /) -> None:
        """Report the share done, in [0, 1], and an intermediate result to show (None: nothing new)."""


class Job(Generic[Result]):
    """A background job that several visitors may wait for. Made by Jobs.submit; read by any thread.

    Attributes:
        key: identifies the work; visitors who want the same key share the job.
        state: "queued", "running", "done", "failed" or "cancelled".
        share: done so far, in [0, 1]; 0 while it prepares.
        latest: the last intermediate result, such as points that still move; None before.
        error: the exception of a failed job.
        over: set once the state is final and the work no longer runs.
    """

    def __init__(
        self,
        key: Hashable,
        work: Callable[[Report], Result],
        *,
        number: int,
        patience: float,
        clock: Callable[[], float],
        position: Callable[["Job[Any]"], int],
        is_here: Callable[[str], bool] = lambda visitor: True,
        cancelling_visitors: frozenset[str] = frozenset(),
    ) -> None:
        self.key = key
        self.number = number  # of submission
        self.state: State = "queued"
        self.share = 0.0
        self.latest: Any = None
        self.error: BaseException | None = None
        self.over = threading.Event()
        self._work: Callable[[Report], Result] | None = work  # until it is over: it may hold a large table
        self._clock = clock
        self._patience = patience
        self._queue_position = position
        self._is_here = is_here
        self._waiters: dict[str, float] = {}  # visitor -> when they last asked
        self._last_connected: dict[str, float] = {}  # visitor -> when they were last connected
        self._cancelling_visitors = cancelling_visitors
        self._spent = 0.0  # processor seconds of its thread at its last pause for page runs
        self._first: tuple[float, float] | None = None  # time and share of the first progress
        self._result: Result
        self._lock = threading.RLock()

    def add_waiter(self, visitor: str) -> None:
        """Record that a visitor's page still waits for it."""
        with self._lock:
            if self.alive and visitor not in self._cancelling_visitors:
                self._waiters[visitor] = self._last_connected[visitor] = self._clock()

    def waiting_visitors(self) -> list[str]:
        """List who waits for it, in order of asking; visitors who left or were silent for long do not count."""
        with self._lock:
            now = self._clock()
            self._last_connected.update((visitor, now) for visitor in self._waiters if self._is_here(visitor))
            return [
                visitor
                for visitor, last_asked in self._waiters.items()
                if now - last_asked <= self._patience and now - self._last_connected[visitor] <= _GRACE
            ]

    def cancel(self, visitor: str) -> None:
        """Record that a visitor no longer wants it; it stops within about a second if nobody else does."""
        with self._lock:
            self._cancelling_visitors |= {visitor}
            self._waiters.pop(visitor, None)
            if not self.waiting_visitors():
                self.stop()

    def is_cancelled_by(self, visitor: str) -> bool:
        """Return whether a visitor cancelled it, whoever else still waits for it."""
        return visitor in self._cancelling_visitors

    @property
    def alive(self) -> bool:
        """Return whether it is queued or running."""
        return self.state in ("queued", "running")

    def allow(self, visitor: str) -> None:
        """Undo a visitor's cancellation."""
        with self._lock:
            self._cancelling_visitors -= {visitor}

    @property
    def cancelling_visitors(self) -> frozenset[str]:
        """Return who cancelled it."""
        return self._cancelling_visitors

    @property
    def queue_position(self) -> int:
        """Return its position in the queue: 1 is next, 0 if it is not queued."""
        return self._queue_position(self)

    @property
    def seconds_left(self) -> float | None:
        """Estimate the remaining seconds from the pace so far; None before the first progress."""
        with self._lock:
            if self.state != "running" or self._first is None:
                return None
            began, share = self._first
            passed = self._clock() - began
            return passed * (1 - self.share) / (self.share - share) if self.share > share else None

    @cached_property
    def kept_bytes(self) -> int:
        """Return the bytes of its result and its last intermediate result."""
        return estimate_bytes(((self._result if self.state == "done" else None), self.latest))

    def result(self) -> Result:
        """Return the result of the work; raise what it raised, or Cancelled.

        Raises:
            RuntimeError: it is not over.
        """
        if self.alive:
            raise RuntimeError(f"state={self.state!r}: the result is there once it is 'done'")
        if self.error is not None:
            raise self.error
        if self.state == "cancelled":
            raise Cancelled
        return self._result

    def stop(self) -> None:
        """Cancel it, whoever wants it; running work stops at its next report."""
        with self._lock:
            if self.state == "queued":
                self._work = None
                self.over.set()
            if self.alive:
                self.state = "cancelled"

    def begin(self) -> bool:
        """Change from queued to running; return False if it was cancelled meanwhile."""
        with self._lock:
            if self.state != "queued":
                return False
            self.state = "running"
            return True

    def run(self) -> None:
        """Do the work on this thread; exceptions are stored."""
        assert self._work is not None
        self._spent = time.thread_time()
        try:
            result = self._work(self._report)
        except Cancelled:
            self.stop()
        except BaseException as error:
            with self._lock:
                if self.alive:
                    self.error = error
                    self.state = "failed"
        else:
            with self._lock:
                if self.alive:
                    self._result = result
                    self.share, self.latest = 1.0, None
                    self.state = "done"
        self._work = None

    def _report(self, share: float, latest: Any = None, /) -> None:
        with self._lock:
            if not self.waiting_visitors():
                self.stop()
            if self.state != "running":
                raise Cancelled
            if self._first is None and share > 0:
                self._first = (self._clock(), share)
            self.share = min(max(share, self.share), 1.0)
            if latest is not None:
                self.latest = latest
        page_runs.wait_until_idle(min(_REST * (time.thread_time() - self._spent), _LONGEST_REST))
        self._spent = time.thread_time()
