"""Vocabulary files: the one that ships, and downloads from a server of this machine that may do anything."""

import base64
import hashlib
import os
import socket
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from embedlib.tokenizers import VocabularyUnavailable, download_vocabulary, get_tokenizer, has_vocabulary, vocabularies
from embedlib.tokenizers.vocabularies import (
    CHUNK,
    DATA,
    MAX_BYTES,
    VOCABULARIES,
    Vocabulary,
    cache_folder,
    read_vocabulary,
)
from tests.waiting import PATIENCE

TOKENS = [bytes([byte]) for byte in range(256)] + [b"he", b"ll"] + [b"%d" % number for number in range(10, 20_000)]
CONTENT = b"".join(base64.b64encode(token) + b" %d\n" % rank for rank, token in enumerate(TOKENS))  # several chunks
closing = Event()


class Answers(BaseHTTPRequestHandler):
    """Behaviours of a server, each in a folder of its own."""

    def do_GET(self) -> None:
        folder, _, self.file = self.path.strip("/").partition("/")
        getattr(self, folder)()

    def log_message(self, *args: object) -> None:
        pass

    def send(self, body: bytes, length: int | None, status: int = 200) -> None:
        self.send_response(status)
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.end_headers()
        self.wfile.write(body)

    def whole(self) -> None:
        if self.file == "cl100k_base.tiktoken":
            self.send(CONTENT, len(CONTENT))

    def unannounced(self) -> None:
        self.send(CONTENT, None)

    def moved(self) -> None:
        self.send_response(302)
        self.send_header("Location", f"/whole/{self.file}")
        self.end_headers()

    def empty(self) -> None:
        self.send(b"", 0)

    def other(self) -> None:
        self.send(b"<html>Log in to the network</html>", None)

    def missing(self) -> None:
        self.send(b"<html>not here</html>", 21, 404)

    def cut(self) -> None:
        self.send(CONTENT[:-1], len(CONTENT) - 1)

    def short(self) -> None:
        self.send(CONTENT, len(CONTENT) + 1)

    def large(self) -> None:
        self.send(bytes(MAX_BYTES + 1), None)

    def silent(self) -> None:
        closing.wait(PATIENCE)

    def stops(self) -> None:
        self.send(CONTENT[:100], len(CONTENT))
        closing.wait(PATIENCE)

    def drips(self) -> None:
        self.send(b"", len(CONTENT))
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
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and a small file in the place of cl100k_base's."""
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setenv("NO_PROXY", "*")
    folder = tmp_path / "not" / "yet" / "there"
    monkeypatch.setenv("EMBEDLIB_CACHE", str(folder))
    small = Vocabulary("cl100k_base.tiktoken", hashlib.sha256(CONTENT).hexdigest())
    monkeypatch.setitem(VOCABULARIES, "cl100k_base", small)
    return folder


def refused(cause: str, function: Any, *arguments: Any, **more: Any) -> str:
    """Return the sentence of a refusal."""
    with pytest.raises(VocabularyUnavailable) as caught:
        function(*arguments, **more)
    assert caught.value.cause == cause
    return str(caught.value)


def test_the_shipped_vocabulary_is_there_and_whole() -> None:
    assert has_vocabulary("r50k_base")
    data = read_vocabulary("r50k_base")
    assert len(data.splitlines()) == 50256
    assert VOCABULARIES["r50k_base"].sha256 in (DATA / "NOTICE.md").read_text("utf-8")
    assert hashlib.sha256(data).hexdigest() == VOCABULARIES["r50k_base"].sha256


@pytest.mark.parametrize("folder", ["whole", "whole/", "unannounced", "moved"])
def test_a_download_makes_the_tokenizer_available(server: str, cache: Path, folder: str) -> None:
    assert not has_vocabulary("cl100k_base")
    assert not cache.exists()  # looking leaves nothing behind
    assert len(CONTENT) > 2 * CHUNK

    path = download_vocabulary("cl100k_base", base_url=f"{server}/{folder}", timeout=PATIENCE)

    assert path == cache / "cl100k_base.tiktoken"
    assert path.read_bytes() == CONTENT
    assert list(cache.iterdir()) == [path]
    assert has_vocabulary("cl100k_base")
    assert [token.bytes for token in get_tokenizer("cl100k_base").tokenize("hello")] == [b"he", b"ll", b"o"]


NOT_KEPT = "What the server sent is not the vocabulary of cl100k_base, and was not kept: check the network's proxy."


