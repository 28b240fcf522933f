"""Data that the browser fetches once, by content hash, so that a run only sends the address."""

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
    """Content that many runs of a page show; cache it with the objects that it is made from."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    @property
    def nbytes(self) -> int:
        """Return its size in bytes."""
        return len(self.content)

    @cached_property
    def digest(self) -> bytes:
        """Return the SHA-256 of the content: only who knows the content knows its address."""
        return hashlib.sha256(self.content).digest()

    @property
    def address(self) -> str:
        """Return the address for the browser; each access makes sure that the server has the content."""
        address = self.digest.hex()
        served_data().get(address, lambda: self)
        return address

    @cached_property
    def compressed(self) -> bytes | None:
        """Return the content as gzip; None if that saves less than a tenth, as with most float32 numbers."""
        compressed = gzip.compress(self.content, _LEVEL, mtime=0)
        return compressed if len(compressed) < 0.9 * len(self.content) else None


@cache
def served_data() -> "BoundedCache[str, SharedData]":
    """Return the cache of served content, by address."""
    from ui.cache.bounded import BoundedCache  # the package imports components, and so this module

    return BoundedCache(LIMIT, lambda data: data.nbytes)


def data_address(content: bytes) -> str:
    """Serve content until it is evicted, and return its address."""
    return SharedData(content).address


def find_data(address: str) -> SharedData | None:
    """Return the content of an address; None if it was evicted or never served."""
    return served_data().find(address)
