"""Data that the browser fetches once, by content hash, so that a run only sends the address."""

from functools import cache
from typing import TYPE_CHECKING

from embedlib.components.payload import SharedData

if TYPE_CHECKING:
    from ui.cache.bounded import BoundedCache

__all__ = ["SharedData", "data_address", "find_data", "serve"]

LIMIT = 128_000_000  # bytes of content; Projection's 50,000 points of GPT-2 take 1.1 MB


@cache
def served_data() -> "BoundedCache[str, SharedData]":
    """Return the cache of served content, by address."""
    from ui.cache.bounded import BoundedCache  # the package imports components, and so this module

    return BoundedCache(LIMIT, lambda data: data.nbytes)


def serve(data: SharedData) -> SharedData:
    """Serve data to the browser until it is evicted, and return it; call it in every run that refers to the data."""
    served_data().get(data.address, lambda: data)
    return data


def data_address(content: bytes) -> str:
    """Serve content until it is evicted, and return its address."""
    return serve(SharedData(content)).address


def find_data(address: str) -> SharedData | None:
    """Return the content of an address; None if it was evicted or never served."""
    return served_data().find(address)