@pytest.mark.parametrize(
    ("folder", "cause", "sentence"),
    [
        ("empty", "content", NOT_KEPT),
        ("other", "content", NOT_KEPT),
        ("cut", "content", NOT_KEPT),
        ("missing", "network", "(the server answered 404): check the connection"),
        ("short", "network", "(the connection broke)"),
        ("nonsense", "network", "(the connection broke)"),
        ("large", "network", f"(the server sent more than {MAX_BYTES} bytes)"),
        *((name, "timeout", "(the server did not send it within 0.4 s)") for name in ("silent", "stops", "drips")),
    ],
)
def test_what_does_not_come_whole_is_refused_in_a_sentence_and_what_was_there_stays(
    server: str, cache: Path, folder: str, cause: str, sentence: str
) -> None:
    cache.mkdir(parents=True)
    (cache / "cl100k_base.tiktoken").write_bytes(CONTENT)
    timeout = 0.4 if cause == "timeout" else PATIENCE
    url = f"{server}/{folder}"
    assert sentence in refused(cause, download_vocabulary, "cl100k_base", base_url=url, timeout=timeout)
    assert [entry.read_bytes() for entry in cache.iterdir()] == [CONTENT]


@pytest.mark.parametrize(
    ("call", "error", "cause"),
    [
        ("create_connection", TimeoutError("timed out"), "timeout"),
        ("getaddrinfo", socket.gaierror("no such name"), "network"),
    ],
)
def test_a_server_that_is_not_found_or_does_not_answer_the_very_connection_is_said(
    monkeypatch: pytest.MonkeyPatch, call: str, error: OSError, cause: str
) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise error

    monkeypatch.setattr(socket, call, fail)
    refused(cause, download_vocabulary, "cl100k_base", base_url="http://vocabularies.invalid", timeout=2)


def test_a_download_mends_a_damaged_file(server: str, cache: Path) -> None:
    cache.mkdir(parents=True)
    (cache / "cl100k_base.tiktoken").write_bytes(CONTENT[:100])
    assert not has_vocabulary("cl100k_base")
    assert "download it" in refused("damaged", read_vocabulary, "cl100k_base")
    download_vocabulary("cl100k_base", base_url=f"{server}/whole")
    assert has_vocabulary("cl100k_base")


def test_a_folder_that_cannot_be_written_is_named_with_the_remedy(
    server: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("EMBEDLIB_CACHE", str(tmp_path / "file"))
    sentence = refused("disk", download_vocabulary, "cl100k_base", base_url=f"{server}/whole")
    assert f"{tmp_path}/file: set EMBEDLIB_CACHE to another" in sentence


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": "gpt5"}, "name='gpt5' is not a vocabulary: choose among r50k_base, cl100k_base, o200k_base"),
        ({"name": "r50k_base"}, "name='r50k_base' ships with the project: choose among cl100k_base, o200k_base"),
        (
            {"name": "cl100k_base", "base_url": "file:///etc/"},
            "base_url='file:///etc/' must begin with https:// or http://",
        ),
        ({"name": "cl100k_base", "timeout": 0.0}, "timeout=0.0 must be positive seconds"),
        ({"name": "cl100k_base", "timeout": float("nan")}, "timeout=nan must be positive seconds"),
    ],
)
def test_what_cannot_be_downloaded_is_refused_before_asking(
    monkeypatch: pytest.MonkeyPatch, arguments: dict[str, object], message: str
) -> None:
    monkeypatch.setattr(socket, "create_connection", lambda *args, **kwargs: pytest.fail("the network was asked"))
    with pytest.raises(ValueError, match=message):
        download_vocabulary(**arguments)  # type: ignore[arg-type]


def test_a_shipped_file_that_is_gone_has_another_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(vocabularies, "DATA", tmp_path)
    assert "r50k_base is not on this machine: install the project again" in refused("missing", get_tokenizer, "gpt2")


@pytest.mark.skipif(os.name == "nt", reason="paths of other systems")
@pytest.mark.parametrize(
    ("platform", "environment", "expected"),
    [
        ("linux", {}, "/home/ada/.cache/embedding-explorer"),
        ("linux", {"XDG_CACHE_HOME": "/fast/cache"}, "/fast/cache/embedding-explorer"),
        ("linux", {"XDG_CACHE_HOME": "relative"}, "/home/ada/.cache/embedding-explorer"),
        ("darwin", {}, "/home/ada/Library/Caches/embedding-explorer"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/embedding-explorer"),
        ("win32", {}, "/home/ada/AppData/Local/embedding-explorer"),
        ("linux", {"EMBEDLIB_CACHE": "/mine"}, "/mine"),
        ("linux", {"EMBEDLIB_CACHE": "~/mine"}, "/home/ada/mine"),
        ("linux", {"EMBEDLIB_CACHE": ""}, "/home/ada/.cache/embedding-explorer"),
    ],
)
def test_the_cache_is_where_the_system_keeps_caches(
    monkeypatch: pytest.MonkeyPatch, platform: str, environment: dict[str, str], expected: str
) -> None:
    for variable in ("EMBEDLIB_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable, raising=False)
    for variable, value in ({"HOME": "/home/ada"} | environment).items():
        monkeypatch.setenv(variable, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert cache_folder() == Path(expected)


def test_a_user_without_a_home_gets_the_temporary_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for variable in ("EMBEDLIB_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(Path, "home", nowhere)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert cache_folder() == tmp_path / "embedding-explorer"
