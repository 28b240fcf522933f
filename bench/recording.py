"""One visit in a real browser: the delay until each key's effect is drawn, and the messages to the server."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Page, WebSocket, sync_playwright

from tests.browser.chromium import ARGUMENTS, find_browser
from tests.browser.idle import TRAFFIC, asking, choose_page, idle
from tests.browser.traffic import Traffic

RECORDER = Path(__file__).parent / "recorder.js"
D_MODEL = 768
# 45 tokens of GPT-2's; the keys bring it to about 55. Each key makes a text that no cache has seen.
TEXT = " ".join(["The quick brown fox jumps over the lazy dog"] * 5)
KEYS = " and they all ran away"
LOOKED_AT = 4000  # ms that a reader looks at the first page before the second


@dataclass(frozen=True)
class Recording:
    """A recorded visit of a browser to a server.

    Attributes:
        first_sum: seconds from opening the address until the three heatmaps were drawn, chips and matrix before them.
        first_page: seconds from opening the address to the last change in the window.
        second_page: seconds from a click on the name of another page to the last change in the window; the first page
            has been looked at for a while.
        shift: how far what was drawn moved by itself before, as browsers count it.
        key_to_sum: seconds from each key until the three heatmaps were drawn, chips and matrix before them.
        key_to_drawn: seconds from each key to the last change that it made in the window.
        frames: seconds from each frame to the next while the steps play, after the edits.
        setup: what the browser sent before the first key.
        edits: for each key, what the browser sent because of it.
    """

    first_sum: float
    first_page: float
    second_page: float
    shift: float
    key_to_sum: list[float]
    key_to_drawn: list[float]
    frames: list[float]
    setup: list[bytes]
    edits: list[list[bytes]]


def record(url: str, *, with_edits: bool) -> Recording:
    """Open the first page in a new browser and, where asked, type KEYS at the end of its text, one by one."""
    with _page(url) as page:
        sent: list[bytes] = []
        page.on("websocket", lambda socket: _record_frames(socket, sent))
        page.goto(f"{url}/?{urlencode({'text': TEXT, 'd_model': D_MODEL})}")
        asking(page, lambda: page.evaluate("() => window.benchRecorder.sum !== null"))
        idle(page)
        first_page = _moment(page, "change") / 1000  # performance.now() counts from the opening of the address
        setup = list(sent)

        first_sum = _moment(page, "sum") / 1000
        key_to_sum, key_to_drawn, edits = [], [], []
        if with_edits:
            page.locator("textarea").first.click()
            page.keyboard.press("Control+End")
            idle(page)
        for key in KEYS if with_edits else "":
            sent.clear()
            page.keyboard.press("Space" if key == " " else key)
            _wait_until_sent(page, sent)
            idle(page)
            key_to_sum.append((_moment(page, "sum") - _moment(page, "key")) / 1000)
            key_to_drawn.append((_moment(page, "change") - _moment(page, "key")) / 1000)
            edits.append(list(sent))
        frames = _frames(page) if with_edits else []
        shift = _moment(page, "shift")
        page.wait_for_timeout(LOOKED_AT)
        idle(page)
        choose_page(page, 1, 1)  # Word order
        idle(page)
        second_page = (_moment(page, "change") - _moment(page, "click")) / 1000
        return Recording(first_sum, first_page, second_page, shift, key_to_sum, key_to_drawn, frames, setup, edits)


def record_points(address: str, url: str, colours: Sequence[str]) -> tuple[float, list[float]]:
    """Open the page of whole tables in a new browser and choose other colours for its points, one after the other.

    Args:
        address: of the page.
        url: of the server.
        colours: titles in the list of colours, each other than the one before.

    Returns:
        Seconds from opening the address until points were first drawn; and for each colour, from the key that chooses
        it until the points were last drawn.
    """
    with _page(url) as page:
        sent: list[bytes] = []
        page.on("websocket", lambda socket: _record_frames(socket, sent))
        page.goto(address)
        asking(page, lambda: page.evaluate("() => window.benchRecorder.firstPoints !== null"))
        idle(page)
        first = _moment(page, "firstPoints") / 1000
        redrawn = []
        for colour in colours:
            page.get_by_role("combobox", name="Colour").click()
            page.keyboard.type(colour)
            page.get_by_role("option", name=colour, exact=True).wait_for()
            sent.clear()
            page.keyboard.press("Enter")
            _wait_until_sent(page, sent)
            idle(page)
            asking(page, lambda: page.evaluate("() => window.benchRecorder.points > window.benchRecorder.key"))
            redrawn.append((_moment(page, "points") - _moment(page, "key")) / 1000)
        return first, redrawn


@contextmanager
def _page(url: str) -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.add_init_script(path=RECORDER)
        TRAFFIC[page] = Traffic(page, url)
        yield page
        browser.close()


def _frames(page: Page) -> list[float]:
    """Play the steps for four seconds and record the time of each frame."""
    page.get_by_test_id("vector-sum").scroll_into_view_if_needed()
    page.get_by_test_id("step-play").click()
    milliseconds = page.evaluate(
        """() => new Promise(done => {
            const times = [];
            const note = now => {
                times.push(now);
                if (now - times[0] < 4000) requestAnimationFrame(note);
                else done(times.slice(1).map((time, index) => time - times[index]));
            };
            requestAnimationFrame(note);
        })"""
    )
    return [float(interval) / 1000 for interval in milliseconds]


def _record_frames(socket: WebSocket, sent: list[bytes]) -> None:
    def keep(frame: str | bytes) -> None:
        assert isinstance(frame, bytes)  # Streamlit sends no text
        sent.append(frame)

    socket.on("framesent", keep)


def _moment(page: Page, name: str) -> float:
    return float(page.evaluate(f"() => window.benchRecorder.{name}"))


def _wait_until_sent(page: Page, sent: list[bytes]) -> None:
    deadline = time.monotonic() + 10
    while not sent:
        if time.monotonic() > deadline:
            raise TimeoutError("a key in the text made the browser send nothing within 10 s")
        page.wait_for_timeout(10)
