"""A model's files on the Hugging Face Hub: HTTP ranges of them, or the copies in the Hub's cache on this machine.

huggingface_hub supplies the HTTP client, URLs, tokens, cache and offline switch. Its downloads (hf_hub_download,
HfFileSystem, http_backoff) are not used: they send this machine's versions of Python and PyTorch, follow redirects to
http, wait as long as a server asks, and read responses of any length.
"""

import os
import re
import shutil
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from hashlib import sha256
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Any

from huggingface_hub import constants, get_token, hf_hub_url, try_to_load_from_cache
from huggingface_hub.errors import HfHubHTTPError, OfflineModeIsEnabled
from huggingface_hub.utils import get_session  # type: ignore[attr-defined]

from embedlib.checkpoints.files import CheckpointError, LocalFiles, Span, path_exists
from embedlib.progress import Progress

# httpx or httpx2, depending on the version of huggingface_hub.
HTTP_LIBRARY: Any = import_module(HfHubHTTPError.__bases__[0].__module__.partition(".")[0])

TIMEOUT = 10.0  # seconds without an answer, or without progress in it
MIN_RATE = 50_000  # bytes per second, after TIMEOUT
ATTEMPTS = 3
RETRY_DELAY = 1  # seconds
MAX_DELAY = 5  # seconds that are waited if the Hub asks for them
LATER = 60  # seconds after which a user may retry a failed request
MAX_REDIRECTS = 5
CONNECTIONS = 8
STEP = 2**23  # bytes of a table per request
MAX_STORED = 2**33  # bytes of all downloaded tables
CONTENT_RANGE = re.compile(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18})")
COMMIT = re.compile(r"[0-9a-f]{40}")
LOOPBACK = re.compile(r"http://(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?/")


