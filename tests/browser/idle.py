"""Wait until a page has nothing left to do; the DOM alone does not tell: between two runs it says "notRunning" too."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

from playwright.sync_api import Page

from tests.browser.traffic import Traffic
from tests.waiting import PATIENCE, wait_until

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


def settled(page: Page, read: str, argument: object = None) -> Any:
    """Return what a function of the page reads, once that is something and the same in two frames running.

    Args:
        page: where the function runs.
        read: JavaScript of a function of the argument; it returns nothing as long as the state is not there, so that
            the state and what is read of it belong to one moment.
        argument: what can be sent as JSON.

    Raises:
        playwright.sync_api.Error: it is not so in time; the message holds what was read last.
    """
    return page.evaluate(
        f"""async ([argument, patience]) => {{
            const read = {read};
            const end = performance.now() + patience;
            for (let before = ""; ; ) {{
                const value = read(argument) ?? null;
                const now = JSON.stringify(value);
                if (value !== null && now === before) return value;
                if (performance.now() > end) throw new Error(`not settled: ${{before}}, ${{now}}`);
                before = now;
                await new Promise(requestAnimationFrame);
            }}
        }}""",
        [argument, PATIENCE * 1000],
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
