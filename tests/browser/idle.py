"""Wait until a page has nothing left to do; the DOM alone does not tell: between two runs it says "notRunning" too."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakKeyDictionary

from playwright.sync_api import Page

from tests.browser.traffic import Traffic

QUIET = 0.3  # seconds; longer than the pause after which the live text area sends
TRAFFIC: WeakKeyDictionary[Page, Traffic] = WeakKeyDictionary()  # filled by the fixture that makes the pages


def idle(page: Page, *, timeout: float = 90) -> None:
    """Wait until every run of the script is over, nothing more is sent, and the browser has drawn it.

    Args:
        page: one that the `new_page` fixture made.
        timeout: seconds after which to give up.

    Raises:
        TimeoutError: the page is still busy; the message counts what it waits for.
    """
    traffic = TRAFFIC[page]
    deadline = time.monotonic() + timeout
    not_running = page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]')
    placeholder = page.get_by_test_id("stSkeleton")
    while not (traffic.is_quiet(QUIET) and not_running.count() and not placeholder.count()):
        if time.monotonic() > deadline:
            runs = f"{traffic.started} runs started, {traffic.finished} finished, {traffic.asked} asked for"
            files = [request.url for request in traffic.loading]
            seen = f"{not_running.count()} at rest, {placeholder.count()} placeholders"
            raise TimeoutError(f"the page is still busy after {timeout} s: {runs}, {seen}, loading {files}")
        page.wait_for_timeout(20)
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


@contextmanager
def rerun(page: Page, *, timeout: float = 90) -> Iterator[None]:
    """Wait, after what is done inside, for at least one more finished run and then until idle.

    Raises:
        TimeoutError: what was done inside caused no run.
    """
    traffic = TRAFFIC[page]
    before = traffic.finished
    yield
    deadline = time.monotonic() + timeout
    while traffic.finished == before:
        if time.monotonic() > deadline:
            raise TimeoutError(f"no run of the script within {timeout} s")
        page.wait_for_timeout(20)
    idle(page, timeout=timeout)
