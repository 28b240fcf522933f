"""A model's files on the Hugging Face Hub: parts of them by HTTP ranges, or those that lie in the Hub's cache here.

What huggingface_hub knows is left to it: its client, addresses, tokens and cache, HF_ENDPOINT and HF_HUB_OFFLINE.
Redirects are followed here, so that none leads away from https and no token to another server.
"""

import ipaddress
import os
import re
import shutil
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from hashlib import sha256
from importlib import import_module
from itertools import accumulate, islice, pairwise
from pathlib import Path
from secrets import token_hex
from typing import Any
from urllib.parse import urljoin, urlsplit

from huggingface_hub import constants, get_token, hf_hub_url, try_to_load_from_cache
from huggingface_hub.errors import HfHubHTTPError, OfflineModeIsEnabled
from huggingface_hub.utils import get_session  # type: ignore[attr-defined]

from embedlib.checkpoints.files import CheckpointError, LocalFiles, Progress, Span

# What huggingface_hub's client raises, which it takes from the HTTP library of its choice.
HTTP_ERROR: Any = HfHubHTTPError.__bases__[0]
INVALID_URL: Any = import_module(HTTP_ERROR.__module__.partition(".")[0]).InvalidURL  # which is none of its HTTP errors

TIMEOUT = 10.0  # seconds of silence, and for a whole answer besides what its bytes may take
SLOWEST = 50_000  # bytes a second
PAUSES = (0.2, 1.0)  # seconds before the second attempt and the third
LONGEST_WAIT = 5.0  # seconds that the Hub may ask for and that are waited
MOST_REDIRECTS = 5
AT_ONCE = 8  # connections
PIECE = 2**23  # bytes of one answer at most
STEP = 2**23  # bytes of a table that are fetched and written at a time
MOST_KEPT = 2**33  # bytes of all tables that were fetched
SPARE = 12  # a gap between rows is read along where all gaps together are at most this part of the rows
RANGE = re.compile(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18})")
ADDRESS = re.compile(r"https?://[\w.-]+(:\d+)?(/[!-~]*)?", re.ASCII)
COMMIT = re.compile(r"[0-9a-f]{40}")
REVISION = re.compile(r"\w[\w./-]{0,200}", re.ASCII)


class _Again(Exception):
    """An attempt that failed in a way that another may not.

    Attributes:
        error: what to say when it was the last.
        wait: seconds to wait, where the Hub says so.
    """

    def __init__(self, error: CheckpointError, wait: float | None = None) -> None:
        super().__init__(str(error))
        self.error, self.wait = error, wait


