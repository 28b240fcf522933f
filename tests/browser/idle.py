"""Wait until a page has nothing left to do; the DOM alone does not tell: between two runs it says "notRunning" too."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from weakref import WeakKeyDictionary

from playwright.sync_api import Page

from tests.browser.traffic import Traffic
from tests.waiting import wait_until

PAUSE = 300  # milliseconds; longer than those after which components send, or look for what changes at rest
TRAFFIC: WeakKeyDictionary[Page, Traffic] = WeakKeyDictionary()  # filled by the fixture that makes the pages


def drawn(page: Page, pause: int = 0) -> None:
    """Wait until the browser has worked off its timers of up to so many milliseconds, and drawn what came of them.

    The clock is the browser's own: on a busy machine its other timers are late too, and this one after them.
    """
    page.evaluate(
        """pause => new Promise((done) =>
            setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), pause))""",
        pause,
    )


def asking(page: Page, reached: Callable[[], object], told: Callable[[], object] = lambda: "") -> None:
    """Wait for a state that only Python knows, and let the page speak meanwhile."""
    # What has happened is told only while Playwright is asked something.
    wait_until(reached, told, pause=lambda: page.wait_for_timeout(20))


def idle(page: Page) -> None:
    """Wait until every run of the script is over, nothing more is sent, and the browser has drawn it.

    Args:
        page: one that the `new_page` fixture made.

    Raises:
        TimeoutError: the page is still busy; the message counts what it waits for.
    """
    traffic = TRAFFIC[page]
    at_rest = page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]')
    placeholder = page.get_by_test_id("stSkeleton")

    def nothing_happens() -> bool:
        if not traffic.is_over():
            return False
        before = traffic.events
        drawn(page, PAUSE)
        return traffic.events == before and bool(at_rest.count()) and not placeholder.count()

    asking(page, nothing_happens, lambda: f"{traffic}, {at_rest.count()} at rest, {placeholder.count()} to come")


@contextmanager
def rerun(page: Page) -> Iterator[None]:
    """Wait, after what is done inside, for at least one more finished run and then until idle.

    Raises:
        TimeoutError: what was done inside caused no run.
    """
    traffic = TRAFFIC[page]
    before = traffic.finished
    yield
    asking(page, lambda: traffic.finished > before, lambda: f"another run, {traffic}")
    idle(page)
