"""What one browser page sent, received and complained about."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, Page, Request, WebSocket
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

# Streamlit looks for its server under the page's own path first; on a deep link these two are not there.
EXPECTED_404 = ("/_stcore/health", "/_stcore/host-config")
# Messages by which the browser asks for a run of the script.
RUN_REQUESTS = ("rerun_script",)


class Traffic:
    """Listens to a page from its first request on.

    Attributes:
        complaints: console errors, uncaught exceptions, and requests to anywhere but the server.
        asked: runs of the script that the browser asked for.
        started, finished: runs of the script that the server reported.
        running: whether the run that began last is still under way.
        loading: files that the browser has asked for and not received yet; a chart's code comes after its data.
        session_id: the server's name for this visit.
        last: when the last message or file went either way, in seconds of `time.monotonic`.
    """

    def __init__(self, page: Page, origin: str) -> None:
        self.page = page
        self.origin = origin
        self.complaints: list[str] = []
        self.asked = self.started = self.finished = 0
        self.loading: set[Request] = set()
        self.running = False
        self.session_id = ""
        self.last = time.monotonic()
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(f"uncaught: {error}"))
        page.on("crash", lambda _page: self.complaints.append("the page crashed"))
        page.on("request", self._request)
        page.on("requestfinished", self._loaded)
        page.on("requestfailed", self._loaded)
        page.on("websocket", self._websocket)

    def is_quiet(self, seconds: float) -> bool:
        """Tell whether every run that started has finished, every file is here and nothing was said for a while."""
        runs_are_over = self.finished > 0 and not self.running
        return runs_are_over and not self.loading and time.monotonic() - self.last > seconds

    def _console(self, message: ConsoleMessage) -> None:
        path = urlsplit(message.location["url"]).path
        is_deep_link_404 = path.endswith(EXPECTED_404) and path not in EXPECTED_404
        if message.type == "error" and not is_deep_link_404:
            self.complaints.append(f"console: {message.text} ({message.location['url']})")

    def _request(self, request: Request) -> None:
        self._check_address(request.url)
        if request.url.startswith("http"):
            self.loading.add(request)
            self.last = time.monotonic()

    def _loaded(self, request: Request) -> None:
        self.loading.discard(request)
        self.last = time.monotonic()

    def _check_address(self, url: str) -> None:
        own = (f"{self.origin}/", self.origin.replace("http", "ws", 1) + "/", "data:", "blob:", "about:")
        if not url.startswith(own):
            self.complaints.append(f"request to another machine: {url}")

    def _websocket(self, socket: WebSocket) -> None:
        self._check_address(socket.url)
        socket.on("framesent", self._sent)
        socket.on("framereceived", self._received)

    def _sent(self, frame: str | bytes) -> None:
        self.last = time.monotonic()
        message = BackMsg()
        message.ParseFromString(frame if isinstance(frame, bytes) else frame.encode())
        self.asked += message.WhichOneof("type") in RUN_REQUESTS

    def _received(self, frame: str | bytes) -> None:
        self.last = time.monotonic()
        message = ForwardMsg()
        message.ParseFromString(frame if isinstance(frame, bytes) else frame.encode())
        kind = message.WhichOneof("type")
        self.started += kind == "new_session"
        self.finished += kind == "script_finished"
        # Not by counting: what is queued of a run is dropped when another overtakes it, its end included.
        if kind in ("new_session", "script_finished"):
            self.running = kind == "new_session"
        if kind == "new_session":
            self.session_id = message.new_session.initialize.session_id


@contextmanager
def listening(page: Page, origin: str) -> Iterator[Traffic]:
    """Listen to a page and fail, at the end, on anything it complained about."""
    traffic = Traffic(page, origin)
    yield traffic
    if not page.is_closed():
        page.wait_for_timeout(50)  # what has happened is told only while Playwright is asked something
    assert traffic.complaints == [], traffic.complaints  # nothing rewrites assertions in this file
