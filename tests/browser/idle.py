"""Wait until a page has nothing left to do; the DOM alone does not tell: between two runs it says "notRunning" too."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from playwright.sync_api import FloatRect, FrameLocator, Locator, Page

from tests.browser.traffic import Traffic
from tests.waiting import PATIENCE, SOON, wait_until

PAUSE = 300  # milliseconds; longer than those after which components send, or look for what changes at rest
TRAFFIC: WeakKeyDictionary[Page, Traffic] = WeakKeyDictionary()  # filled by the fixture that makes the pages

T = TypeVar("T")

SCROLLED = "document.querySelector('[data-testid=stMain]').scrollTop"  # px of the page above the window


def drawn(page: Page, pause: int = 0) -> None:
    """Wait until the browser has worked off its timers of up to so many milliseconds, and drawn what came of them.

    The clock is the browser's own: on a busy machine its other timers are late too, and this one after them.
    """
    page.evaluate(
        """pause => new Promise((done) =>
            setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), pause))""",
        pause,
    )


def asking(
    page: Page, reached: Callable[[], T | None], description: Callable[[], object] = lambda: "", patience: float = SOON
) -> T:
    """Wait for a state that only Python knows, and let the page speak meanwhile; what is read comes in one answer."""
    # What has happened is told only while Playwright is asked something.
    return wait_until(reached, description, pause=lambda: page.wait_for_timeout(50), patience=patience)


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
        [argument, SOON * 1000],
    )


def place_of(part: Locator) -> FloatRect:
    """Return where a part of the page lies, scrolled into view, once it is drawn and has not moved for two frames."""

    def read() -> FloatRect | None:
        part.scroll_into_view_if_needed()
        still: FloatRect | None = part.evaluate(
            """async (part) => {
                const look = () => part.getBoundingClientRect().toJSON();
                const before = look();
                await new Promise(requestAnimationFrame);
                const now = look();
                return now.width && now.height && JSON.stringify(now) === JSON.stringify(before) ? now : null;
            }"""
        )
        return still

    return asking(part.page, read, lambda: part)


def middle_of(part: Locator) -> tuple[float, float]:
    """Return the middle of `place_of`."""
    box = place_of(part)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def tap(page: Page, x: float, y: float) -> None:
    """Touch the page with a finger, as Playwright does only where every tab of a context has touch."""
    session = page.context.new_cdp_session(page)
    for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    session.detach()


def choose_page(app: Page | FrameLocator, group: int, place: int) -> None:
    """Choose a page from its group's menu in the navigation, both counted from 0."""
    app.get_by_test_id("stTopNavSection").nth(group).click()
    app.get_by_test_id("stTopNavDropdownLink").nth(place).click()


def linked(setting: str) -> re.Pattern[str]:
    """Return the pattern of an address that holds "name=value"; it comes last in a run, so a test waits for it."""
    return re.compile(rf"[?&]{re.escape(setting)}(&|$)")


def layout_shift(page: Page) -> float:
    """Return how far what was drawn has moved until now, as a browser counts it."""
    shift: float = page.evaluate(
        """() => {
            const observer = new PerformanceObserver(() => {});
            observer.observe({ type: "layout-shift", buffered: true });
            return observer.takeRecords().reduce((total, entry) => total + entry.value, 0);
        }"""
    )
    return shift


def assert_no_sideways_scroll(page: Page) -> None:
    """Wait until nothing sticks out of the page, to which charts are fitted when Plotly gets round to it."""

    def overflow() -> object:
        return page.evaluate(
            """() => [document.documentElement, document.querySelector('[data-testid="stMain"]')]
                .map(element => element.scrollWidth - element.clientWidth)"""
        )

    asking(page, lambda: overflow() == [0, 0], overflow)


def idle(page: Page) -> None:
    """Wait until every run of the script is over, nothing more is sent, and the browser has drawn it.

    Args:
        page: one that the `new_page` fixture made.

    Raises:
        TimeoutError: the page is still busy; the message counts what it waits for.
    """
    traffic = TRAFFIC[page]
    at_rest = page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]')
    # Of an element, of a model that is opened, of a component whose code has not come.
    placeholder = page.locator('[data-testid="stSkeleton"], [data-opening], .stBidiComponent:not(:has([data-drawn]))')

    def nothing_happens() -> bool:
        if not traffic.is_over():
            return False
        before = traffic.events
        drawn(page, PAUSE)
        return traffic.events == before and bool(at_rest.count()) and not placeholder.count()

    asking(
        page,
        nothing_happens,
        lambda: f"{traffic}, {at_rest.count()} at rest, {placeholder.count()} to come",
        patience=PATIENCE,
    )


def draw_all(page: Page, *, programs: bool = False) -> None:
    """Have every section made, those far below the window too, so that none comes where a test scrolls or clicks.

    Args:
        page: one that the `new_page` fixture made.
        programs: whether the page's program too, which comes last: up to a third of what it costs to draw them all.
    """
    _draw(page, "[data-near]" if programs else '[data-near]:not([data-near$="-code"])')


def draw(page: Page, *sections: str) -> None:
    """Draw sections, by their keys: all from the page's top to the last that is used.

    One that is left out above another would be made when a test scrolls past it, and move what the test clicks.
    """
    _draw(page, ", ".join(f'[data-near="{section}"]' for section in sections))


def _draw(page: Page, sections: str) -> None:
    """Move the sections' placeholders to the window's upper edge: a window that holds them all costs more."""
    waiting = """sections => {
        const places = [...document.querySelectorAll(sections)];
        for (const place of places) {
            const { style } = place.closest("details:not([open])") ?? place;
            style.translate = ""; // sections drawn above it have moved it
            style.translate = `0 ${-place.getBoundingClientRect().top}px`;
        }
        return places.length;
    }"""
    asking(page, lambda: not page.evaluate(waiting, sections), lambda: page.evaluate(waiting, sections))
    idle(page)


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
