import socket
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

import pytest

from embedlib.tokenizers.vocabularies import CHUNK, fetch

CONTENT = bytes(range(256)) * 1000  # several chunks
closing = Event()


class Answers(BaseHTTPRequestHandler):
    """What a server may do, each at an address of its own."""

    def do_GET(self) -> None:
        getattr(self, self.path.strip("/"))()

    def log_message(self, *args: object) -> None:
        pass

    def send(self, status: int, body: bytes, length: int | None) -> None:
        self.send_response(status)
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.end_headers()
        self.wfile.write(body)

    def whole(self) -> None:
        self.send(200, CONTENT, len(CONTENT))

    def unannounced(self) -> None:
        self.send(200, CONTENT, None)

    def empty(self) -> None:
        self.send(200, b"", 0)

    def moved(self) -> None:
        self.send_response(302)
        self.send_header("Location", "/whole")
        self.end_headers()

    def missing(self) -> None:
        self.send(404, b"<html>not here</html>", 21)

    def short(self) -> None:
        self.send(200, CONTENT, len(CONTENT) + 1)

    def silent(self) -> None:
        closing.wait(20)

    def stops(self) -> None:
        self.send(200, CONTENT[:100], len(CONTENT))
        closing.wait(20)

    def drips(self) -> None:
        self.send(200, b"", len(CONTENT))
        try:
            for _ in range(250):  # not for ever: a reader without patience of its own must fail, not hang
                closing.wait(0.03)
                self.wfile.write(b".")
        except OSError:
            pass  # the other side has given up

    def nonsense(self) -> None:
        self.wfile.write(b"SSH-2.0\r\n\r\n")


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    closing.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as running:
        thread = Thread(target=running.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        closing.set()
        running.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def _direct(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setenv("NO_PROXY", "*")


@pytest.mark.parametrize("path", ["whole", "unannounced", "moved"])
def test_the_whole_content_arrives(server: str, path: str) -> None:
    assert fetch(f"{server}/{path}", timeout=10, max_bytes=len(CONTENT)) == CONTENT
    assert len(CONTENT) > 2 * CHUNK


def test_an_empty_answer_is_an_answer(server: str) -> None:
    assert fetch(f"{server}/empty", timeout=10, max_bytes=1) == b""


@pytest.mark.parametrize("path", ["silent", "stops", "drips"])
def test_a_slow_server_is_given_up_in_time(server: str, path: str) -> None:
    start = time.monotonic()
    with pytest.raises(TimeoutError, match=r"^the server did not send it within 0.4 s$"):
        fetch(f"{server}/{path}", timeout=0.4, max_bytes=len(CONTENT))
    assert 0.3 < time.monotonic() - start < 5


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("missing", "^the server answered 404$"),
        ("short", "^the connection broke$"),
        ("nonsense", "^the connection broke$"),
    ],
)
def test_what_is_not_the_whole_file_is_an_error(server: str, path: str, message: str) -> None:
    with pytest.raises(ConnectionError, match=message):
        fetch(f"{server}/{path}", timeout=10, max_bytes=10**6)


@pytest.mark.parametrize("path", ["whole", "unannounced"])
def test_more_than_allowed_is_refused(server: str, path: str) -> None:
    with pytest.raises(ConnectionError, match=r"^the server sent more than 255999 bytes$"):
        fetch(f"{server}/{path}", timeout=10, max_bytes=len(CONTENT) - 1)


def test_a_port_where_nobody_listens_is_a_plain_error() -> None:
    with socket.socket() as bound:  # bound and not listening: nobody else can take it meanwhile
        bound.bind(("127.0.0.1", 0))
        with pytest.raises(ConnectionError, match=r"^the server cannot be reached$"):
            fetch(f"http://127.0.0.1:{bound.getsockname()[1]}/x", timeout=10, max_bytes=1)


def test_no_answer_to_the_very_connection_is_a_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    def silent(*args: object, **kwargs: object) -> None:
        raise TimeoutError("timed out")

    monkeypatch.setattr(socket, "create_connection", silent)
    with pytest.raises(TimeoutError, match=r"^the server did not send it within 2 s$"):
        fetch("http://127.0.0.1:1/x", timeout=2, max_bytes=1)


def test_a_name_that_cannot_be_found_is_a_plain_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*args: object, **kwargs: object) -> None:
        raise socket.gaierror("no such name")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(ConnectionError, match=r"^the server cannot be reached$"):
        fetch("http://vocabularies.invalid/x", timeout=10, max_bytes=1)
