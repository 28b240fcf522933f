"""What one browser page sent, received and complained about."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import ConsoleMessage, Page, Request, WebSocket
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg


class Traffic:
    """Listens to a page from its first request on.

    Attributes:
        complaints: console errors, uncaught exceptions, and requests to anywhere but the server.
        requested: whether the browser asked for a run that the server has not begun.
        finished: runs of the script that the server took to their end.
        running: whether a run is under way or about to begin, as in a new document and in place of one that gave up.
        loading: files that the browser has asked for and not received yet; a chart's code comes after its data.
        events: messages and files that went either way.
        session_id: the server's name for this visit.
    """

    def __init__(self, page: Page, origin: str) -> None:
        self.page = page
        self.origin = origin
        self.complaints: list[str] = []
        self.finished = self.events = 0
        self.loading: set[Request] = set()
        self.requested = self.running = False
        self.session_id = ""
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(f"uncaught: {error}"))
        page.on("crash", lambda _page: self.complaints.append("the page crashed"))
        page.on("domcontentloaded", self._begins)
        page.on("request", self._request)
        page.on("requestfinished", self._loaded)
        page.on("requestfailed", self._loaded)
        page.on("websocket", self._websocket)

    def __str__(self) -> str:
        files = [request.url for request in self.loading]
        return f"{self.finished} runs finished, requested {self.requested}, running {self.running}, loading {files}"

    def is_over(self) -> bool:
        """Tell whether every run that was asked for has finished and every file is here."""
        return self.finished > 0 and not (self.requested or self.running or self.loading)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.complaints.append(f"console: {message.text} ({message.location['url']})")

    def _request(self, request: Request) -> None:
        self._check_address(request.url)
        if request.url.startswith("http"):
            self.loading.add(request)
            self.events += 1

    def _loaded(self, request: Request) -> None:
        self.loading.discard(request)
        self.events += 1

    def _check_address(self, url: str) -> None:
        own = (f"{self.origin}/", self.origin.replace("http", "ws", 1) + "/", "data:", "blob:", "about:")
        if not url.startswith(own):
            self.complaints.append(f"request to another machine: {url}")

    def _begins(self, _page: Page) -> None:
        self.requested, self.running = False, True

    def _websocket(self, socket: WebSocket) -> None:
        self._check_address(socket.url)
        self._begins(self.page)
        socket.on("framesent", self._sent)
        socket.on("framereceived", self._received)

    def _sent(self, frame: str | bytes) -> None:
        self.events += 1
        message = BackMsg()
        message.ParseFromString(frame if isinstance(frame, bytes) else frame.encode())
        # A fragment that runs by the clock is not answered when it has gone meanwhile.
        if message.WhichOneof("type") == "rerun_script" and not message.rerun_script.is_auto_rerun:
            self.requested = True

    def _received(self, frame: str | bytes) -> None:
        self.events += 1
        message = ForwardMsg()
        message.ParseFromString(frame if isinstance(frame, bytes) else frame.encode())
        kind = message.WhichOneof("type")
        # Not by counting: what is queued of a run is dropped when another overtakes it, its end included.
        if kind == "new_session":
            self.requested, self.running = False, True
            self.session_id = message.new_session.initialize.session_id
        elif kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            self.finished += 1
            self.running = False


@contextmanager
def listening(page: Page, origin: str) -> Iterator[Traffic]:
    """Listen to a page and fail, at the end, on anything it complained about."""
    traffic = Traffic(page, origin)
    yield traffic
    if not page.is_closed():
        page.wait_for_timeout(50)  # what has happened is told only while Playwright is asked something
    assert traffic.complaints == [], traffic.complaints  # nothing rewrites assertions in this file