class HubFiles:
    """The files of one model, all of one commit: that of the cache's copy, or the first that the Hub answers with."""

    def __init__(self, name: str, revision: str = "main") -> None:
        self.name = name
        if not REVISION.fullmatch(revision) or ".." in revision:
            raise CheckpointError("source", source=revision)
        self._revision = revision
        self._unnamed = token_hex(16)  # stands for a commit that no answer has named: nobody finds what is kept of it
        self._sizes: dict[str, int] = {}
        self._cache: LocalFiles | None = None
        for file in ("model.safetensors", "model.safetensors.index.json", "config.json"):
            cached = try_to_load_from_cache(name, file, revision=revision)
            if isinstance(cached, str):
                self._cache = LocalFiles(Path(cached).parent)
                self._revision = self._cache.folder.name
                break

    def has(self, file: str) -> bool:
        """Tell whether there is such a file."""
        if self._cached(file):
            return True
        try:
            self._tried("HEAD", file)
        except CheckpointError as error:
            if error.code == "missing" or (error.code == "offline" and self._cache is not None):
                return False
            raise
        return True

    def whole(self, file: str, limit: int) -> bytes:
        """Read a file of at most `limit` bytes."""
        cached = self._cached(file)
        return cached.whole(file, limit) if cached else self._tried("GET", file, limit=limit)[0]

    def start(self, file: str) -> tuple[bytes, int]:
        """Return a file's first eight bytes, or all that it has if fewer, and how many it has."""
        if cached := self._cached(file):
            return cached.start(file)
        content, _ = self._tried("GET", file, (0, 8))
        return content, self._sizes[file]

    def read(self, file: str, spans: Sequence[Span]) -> list[bytes]:
        """Read some parts of a file, near ones in one request, several at a time."""
        if cached := self._cached(file):
            return cached.read(file, spans)
        if not spans:
            return []
        groups = joined(spans)
        pieces = [_pieces(group[0][0], group[-1][1]) for group in groups]
        wanted = [piece for group in pieces for piece in group]
        content, place = self._tried("GET", file, wanted[0])
        failed: list[CheckpointError] = []  # after one of them, no other is begun

        def fetched(piece: Span) -> bytes:
            if failed:
                raise failed[0]
            try:
                return self._tried("GET", file, piece, place=place)[0]
            except CheckpointError as error:
                failed.append(error)
                raise

        with ThreadPoolExecutor(AT_ONCE) as pool:  # the others go straight to where the first one was found
            contents = iter([content, *pool.map(fetched, wanted[1:])])
        parts: list[bytes] = []
        for group, cut in zip(groups, pieces, strict=True):
            whole, first = b"".join(islice(contents, len(cut))), group[0][0]
            parts += [whole[start - first : stop - first] for start, stop in group]
        return parts

    def is_stored(self, file: str, span: Span) -> bool:
        """Tell whether a part of a file is in the Hub's cache, or was fetched there."""
        return self._cached(file) is not None or _size(self._place_of(file, span)) == span[1] - span[0]

    def stored(self, file: str, span: Span, progress: Progress) -> tuple[Path, int]:
        """Return a file of the Hub's cache that holds a part of a file, and where in it the part begins.

        What is not there is fetched piece by piece, each written out before the next: of what an ended process has left
        all is good but the last piece. Who fetches the same at the same time writes the same bytes to the same places,
        since all come from one commit.
        """
        if cached := self._cached(file):
            return cached.stored(file, span, progress)
        whole, total = self._place_of(file, span), span[1] - span[0]
        part = whole.with_suffix(".part")
        try:
            if _size(whole) != total:
                whole.parent.mkdir(parents=True, exist_ok=True)  # no file in it is ever cut shorter
                with os.fdopen(os.open(part, os.O_RDWR | os.O_CREAT, 0o644), "r+b") as stream:
                    there = max(0, os.fstat(stream.fileno()).st_size - 1) // STEP * STEP
                    _make_room(whole, total - there)
                    for first in range(there, total, STEP):
                        progress(first / total)
                        wanted = span[0] + first, min(span[0] + first + STEP, span[1])
                        stream.seek(first)
                        stream.write(self.read(file, [wanted])[0])
                        stream.flush()
                        os.fsync(stream.fileno())
                with suppress(FileNotFoundError):  # another has finished first, also between these two lines
                    if _size(part) == total:
                        part.replace(whole)
            os.utime(whole)
        except CheckpointError:
            raise
        except OSError as error:
            raise CheckpointError("not_stored", found_mb=total / 1e6) from error
        return whole, 0

    def _place_of(self, file: str, span: Span) -> Path:
        commit = self._revision if COMMIT.fullmatch(self._revision) else self._unnamed
        about = sha256(f"{commit} {file} {span[0]} {span[1]}".encode()).hexdigest()
        return _folder() / self.name.replace("/", "--") / f"{about[:32]}.table"

    def _cached(self, file: str) -> LocalFiles | None:
        return self._cache if self._cache is not None and self._cache.has(file) else None

    def _tried(
        self, method: str, file: str, span: Span | None = None, *, limit: int = PIECE, place: str | None = None
    ) -> tuple[bytes, str]:
        """Ask for a file or a part of it, up to three times; return it and the address where it was found."""
        if span is not None and span[0] == span[1]:
            return b"", place or ""
        for pause in (*PAUSES, None):
            try:
                return self._answer(method, file, span, limit, place)
            except _Again as trouble:
                if pause is None or (trouble.wait is not None and trouble.wait > LONGEST_WAIT):
                    raise trouble.error from None
                time.sleep(pause if trouble.wait is None else trouble.wait)
            except OfflineModeIsEnabled:
                raise CheckpointError("offline", source=self.name) from None
        raise AssertionError("the last attempt returns or raises")

    def _answer(self, method: str, file: str, span: Span | None, limit: int, place: str | None) -> tuple[bytes, str]:
        hub = hf_hub_url(self.name, file, revision=self._revision, endpoint=constants.ENDPOINT)
        url = place or hub
        for _ in range(MOST_REDIRECTS):
            headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={span[0]}-{span[1] - 1}"} if span else {})
            if _origin(url) == _origin(hub):  # only there the token is sent
                headers |= _who_asks()
            try:
                with get_session().stream(
                    method, url, headers=headers, follow_redirects=False, timeout=TIMEOUT
                ) as answer:
                    if _origin(url) == _origin(hub) and COMMIT.fullmatch(answer.headers.get("x-repo-commit", "")):
                        self._revision = answer.headers["x-repo-commit"]
                    if answer.status_code not in (301, 302, 303, 307, 308):
                        self._check_status(answer, file, span)
                        return b"" if method == "HEAD" else self._body(answer, file, span, limit), url
                    url = urljoin(url, answer.headers.get("location", ""))
                    if method == "HEAD" and _origin(url) != _origin(hub):
                        return b"", url  # that it is there is known; a signed address may be for GET alone
            except OfflineModeIsEnabled:
                raise
            except INVALID_URL:
                raise CheckpointError("redirect") from None
            except (HTTP_ERROR, OSError, ValueError) as error:
                if isinstance(error, CheckpointError):
                    raise
                raise _Again(CheckpointError("network")) from None
            if not may_lead(hub, url):
                raise CheckpointError("redirect")
        raise CheckpointError("redirect")

    def _check_status(self, answer: Any, file: str, span: Span | None) -> None:
        status, code = answer.status_code, answer.headers.get("x-error-code", "")
        if status == 200 and span is not None:
            raise CheckpointError("no_ranges", source=self.name)
        if status in (200, 206):
            return
        if status == 429:
            seconds = answer.headers.get("retry-after", "")
            wait = int(seconds) if seconds.isdecimal() and len(seconds) < 6 else 60
            raise _Again(CheckpointError("busy", seconds=wait), wait)
        if status >= 500 or status == 408:
            raise _Again(CheckpointError("network"))
        if status == 404 and code in ("EntryNotFound", ""):
            raise CheckpointError("missing", source=self.name, file=file)
        if status == 416 and span is not None:
            raise CheckpointError("truncated", file=file, claimed=span[1], found=self._sizes.get(file, 0))
        raise CheckpointError("gated" if code == "GatedRepo" or status == 403 else "not_found", source=self.name)

    def _body(self, answer: Any, file: str, span: Span | None, limit: int) -> bytes:
        """Take an answer's bytes, which must be as many as were asked for, or as it announces."""
        wrong = _Again(CheckpointError("network"))
        announced = answer.headers.get("content-length", "")
        expected = int(announced) if announced.isdecimal() and len(announced) < 19 else None
        if span is not None:
            given = RANGE.fullmatch(answer.headers.get("content-range", ""))
            first, last, size = map(int, given.groups()) if given else (-1, -1, -1)
            if (first, last + 1) != (span[0], min(span[1], size)) or self._sizes.setdefault(file, size) != size:
                raise wrong
            expected = limit = last + 1 - first
        if expected is not None and expected > limit:
            raise CheckpointError("too_large", file=file, found_mb=expected / 1e6, limit_mb=limit / 1e6)
        deadline = time.monotonic() + TIMEOUT + (PIECE if expected is None else expected) / SLOWEST
        content = bytearray()
        for chunk in answer.iter_raw():
            content += chunk
            if len(content) > limit:
                break
            if time.monotonic() > deadline:
                raise CheckpointError("network")
        if len(content) > limit and span is None:
            raise CheckpointError("too_large", file=file, found_mb=len(content) / 1e6, limit_mb=limit / 1e6)
        if expected is not None and len(content) != expected:
            raise wrong
        return bytes(content)