class HubFiles:
    """Files of one model, all of one commit: the cached one, or the one in the Hub's first response."""

    def __init__(self, name: str, revision: str = "main") -> None:
        self.name = name
        self._revision = revision
        self._sizes: dict[str, int] = {}
        self._cache: LocalFiles | None = None
        for file in ("model.safetensors", "model.safetensors.index.json", "config.json"):
            path = try_to_load_from_cache(name, file, revision=revision)
            if isinstance(path, str):
                self._cache = LocalFiles(Path(path).parent)
                self._revision = self._cache.folder.name
                break

    def has(self, file: str) -> bool:
        """Return whether there is such a file."""
        try:
            if not self._local_files(file):
                self._request("HEAD", file)
        except CheckpointError as error:
            if error.code == "missing" or (error.code == "offline" and self._cache is not None):
                return False
            raise
        return True

    def read_whole(self, file: str, limit: int) -> bytes:
        """Read a file of at most `limit` bytes."""
        cached = self._local_files(file)
        return cached.read_whole(file, limit) if cached else self._request("GET", file, limit=limit)[0]

    def read_start(self, file: str) -> tuple[bytes, int]:
        """Return a file's first eight bytes, or fewer if it is shorter, and its size."""
        if cached := self._local_files(file):
            return cached.read_start(file)
        content, _url = self._request("GET", file, (0, 8))
        return content, self._sizes[file]

    def read_spans(self, file: str, spans: Sequence[Span]) -> list[bytes]:
        """Read some spans of a file, several at a time."""
        if cached := self._local_files(file):
            return cached.read_spans(file, spans)
        if not spans:
            return []
        first, url = self._request("GET", file, spans[0])
        with ThreadPoolExecutor(CONNECTIONS) as pool:  # straight from the URL that the first was redirected to
            return [first, *pool.map(lambda span: self._request("GET", file, span, url=url)[0], spans[1:])]

    def is_stored(self, file: str, span: Span) -> bool:
        """Return whether a span of a file is in the Hub's cache, or was downloaded."""
        return self._local_files(file) is not None or path_exists(self._table_path(file, span))

    def local_span(self, file: str, span: Span, progress: Progress) -> tuple[Path, int]:
        """Return a file of the Hub's cache that holds a span of a file, and the span's start in it.

        It is downloaded step by step, from where an earlier call stopped. Calls at the same time need no lock: they
        write the same bytes to the same places, since all are of one commit.
        """
        if cached := self._local_files(file):
            return cached.local_span(file, span, progress)
        table, total = self._table_path(file, span), span[1] - span[0]
        partial = table.with_suffix(".part")
        try:
            if not path_exists(table):
                table.parent.mkdir(parents=True, exist_ok=True)
                with os.fdopen(os.open(partial, os.O_RDWR | os.O_CREAT, 0o644), "r+b") as stream:
                    done = max(0, stream.seek(0, os.SEEK_END) - 1) // STEP * STEP  # a crash can spoil the last step
                    make_room(table, total - done)
                    for first in range(done, total, STEP):
                        progress(first / total)
                        stream.seek(first)
                        stream.write(
                            self.read_spans(file, [(span[0] + first, min(span[0] + first + STEP, span[1]))])[0]
                        )
                        stream.flush()
                        os.fsync(stream.fileno())
                with suppress(FileNotFoundError):  # another call has renamed it
                    if partial.stat().st_size == total:
                        partial.replace(table)
            os.utime(table)
        except CheckpointError:
            raise
        except OSError as error:
            raise CheckpointError("no_room", found_mb=total / 1e6) from error
        return table, 0

    def _table_path(self, file: str, span: Span) -> Path:
        key = sha256(f"{self._revision} {file} {span[0]} {span[1]}".encode()).hexdigest()
        return Path(constants.HF_ASSETS_CACHE) / "embedlib" / self.name.replace("/", "--") / f"{key[:32]}.table"

    def _local_files(self, file: str) -> LocalFiles | None:
        return self._cache if self._cache is not None and self._cache.has(file) else None

    def _request(
        self, method: str, file: str, span: Span | None = None, *, limit: int = 0, url: str | None = None
    ) -> tuple[bytes, str]:
        """Send a request, with retries after temporary faults; return the content and its final URL."""
        if span is not None and span[0] == span[1]:
            return b"", url or ""
        for _ in range(ATTEMPTS - 1):
            try:
                return self._send(method, file, span, limit, url)
            except CheckpointError as error:
                delay = error.values.get("seconds", inf)  # only "network" has them
                if delay > MAX_DELAY:
                    raise
            time.sleep(delay)
        return self._send(method, file, span, limit, url)

    def _send(self, method: str, file: str, span: Span | None, limit: int, url: str | None) -> tuple[bytes, str]:
        hub_url = hf_hub_url(self.name, file, revision=self._revision)
        try:
            client = get_session()
            headers = request_headers(url or hub_url, span)
            request: Any = client.build_request(method, url or hub_url, headers=headers, timeout=TIMEOUT)
            for _ in range(MAX_REDIRECTS + 1):
                # Redirects are followed here: the client drops the token on the way to another origin, but allows http.
                with closing(client.send(request, stream=True, follow_redirects=False)) as response:
                    self._check_status(response, file, span)
                    commit = response.headers.get("x-repo-commit", "")
                    if is_on_hub(request.url) and COMMIT.fullmatch(commit):
                        self._revision = commit
                    if not response.has_redirect_location:
                        if not COMMIT.fullmatch(self._revision):  # not a Hub
                            break
                        return b"" if method == "HEAD" else self._read_body(response, file, span, limit), str(
                            request.url
                        )
                    request = response.next_request
                if request is None or not is_allowed_redirect(hub_url, str(request.url)):
                    break
                if method == "HEAD" and not is_on_hub(request.url):  # the file exists; this URL may be for GET alone
                    return b"", ""
        except OfflineModeIsEnabled:
            raise CheckpointError("offline", source=self.name) from None
        except CheckpointError:
            raise
        except (HTTP_LIBRARY.HTTPError, HTTP_LIBRARY.InvalidURL, OSError, ValueError):
            raise CheckpointError("network", seconds=RETRY_DELAY) from None
        raise CheckpointError("network", seconds=LATER)

    def _check_status(self, response: Any, file: str, span: Span | None) -> None:
        status, error = response.status_code, response.headers.get("x-error-code", "")
        if status == (200 if span is None else 206) or response.has_redirect_location:
            return
        if status == 429:
            delay = response.headers.get("retry-after", "")
            raise CheckpointError("network", seconds=int(delay) if re.fullmatch(r"\d{1,5}", delay) else LATER)
        if status == 404 and error in ("EntryNotFound", ""):
            raise CheckpointError("missing", source=self.name, file=file)
        if status == 416:
            raise CheckpointError("damaged", file=file, format=Path(file).suffix)
        if error == "GatedRepo" or status == 403:
            raise CheckpointError("access", source=self.name)
        if status in (401, 404):
            raise CheckpointError("source", source=self.name)
        # Among them 200 for a range: a server that sends whole files only.
        raise CheckpointError("network", seconds=RETRY_DELAY if status >= 500 or status == 408 else LATER)

    def _read_body(self, response: Any, file: str, span: Span | None, limit: int) -> bytes:
        """Read the requested range, or a file of at most `limit` bytes, in limited time."""
        length = int(response.headers.get("content-length", -1))
        if span is not None:
            found = CONTENT_RANGE.fullmatch(response.headers.get("content-range", ""))
            first, last, size = map(int, found.groups()) if found else (-1, -1, -1)
            if (first, last + 1, length) != (span[0], min(span[1], size), last + 1 - first):
                raise CheckpointError("network", seconds=RETRY_DELAY)
            self._sizes[file] = size
            limit = length
        deadline = time.monotonic() + TIMEOUT + max(length, limit) / MIN_RATE
        content, chunks = bytearray(), response.iter_raw()  # raises if the content ends before `length`
        while length <= limit and (chunk := next(chunks, b"")):
            content += chunk
            length = max(length, len(content))
            if time.monotonic() > deadline:
                raise CheckpointError("network", seconds=LATER)
        if length > limit:
            raise CheckpointError("too_large", file=file, found_mb=length / 1e6, limit_mb=limit / 1e6)
        return bytes(content)


