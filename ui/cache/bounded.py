"""A cache that all sessions share: bounded by bytes, and each value made once however many ask for it together."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class BoundedCache(Generic[Key, Value]):
    """Keep values while together they stay under a limit; the longest unused goes first.

    Args:
        limit: bytes; a single value may be larger, and is then kept alone.
        size: how many bytes a value takes.
    """

    def __init__(self, limit: int, size: Callable[[Value], int]) -> None:
        self.limit = limit
        self._size = size
        self._entries: OrderedDict[Key, Future[Value]] = OrderedDict()
        self._sizes: dict[Key, int] = {}  # of what is made
        self._total = 0
        self._lock = threading.Lock()

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """Return the value of a key, made by the first who asks and waited for by whoever asks meanwhile.

        Nobody waits for another key. What `make` raises is raised to all of them, and nothing is kept.
        """
        with self._lock:
            entry = self._entries.get(key)
            first = entry is None
            if entry is None:
                entry = self._entries[key] = Future()
            self._entries.move_to_end(key)
        if first:
            try:
                value = make()
                entry.set_result(value)
            except BaseException as error:
                with self._lock:
                    self._entries.pop(key, None)
                entry.set_exception(error)
                raise
            self._keep(key, entry, self._size(value))
        return entry.result()

    def __len__(self) -> int:
        """Count what is kept or being made."""
        return len(self._entries)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._entries.clear()
            self._sizes.clear()
            self._total = 0

    def _keep(self, key: Key, entry: Future[Value], size: int) -> None:
        """Count what a new value takes, and drop the longest unused until all fit; one alone may be larger."""
        with self._lock:
            if self._entries.get(key) is not entry:  # forgotten while it was made
                return
            self._sizes[key] = size
            self._total += size
            while self._total > self.limit and len(self._sizes) > 1:
                oldest = next(other for other in self._entries if other in self._sizes)
                if oldest == key:
                    break
                del self._entries[oldest]
                self._total -= self._sizes.pop(oldest)