def _folder() -> Path:
    """Return where tables that were fetched lie: among what huggingface_hub keeps for libraries."""
    return Path(constants.HF_ASSETS_CACHE) / "embedlib"


def _size(path: Path) -> int:
    """Return how many bytes a file has, -1 where there is none."""
    try:
        return path.stat().st_size
    except OSError:
        return -1


def _make_room(wanted: Path, needed: int) -> None:
    """Let the longest unused tables go where they are too many, so that `needed` more bytes fit."""
    kept: list[tuple[float, int, Path]] = []
    for path in _folder().glob("*/*"):
        if path.with_suffix("") != wanted.with_suffix(""):
            with suppress(FileNotFoundError):  # another has just renamed it, or let it go
                about = path.stat()
                kept.append((about.st_mtime, about.st_size, path))
    room = MOST_KEPT - needed - sum(size for _, size, _ in kept)
    for _, size, path in sorted(kept):
        if room >= 0:
            break
        room += size
        path.unlink(missing_ok=True)
    if shutil.disk_usage(wanted.parent).free < needed:
        raise CheckpointError("not_stored", found_mb=needed / 1e6)


def joined(spans: Sequence[Span]) -> list[list[Span]]:
    """Group spans, in order, over the smallest gaps, while these are together a small part of what is asked for."""
    gaps = sorted((after[0] - before[1], place) for place, (before, after) in enumerate(pairwise(spans), 1))
    room = accumulate((-gap for gap, _ in gaps), initial=sum(stop - start for start, stop in spans) // SPARE)
    over = {place for (_, place), left in zip(gaps, islice(room, 1, None), strict=True) if left >= 0}
    groups: list[list[Span]] = []
    for place, span in enumerate(spans):
        if place in over:
            groups[-1].append(span)
        else:
            groups.append([span])
    return groups


def _pieces(start: int, stop: int) -> list[Span]:
    """Cut what is long, so that each answer has its own time."""
    return [(first, min(first + PIECE, stop)) for first in range(start, max(stop, start + 1), PIECE)]


def _who_asks() -> dict[str, str]:
    """Return the token that hf auth login or HF_TOKEN gives, and nothing of this machine.

    What huggingface_hub would send names libraries and programs, for which it asks the Hub for a list of them.
    """
    token = None if constants.HF_HUB_DISABLE_IMPLICIT_TOKEN else get_token()
    return {"User-Agent": "embedlib"} | ({"Authorization": f"Bearer {token}"} if token else {})


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port


def may_lead(hub: str, url: str) -> bool:
    """Tell whether a redirect may be followed: to https, or on this machine where the Hub itself is on it."""
    try:
        urlsplit(url).port  # noqa: B018 - it raises where there can be no such port
    except ValueError:
        return False
    if not ADDRESS.fullmatch(url):
        return False
    return url.startswith("https:") or (_is_loopback(url) and _is_loopback(hub))


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"
