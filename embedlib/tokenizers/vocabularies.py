"""Vocabulary files: one ships with the library, others are downloaded on demand, with a limit on time and size.

tiktoken.load has neither limit, and downloads whenever a file is missing.
"""

import hashlib
import http.client
import os
import sys
import tempfile
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from embedlib.whole_files import write_whole

DATA = Path(__file__).parents[1] / "data"
BASE_URL = "https://openaipublic.blob.core.windows.net/encodings/"
MAX_BYTES = 16 * 2**20  # o200k_base, the largest, has 3.6 MB
CHUNK = 64 * 2**10  # bytes

Cause = Literal["missing", "damaged", "network", "timeout", "content", "disk"]


def fetch(url: str, *, timeout: float, max_bytes: int) -> bytes:
    """Get the content of an http(s) URL of at most max_bytes, with redirects and the environment's proxies.

    TimeoutError where the server is silent for `timeout` seconds, or where not all has come after so many; DNS has the
    system's own limit. ConnectionError for everything else.
    """
    deadline = time.monotonic() + timeout
    content = bytearray()
    try:
        with urllib.request.urlopen(url, timeout=timeout) as answer:
            expected = answer.length
            while part := answer.read1(CHUNK):  # read would wait for a full chunk, however slowly it came
                content += part
                if len(content) > max_bytes:
                    break
                if time.monotonic() > deadline:
                    raise TimeoutError
    except urllib.error.HTTPError as error:
        error.close()
        raise ConnectionError(f"the server answered {error.code}") from error
    except (OSError, http.client.HTTPException) as error:
        if isinstance(error, TimeoutError) or isinstance(getattr(error, "reason", None), TimeoutError):
            raise TimeoutError(f"the server did not send it within {timeout:g} s") from error
        is_absent = isinstance(error, urllib.error.URLError)
        raise ConnectionError("the server cannot be reached" if is_absent else "the connection broke") from error
    if len(content) > max_bytes:
        raise ConnectionError(f"the server sent more than {max_bytes} bytes")
    if expected not in (None, len(content)):
        raise ConnectionError("the connection broke")
    return bytes(content)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A vocabulary file.

    Attributes:
        file: its name, on the server and here.
        sha256: of its whole content, in hexadecimal.
        ships: whether it lies beside the code; otherwise it lives in the user's cache.
    """

    file: str
    sha256: str
    ships: bool = False


# The hashes are those that tiktoken pins.
VOCABULARIES: dict[str, Vocabulary] = {
    "r50k_base": Vocabulary(
        "r50k_base.tiktoken", "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930", ships=True
    ),
    "cl100k_base": Vocabulary(
        "cl100k_base.tiktoken", "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
    ),
    "o200k_base": Vocabulary("o200k_base.tiktoken", "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"),
}


class VocabularyUnavailable(RuntimeError):
    """A vocabulary file that is not available now; the message is one plain sentence with the remedy.

    Attributes:
        name: of the vocabulary.
        cause: "missing" (not downloaded yet), "damaged" (the file's hash is wrong), "network" (no connection, or the
            server refused), "timeout", "content" (the server sent something else), or "disk" (it cannot be written
            here).
    """

    def __init__(self, name: str, cause: Cause, sentence: str) -> None:
        super().__init__(sentence)
        self.name = name
        self.cause: Cause = cause


def cache_folder() -> Path:
    """Return the folder for downloads: EMBEDLIB_CACHE, else ours in the system's folder for a user's caches."""
    chosen = os.environ.get("EMBEDLIB_CACHE")
    if chosen:
        return Path(chosen).expanduser()
    try:
        return _system_caches() / "embedding-explorer"
    except RuntimeError:  # a user without a home, as in some containers
        return Path(tempfile.gettempdir()) / "embedding-explorer"


def has_vocabulary(name: str) -> bool:
    """Return whether a vocabulary, a key of VOCABULARIES, is on this machine; hashes the file (3 ms for o200k_base)."""
    try:
        read_vocabulary(name)
    except VocabularyUnavailable:
        return False
    return True


def read_vocabulary(name: str) -> bytes:
    """Read and check a .tiktoken file on this machine, by a key of VOCABULARIES."""
    vocabulary = _find_vocabulary(name)
    remedy = (
        "install the project again" if vocabulary.ships else "download it, or use gpt2, which ships with the project"
    )
    try:
        data = _path(vocabulary).read_bytes()
    except OSError as error:
        sentence = f"The vocabulary of {name} is not on this machine: {remedy}."
        raise VocabularyUnavailable(name, "missing", sentence) from error
    if hashlib.sha256(data).hexdigest() != vocabulary.sha256:
        raise VocabularyUnavailable(name, "damaged", f"The vocabulary of {name} on this machine is damaged: {remedy}.")
    return data


def download_vocabulary(name: str, *, base_url: str = BASE_URL, timeout: float = 60.0) -> Path:
    """Download a vocabulary into the cache and return its path; call it off the interface's thread.

    The file appears at once and whole, or not at all; two downloads at a time are harmless. Proxies are those of the
    environment.

    Args:
        name: a key of VOCABULARIES that does not ship.
        base_url: http(s) address of the folder that holds the file.
        timeout: seconds of silence, and seconds for the whole.

    Raises:
        ValueError: name has no vocabulary to download, base_url is not http(s), or timeout is not positive.
        VocabularyUnavailable: cause "network", "timeout", "content" or "disk".
    """
    vocabulary = _find_vocabulary(name)
    if vocabulary.ships:
        choices = ", ".join(key for key, other in VOCABULARIES.items() if not other.ships)
        raise ValueError(f"name={name!r} ships with the project: choose among {choices}")
    if not base_url.startswith(("https://", "http://")):
        raise ValueError(f"base_url={base_url!r} must begin with https:// or http://")
    if not timeout > 0:
        raise ValueError(f"timeout={timeout} must be positive seconds")

    try:
        data = fetch(f"{base_url.rstrip('/')}/{vocabulary.file}", timeout=timeout, max_bytes=MAX_BYTES)
    except (TimeoutError, ConnectionError) as error:
        cause: Cause = "timeout" if isinstance(error, TimeoutError) else "network"
        sentence = (
            f"The vocabulary of {name} could not be downloaded ({error}): check the connection and try again, or use "
            "gpt2, which needs none."
        )
        raise VocabularyUnavailable(name, cause, sentence) from error
    if hashlib.sha256(data).hexdigest() != vocabulary.sha256:
        sentence = f"What the server sent is not the vocabulary of {name}, and was not kept: check the network's proxy."
        raise VocabularyUnavailable(name, "content", sentence)
    path = _path(vocabulary)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data)
    except OSError as error:
        sentence = f"The vocabulary of {name} cannot be written to {path.parent}: set EMBEDLIB_CACHE to another folder."
        raise VocabularyUnavailable(name, "disk", sentence) from error
    return path


def _find_vocabulary(name: str) -> Vocabulary:
    if name not in VOCABULARIES:
        raise ValueError(f"name={name!r} is not a vocabulary: choose among {', '.join(VOCABULARIES)}")
    return VOCABULARIES[name]


def _path(vocabulary: Vocabulary) -> Path:
    return (DATA if vocabulary.ships else cache_folder()) / vocabulary.file


def _system_caches() -> Path:
    """Return the system's folder for a user's caches."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    variable, usual = ("LOCALAPPDATA", "AppData/Local") if sys.platform == "win32" else ("XDG_CACHE_HOME", ".cache")
    chosen = Path(os.environ.get(variable, ""))
    return chosen if chosen.is_absolute() else Path.home() / usual
