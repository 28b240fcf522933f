"""Whether the browser of a visitor is still connected to this server, and how many pages run now."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

_without_browser: set[str] = set()  # sessions of this server's own that draw a page


@contextmanager
def present(session: str) -> Iterator[None]:
    """Count a session as here that no browser has asked for."""
    _without_browser.add(session)
    try:
        yield
    finally:
        _without_browser.discard(session)


def new_visitor() -> str:
    """Name the session that runs this page. Streamlit gives a reload a new one, a connection that broke its old one."""
    context = get_script_run_ctx(suppress_warning=True)
    # The second part tells sessions apart where they all have one name, as in Streamlit's tests of a page.
    session = context.session_id if context else ""
    return f"{session}:{uuid4().hex}"


def is_here(visitor: str) -> bool:
    """Tell whether a visitor's page is still open. It costs a look into a dict, on any thread.

    Args:
        visitor: what `new_visitor` returned in their session.

    Returns:
        False from the moment their tab is closed or reloaded or their connection ends, True again once that is back.
        True where no server runs: then nobody can leave.
    """
    session = visitor.rpartition(":")[0]
    if session in _without_browser:
        return True
    try:
        # Not by its truth: Streamlit's tests of a page have a mock here, which has none while another thread asks it.
        return runtime.get_instance().is_active_session(session) is not False
    except RuntimeError:
        return True


class PageRuns:
    """How many runs of pages go on in this process, which long work lets go first."""

    def __init__(self) -> None:
        self._going = 0
        self._lock = threading.Lock()
        self._none = threading.Event()
        self._none.set()

    @contextmanager
    def one(self) -> Iterator[None]:
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

    def give_way(self, longest: float) -> bool:
        """Wait on this thread while pages run, for so many seconds at most; return whether none runs now."""
        return self._none.wait(max(longest, 0.0))


page_runs = PageRuns()
