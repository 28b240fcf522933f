"""A Hub on loopback: it answers as the real one does, redirects to a second server, and fails as asked."""

import re
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Lock, Thread
from urllib.parse import unquote, urlsplit

import pytest
from huggingface_hub import constants
from huggingface_hub.utils import close_session

from embedlib.checkpoints import hub as ours

one_context = cache(ssl.create_default_context)
TOKEN = "hf_verysecret"
COMMIT = "0123456789abcdef0123456789abcdef01234567"


@dataclass
class Hub:
    """What it serves, how it fails, and what it was asked.

    Attributes:
        endpoint: its address, as HF_ENDPOINT has it.
        models: id -> folder.
        renamed: former id -> id.
        refusals: id -> status and X-Error-Code, for each of its files.
        faults: what becomes of the next answers with content, one each, by name; see Storage.
        locations: where the next answers redirect to, one each, in place of the second server.
        asked: (server, method, path, range, whether with a token) of each request.
        headers: every header of each request, by lower-case name.
        sent: bytes of content.
    """

    endpoint: str = ""
    storage: str = ""
    models: dict[str, Path] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    refusals: dict[str, tuple[int, str]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    locations: list[str] = field(default_factory=list)
    asked: list[tuple[str, str, str, str, bool]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    sent: int = 0
    closing: Event = field(default_factory=Event)
    lock: Lock = field(default_factory=Lock)

    def next(self, queue: list[str]) -> str:
        with self.lock:
            return queue.pop(0) if queue else ""


class Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # or a content waits 40 ms for an acknowledgement of its header
    hub: Hub
    server_name = ""

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        self.hub.headers.append({name.lower(): value for name, value in self.headers.items()})
        token = self.headers.get("Authorization") is not None
        self.hub.asked.append((self.server_name, self.command, self.path, self.headers.get("Range", ""), token))
        self.respond()

    def respond(self) -> None:
        raise NotImplementedError

    def empty(self, status: int, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args: object) -> None:
        pass


class Front(Answer):
    """What knows models, revisions and who may read: it answers by a redirect, or small files itself."""

    server_name = "hub"

    def respond(self) -> None:
        match = re.fullmatch(r"/(?P<model>.+)/resolve/(?P<revision>[^/]+)/(?P<file>[^/]+)", unquote(self.path))
        if match is not None and match["model"] in self.hub.renamed:
            new = self.hub.renamed[match["model"]]
            return self.empty(307, Location=f"/{new}/resolve/{match['revision']}/{match['file']}")
        if match is None or match["model"] not in self.hub.models:
            return self.empty(401, X_Error_Code="RepoNotFound")
        if match["model"] in self.hub.refusals:
            status, code = self.hub.refusals[match["model"]]
            return self.empty(status, X_Error_Code=code)
        if match["revision"] not in ("main", COMMIT):
            return self.empty(404, X_Error_Code="RevisionNotFound")
        path = self.hub.models[match["model"]] / match["file"]
        if not path.is_file():
            return self.empty(404, X_Error_Code="EntryNotFound", X_Repo_Commit=COMMIT)
        where = self.hub.next(self.hub.locations) or f"{self.hub.storage}{path}?signature=secret"
        return self.empty(302, Location=where, X_Repo_Commit=COMMIT, X_Linked_Size=str(path.stat().st_size))


class Storage(Answer):
    """Where the bytes are: ranges of files, and every way to fail."""

    server_name = "storage"

    def respond(self) -> None:
        if self.command == "HEAD":  # its addresses are signed for GET
            return self.empty(403)
        content = Path(urlsplit(unquote(self.path)).path).read_bytes()
        fault = self.hub.next(self.hub.faults)
        if fault.startswith("status"):
            _, status, *after = fault.split()
            return self.empty(int(status), **({"Retry_After": after[0]} if after else {}))
        asked = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if asked is None or fault == "no ranges":
            return self.send(200, content, {}, fault)
        start, stop = int(asked[1]), min(int(asked[2]) + 1, len(content))
        if start >= len(content):
            return self.empty(416, Content_Range=f"bytes */{len(content)}")
        if fault == "other range":
            start += 1
        part = content[start : stop - (fault == "short")]
        return self.send(206, part, {"Content-Range": f"bytes {start}-{stop - 1}/{len(content)}"}, fault)

    def send(self, status: int, content: bytes, headers: dict[str, str], fault: str) -> None:
        if fault not in ("slow", "silent", "endless"):
            with self.hub.lock:  # before the other side has any of it and may ask how many
                self.hub.sent += len(content) // (1 + (fault == "cut"))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if fault != "endless":
            self.send_header("Content-Length", str(10**12 if fault == "huge" else len(content)))
        else:
            self.send_header("Connection", "close")
        self.end_headers()
        if fault in ("cut", "huge"):
            content, self.close_connection = content[: len(content) // 2], True
        try:
            if fault in ("slow", "silent", "endless"):
                self.close_connection = True
                while not self.hub.closing.wait(0 if fault == "endless" else 0.02):
                    self.wfile.write(b"x" * (65_536 if fault == "endless" else fault == "slow"))
                return
            self.wfile.write(content)
        except OSError:  # the other side has gone
            self.close_connection = True


class Listener(ThreadingHTTPServer):
    request_queue_size = 64  # with five, one of eight connections at once waits a second
    daemon_threads = True


@contextmanager
def running_hub() -> Iterator[Hub]:
    """Run both servers, each at an address of its own."""
    hub = Hub()
    servers = [Listener(("127.0.0.1", 0), type("Bound", (kind,), {"hub": hub})) for kind in (Front, Storage)]
    hub.endpoint, hub.storage = (f"http://127.0.0.1:{server.server_port}" for server in servers)
    threads = [Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}) for server in servers]
    for thread in threads:
        thread.start()
    try:
        yield hub
    finally:
        hub.closing.set()
        for server, thread in zip(servers, threads, strict=True):
            server.shutdown()
            thread.join()
            server.server_close()


@contextmanager
def in_place_of_the_hub(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Iterator[Hub]:
    """Run one that this process takes for the Hub, with an empty cache in a folder and a token."""
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(folder / "cache"))
    monkeypatch.setattr(constants, "HF_ASSETS_CACHE", str(folder / "assets"))
    monkeypatch.setattr(ours, "RETRY_DELAY", 0)
    monkeypatch.setattr(ssl, "create_default_context", one_context)  # for each client all certificates would be read
    close_session()
    with running_hub() as server:
        monkeypatch.setattr(constants, "ENDPOINT", server.endpoint)
        template = server.endpoint + "/{repo_id}/resolve/{revision}/{filename}"
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
        yield server
    close_session()
