"""Runs of pages: how many go on in this process, which long work lets go first, and how long each took."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec

import streamlit as st

Arguments = ParamSpec("Arguments")
Listener = Callable[[str, bool, float], object]

_PAGE = "page_in_run"


class PageRuns:
    """The runs of pages and of fragments that go on in this process.

    Attributes:
        listeners: called at the end of each run with the page's address, whether it was a fragment alone, and seconds.
    """

    def __init__(self) -> None:
        self.listeners: list[Listener] = []
        self._going = 0
        self._lock = threading.Lock()
        self._none = threading.Event()
        self._none.set()

    @contextmanager
    def count_run(self) -> Iterator[None]:
        """Count one run, for as long as the context lasts."""
        with self._lock:
            self._going += 1
            self._none.clear()
        try:
            yield
        finally:
            with self._lock:
                self._going -= 1
                if not self._going:
                    self._none.set()

    def wait_until_idle(self, longest: float) -> bool:
        """Wait on this thread while pages run, for so many seconds at most; return whether none runs now."""
        return self._none.wait(max(longest, 0.0))


page_runs = PageRuns()
_in_run = threading.local()  # of the run on this thread: `values`, for as long as it lasts


@contextmanager
def page_run(page: str | None = None) -> Iterator[None]:
    """Count and time the drawing of a page or, within none, of a fragment.

    Args:
        page: its address; None for a fragment of the page that this session has drawn last.
    """
    if run_values() is not None:  # a fragment also runs within its page
        yield
        return
    if page is not None:
        st.session_state[_PAGE] = page
    address, started = str(st.session_state.get(_PAGE, "")), time.perf_counter()
    _in_run.values = {}
    try:
        with page_runs.count_run():
            yield
    finally:
        del _in_run.values
        for listener in page_runs.listeners:
            listener(address, page is None, time.perf_counter() - started)


def run_values() -> dict[str, Any] | None:
    """Return what has been looked up once for the run on this thread; None outside of one."""
    values: dict[str, Any] | None = getattr(_in_run, "values", None)
    return values


def fragment(draw: Callable[Arguments, None], *, run_every: float | None = None) -> Callable[Arguments, None]:
    """Make a fragment (st.fragment) whose runs are counted and timed.

    Args:
        draw: draws it.
        run_every: seconds in which the browser asks for it again; None where only its widgets do.
    """

    @wraps(draw)  # by whose name Streamlit tells fragments apart
    def counted(*args: Arguments.args, **kwargs: Arguments.kwargs) -> None:
        with page_run():
            draw(*args, **kwargs)

    return st.fragment(counted, run_every=run_every)
