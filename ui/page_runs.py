"""Page runs: how many are active in this process, waiting for them, and their durations."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec

import streamlit as st

Arguments = ParamSpec("Arguments")
Listener = Callable[[str, bool, float], object]

_PAGE = "page_in_run"


class PageRuns:
    """The active runs of pages and fragments in this process.

    Attributes:
        listeners: called at the end of each run with the page's address, whether it was a fragment alone, and seconds.
    """

    def __init__(self) -> None:
        self.listeners: list[Listener] = []
        self._active = 0
        self._lock = threading.Lock()
        self._none = threading.Event()
        self._none.set()

    @contextmanager
    def count_run(self) -> Iterator[None]:
        """Count one run for as long as the context lasts."""
        with self._lock:
            self._active += 1
            self._none.clear()
        try:
            yield
        finally:
            with self._lock:
                self._active -= 1
                if not self._active:
                    self._none.set()

    def wait_until_idle(self, longest: float) -> bool:
        """Block until no page runs, for at most `longest` seconds; return whether none runs now."""
        return self._none.wait(max(longest, 0.0))


page_runs = PageRuns()
_in_run = threading.local()  # whether this thread's run is counted: a fragment also runs within its page


@contextmanager
def page_run(page: str | None = None) -> Iterator[None]:
    """Count and time the run of a page or, outside of one, of a fragment.

    Args:
        page: its address; None for a fragment of the session's last page.
    """
    if getattr(_in_run, "is_counted", False):
        yield
        return
    if page is not None:
        st.session_state[_PAGE] = page
    address, started = str(st.session_state.get(_PAGE, "")), time.perf_counter()
    _in_run.is_counted = True
    try:
        with page_runs.count_run():
            yield
    finally:
        _in_run.is_counted = False
        for listener in page_runs.listeners:
            listener(address, page is None, time.perf_counter() - started)


def fragment(draw: Callable[Arguments, None], *, run_every: float | None = None) -> Callable[Arguments, None]:
    """Make a fragment (st.fragment) whose runs are counted and timed.

    Args:
        draw: draws it.
        run_every: seconds between automatic reruns; None for none.
    """

    @wraps(draw)  # by whose name Streamlit tells fragments apart
    def run_and_count(*args: Arguments.args, **kwargs: Arguments.kwargs) -> None:
        with page_run():
            draw(*args, **kwargs)

    return st.fragment(run_and_count, run_every=run_every)
