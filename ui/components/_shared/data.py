"""Data that the browser fetches once, by the hash of its content, so that a run only has to send the address."""

import gzip
import hashlib
from functools import cache, cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ui.cache.bounded import BoundedCache

__all__ = ["SharedData", "data_address", "find_data"]

LIMIT = 128_000_000  # bytes of content; Projection's 50,000 points of GPT-2 take 1.1 MB
_LEVEL = 6  # of gzip


class SharedData:
    """Content that many runs of a page show; keep it where its maker keeps what it is made of."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    @property
    def nbytes(self) -> int:
        """Bytes that it takes to keep."""
        return len(self.content)

    @cached_property
    def digest(self) -> bytes:
        """SHA-256 of the content: only who knows the content knows its address."""
        return hashlib.sha256(self.content).digest()

    @property
    def address(self) -> str:
        """What the browser asks for; each look at it makes sure that the server can answer."""
        address = self.digest.hex()
        served_data().get(address, lambda: self)
        return address

    @cached_property
    def compressed(self) -> bytes | None:
        """The content as gzip; None where that saves less than a tenth, as with most float32 numbers."""
        compressed = gzip.compress(self.content, _LEVEL, mtime=0)
        return compressed if len(compressed) < 0.9 * len(self.content) else None


@cache
def served_data() -> "BoundedCache[str, SharedData]":
    """Return what is served, by address; compressed content is not counted: it is at most 0.9 of what is."""
    from ui.cache.bounded import BoundedCache  # the package imports components, and so this module

    return BoundedCache(LIMIT, lambda data: data.nbytes)


def data_address(content: bytes) -> str:
    """Serve content until it is evicted, and return its address."""
    return SharedData(content).address


def find_data(address: str) -> SharedData | None:
    """Return what is served under an address; None where it was evicted or never was."""
    return served_data().find(address)