def make_room(table: Path, needed: int) -> None:
    """Delete the least recently used other tables beyond MAX_STORED bytes, and check that the disk has room."""
    others: list[tuple[float, int, Path]] = []
    for path in table.parents[1].glob("*/*"):
        with suppress(FileNotFoundError):  # another process has renamed or deleted it
            if path.with_suffix(".table") != table:
                others.append((path.stat().st_mtime, path.stat().st_size, path))
    excess = needed + sum(size for _, size, _ in others) - MAX_STORED
    for _, size, path in sorted(others):
        if excess > 0:
            path.unlink(missing_ok=True)
            excess -= size
    if shutil.disk_usage(table.parent).free < needed:
        raise CheckpointError("no_room", found_mb=needed / 1e6)


def request_headers(url: str, span: Span | None) -> dict[str, str]:
    """Return headers without versions of this machine, with the token only if the URL is the Hub's."""
    headers = {"User-Agent": "embedlib", "Accept-Encoding": "identity"}
    if span is not None:
        headers["Range"] = f"bytes={span[0]}-{span[1] - 1}"
    token = None if constants.HF_HUB_DISABLE_IMPLICIT_TOKEN else get_token()
    if token and is_on_hub(url):
        headers["Authorization"] = f"Bearer {token}"
    return headers


def is_on_hub(url: object) -> bool:
    """Return whether a URL is the Hub's own, and not that of its storage."""
    return str(url).startswith(f"{constants.ENDPOINT}/")


def is_allowed_redirect(hub_url: str, target: str) -> bool:
    """Return whether to follow a redirect: to https, or on this machine if the Hub itself is on it."""
    return target.startswith("https://") or all(LOOPBACK.match(url) for url in (hub_url, target))
