import base64
import hashlib
import os
import socket
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

import pytest

from embedlib.tokenizers import VocabularyUnavailable, download_vocabulary, get_tokenizer, has_vocabulary, vocabularies
from embedlib.tokenizers.vocabularies import (
    BASE_URL,
    CHUNK,
    DATA,
    VOCABULARIES,
    Vocabulary,
    cache_folder,
    fetch,
    read_vocabulary,
)
from tests.waiting import PATIENCE

TOKENS = [bytes([byte]) for byte in range(256)] + [b"he", b"ll"]
CONTENT = b"".join(base64.b64encode(token) + b" %d\n" % rank for rank, token in enumerate(TOKENS))


@pytest.fixture(autouse=True)
def _direct(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setenv("NO_PROXY", "*")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, a small file in the place of cl100k_base's, and a server that sends it."""
    folder = tmp_path / "not" / "yet" / "there"
    monkeypatch.setenv("EMBEDLIB_CACHE", str(folder))
    small = Vocabulary("cl100k_base.tiktoken", hashlib.sha256(CONTENT).hexdigest())
    monkeypatch.setitem(VOCABULARIES, "cl100k_base", small)
    monkeypatch.setattr(vocabularies, "fetch", lambda url, **limits: CONTENT)
    return folder


def test_the_shipped_vocabulary_is_there_and_whole() -> None:
    assert has_vocabulary("r50k_base")
    data = read_vocabulary("r50k_base")
    assert len(data.splitlines()) == 50256
    assert VOCABULARIES["r50k_base"].sha256 in (DATA / "NOTICE.md").read_text("utf-8")
    assert hashlib.sha256(data).hexdigest() == VOCABULARIES["r50k_base"].sha256


def test_a_download_makes_the_tokenizer_available(cache: Path) -> None:
    assert not has_vocabulary("cl100k_base")
    assert not cache.exists()  # looking leaves nothing behind

    path = download_vocabulary("cl100k_base")

    assert path == cache / "cl100k_base.tiktoken"
    assert path.read_bytes() == CONTENT
    assert [entry.name for entry in cache.iterdir()] == ["cl100k_base.tiktoken"]
    assert has_vocabulary("cl100k_base")
    tokenizer = get_tokenizer("cl100k_base")
    assert [token.bytes for token in tokenizer.tokenize("hello")] == [b"he", b"ll", b"o"]


def test_the_address_is_the_folder_and_the_files_name(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = []

    def fetch(url: str, *, timeout: float, max_bytes: int) -> bytes:
        arguments.append((url, timeout))
        return CONTENT

    monkeypatch.setattr(vocabularies, "fetch", fetch)
    download_vocabulary("cl100k_base")
    download_vocabulary("cl100k_base", base_url="http://127.0.0.1/folder", timeout=3)
    assert arguments == [
        ("https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken", 60.0),
        ("http://127.0.0.1/folder/cl100k_base.tiktoken", 3),
    ]
    assert BASE_URL.startswith("https://")


@pytest.mark.parametrize("content", [b"", CONTENT[:-1], b"<html>Log in to the network</html>"])
def test_wrong_content_is_refused_and_what_was_there_stays(
    cache: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    monkeypatch.setattr(vocabularies, "fetch", lambda url, **limits: content)
    cache.mkdir(parents=True)
    (cache / "cl100k_base.tiktoken").write_bytes(CONTENT)
    with pytest.raises(
        VocabularyUnavailable,
        match=r"^What the server sent is not the vocabulary of cl100k_base, and was not kept: check",
    ) as caught:
        download_vocabulary("cl100k_base")
    assert (caught.value.name, caught.value.cause) == ("cl100k_base", "content")
    assert [entry.read_bytes() for entry in cache.iterdir()] == [CONTENT]


def test_a_download_mends_a_damaged_file(cache: Path) -> None:
    cache.mkdir(parents=True)
    (cache / "cl100k_base.tiktoken").write_bytes(CONTENT[:100])
    assert not has_vocabulary("cl100k_base")
    with pytest.raises(VocabularyUnavailable, match="of cl100k_base on this machine is damaged: download it") as caught:
        read_vocabulary("cl100k_base")
    assert caught.value.cause == "damaged"
    download_vocabulary("cl100k_base")
    assert has_vocabulary("cl100k_base")


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (TimeoutError("the server did not send it within 60 s"), "timeout"),
        (ConnectionError("the server answered 404"), "network"),
    ],
)
def test_without_a_network_it_says_so_in_one_sentence(
    cache: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, cause: str
) -> None:
    def fetch(url: str, *, timeout: float, max_bytes: int) -> bytes:
        raise error

    monkeypatch.setattr(vocabularies, "fetch", fetch)
    with pytest.raises(VocabularyUnavailable) as caught:
        download_vocabulary("cl100k_base")
    assert str(caught.value) == (
        f"The vocabulary of cl100k_base could not be downloaded ({error}): check the connection and try again, "
        "or use gpt2, which needs none."
    )
    assert caught.value.cause == cause
    assert not cache.exists()


def test_a_folder_that_cannot_be_written_is_named_with_the_remedy(
    cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("EMBEDLIB_CACHE", str(tmp_path / "file"))
    with pytest.raises(
        VocabularyUnavailable, match=r"cannot be written to .*file: set EMBEDLIB_CACHE to another"
    ) as caught:
        download_vocabulary("cl100k_base")
    assert caught.value.cause == "disk"


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
    cache: Path, monkeypatch: pytest.MonkeyPatch, arguments: dict[str, object], message: str
) -> None:
    monkeypatch.setattr(vocabularies, "fetch", lambda *args, **kwargs: pytest.fail("the network was asked"))
    with pytest.raises(ValueError, match=message):
        download_vocabulary(**arguments)  # type: ignore[arg-type]


def test_unknown_names_are_refused_everywhere() -> None:
    for use in (has_vocabulary, read_vocabulary):
        with pytest.raises(ValueError, match="name='gpt2' is not a vocabulary: choose among r50k_base"):
            use("gpt2")


def test_a_shipped_file_that_is_gone_has_another_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(vocabularies, "DATA", tmp_path)
    with pytest.raises(
        VocabularyUnavailable, match="r50k_base is not on this machine: install the project again"
    ) as caught:
        get_tokenizer("gpt2")
    assert caught.value.cause == "missing"


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


SERVED = bytes(range(256)) * 1000  # several chunks
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
        self.send(200, SERVED, len(SERVED))

    def unannounced(self) -> None:
        self.send(200, SERVED, None)

    def empty(self) -> None:
        self.send(200, b"", 0)

    def moved(self) -> None:
        self.send_response(302)
        self.send_header("Location", "/whole")
        self.end_headers()

    def missing(self) -> None:
        self.send(404, b"<html>not here</html>", 21)

    def short(self) -> None:
        self.send(200, SERVED, len(SERVED) + 1)

    def silent(self) -> None:
        closing.wait(PATIENCE)

    def stops(self) -> None:
        self.send(200, SERVED[:100], len(SERVED))
        closing.wait(PATIENCE)

    def drips(self) -> None:
        self.send(200, b"", len(SERVED))
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


@pytest.mark.parametrize("path", ["whole", "unannounced", "moved"])
def test_the_whole_content_arrives(server: str, path: str) -> None:
    assert fetch(f"{server}/{path}", timeout=PATIENCE, max_bytes=len(SERVED)) == SERVED
    assert len(SERVED) > 2 * CHUNK


def test_an_empty_answer_is_an_answer(server: str) -> None:
    assert fetch(f"{server}/empty", timeout=PATIENCE, max_bytes=1) == b""


@pytest.mark.parametrize("path", ["silent", "stops", "drips"])
def test_a_slow_server_is_given_up_in_time(server: str, path: str) -> None:
    # By itself: where the server ends it first, that is an error of another kind.
    with pytest.raises(TimeoutError, match=r"^the server did not send it within 0.4 s$"):
        fetch(f"{server}/{path}", timeout=0.4, max_bytes=len(SERVED))


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
        fetch(f"{server}/{path}", timeout=PATIENCE, max_bytes=10**6)


@pytest.mark.parametrize("path", ["whole", "unannounced"])
def test_more_than_allowed_is_refused(server: str, path: str) -> None:
    with pytest.raises(ConnectionError, match=r"^the server sent more than 255999 bytes$"):
        fetch(f"{server}/{path}", timeout=PATIENCE, max_bytes=len(SERVED) - 1)


def test_a_port_where_nobody_listens_is_a_plain_error() -> None:
    with socket.socket() as bound:  # bound and not listening: nobody else can take it meanwhile
        bound.bind(("127.0.0.1", 0))
        with pytest.raises(ConnectionError, match=r"^the server cannot be reached$"):
            fetch(f"http://127.0.0.1:{bound.getsockname()[1]}/x", timeout=PATIENCE, max_bytes=1)


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
        fetch("http://vocabularies.invalid/x", timeout=PATIENCE, max_bytes=1)
