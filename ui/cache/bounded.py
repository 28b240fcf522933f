"""Caches shared by all visitors: bounded by bytes, each value computed once even if requested concurrently.

Each cache has a limit. Small ones, whose results depend on what visitors type, also share one limit, and all caches of
a process share EMBEDDING_EXPLORER_CACHE.

Any visitor can clear Streamlit's own caches, so the app uses `memo` alone. Cached values are read-only.
"""

import functools
import os
import sys
import threading
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from itertools import count
from operator import attrgetter
from typing import Any, Generic, ParamSpec, TypeVar
from weakref import ref

from torch.nn import Module

__all__ = [
    "BoundedCache",
    "Memo",
    "SharedLimit",
    "clear_visitor_results",
    "estimate_bytes",
    "memo",
    "permanent_results",
    "total_cache_limit",
    "total_cached_bytes",
]

LIMIT = 32_000_000  # default bytes of one function's results
LARGEST = 64_000_000  # caches up to this limit share RESULTS; larger ones have tables, vocabularies, models, trainings
RESULTS = 256_000_000  # bytes of all small caches together: a change by a visitor adds 70 kB
LIMIT_VARIABLE = "EMBEDDING_EXPLORER_CACHE"  # MB that all caches of a process may take together
_PLAIN = frozenset({str, bytes, int, float, bool, type(None)})
_COUNTED = 16  # entries of a long list from which its size is estimated
_ENTRY = 300  # bytes of overhead per entry

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
Arguments = ParamSpec("Arguments")


def estimate_bytes(value: Any) -> int:
    """Estimate the bytes of a value: tensors, arrays and their containers; long lists by their first entries."""
    kind = type(value)
    if kind in _PLAIN:
        return sys.getsizeof(value)
    if isinstance(value, (tuple, list)):
        counted = value[:_COUNTED]
        return _bytes_of_all(counted) * len(value) // max(1, len(counted))
    if hasattr(value, "nbytes"):
        return int(value.nbytes)
    if is_dataclass(kind):
        return _bytes_of_all(_parts(kind)(value))
    if isinstance(value, Module):
        return sum(estimate_bytes(part) for parts in (value.parameters(), value.buffers()) for part in parts)
    if isinstance(value, Mapping):
        return sum(estimate_bytes(part) for part in value.values())
    return sys.getsizeof(value)


def _bytes_of_all(values: Sequence[Any]) -> int:
    return sum(map(sys.getsizeof if _PLAIN.issuperset(map(type, values)) else estimate_bytes, values))


def total_cache_limit(given: str | None, memory: int) -> int:
    """Return how many bytes all caches of a process may take together.

    Args:
        given: MB, as in the environment; None for a third of the memory.
        memory: bytes of the machine.

    Raises:
        SystemExit: the value is not a number of megabytes.
    """
    if given is None:
        return max(memory // 3, 256_000_000)
    if not given.isdecimal() or not int(given):
        raise SystemExit(f"{LIMIT_VARIABLE}={given} must be a whole number of megabytes, at least 1")
    return int(given) * 10**6


def memory_of_machine() -> int:
    """Return the machine's memory in bytes; for a container set `EMBEDDING_EXPLORER_CACHE`."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


class SharedLimit:
    """A byte limit shared by several caches: the least recently used entry of any is evicted first.

    Args:
        limit: bytes. Checked only after a 16th of it has been added, and then as much is freed: finding the least
            recently used entries scans all of them.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._step = limit // 16
        self._added = 0
        self._caches: list[ref[BoundedCache[Any, Any]]] = []

    def join(self, cache: "BoundedCache[Any, Any]") -> None:
        """Count a cache towards the limit for as long as it exists."""
        self._caches.append(ref(cache))

    def caches(self) -> "list[BoundedCache[Any, Any]]":
        """List the caches that still exist."""
        return [cache for reference in [*self._caches] if (cache := reference()) is not None]

    def make_room(self, added: "_Entry[Any]") -> None:
        """Evict the least recently used entries, except a new one, until the rest fits."""
        self._added += added.size
        if self._added < self._step:
            return
        self._added = 0
        caches = self.caches()
        over = sum(cache.total for cache in caches) - self._limit + self._step
        if over <= 0:
            return
        entries = [(entry.used, key, cache) for cache in caches for key, entry in cache.entries() if entry is not added]
        for _, key, cache in sorted(entries, key=lambda entry: entry[0]):
            over -= cache.forget(key)
            if over <= 0:
                return


_clock = count()  # of all uses
_room = total_cache_limit(os.environ.get(LIMIT_VARIABLE), memory_of_machine())
_all = SharedLimit(_room)
_results = SharedLimit(min(RESULTS, _room // 2))


def total_cached_bytes() -> int:
    """Return how many bytes the caches under the process's limit hold."""
    return sum(cache.total for cache in _all.caches())


_making = threading.local()


@contextmanager
def permanent_results() -> Iterator[None]:
    """Mark results made by this thread as permanent: `clear_visitor_results` keeps them. For the warm-up."""
    _making.is_permanent = True
    try:
        yield
    finally:
        _making.is_permanent = False


def clear_visitor_results() -> None:
    """Drop all results that are not permanent: the server calls it when no visitor is left."""
    for cache in _all.caches():
        for key, entry in cache.entries():
            if not entry.lasts:
                cache.forget(key)


@functools.cache
def _parts(kind: type[Any]) -> Callable[[Any], tuple[Any, ...]]:
    names = [part.name for part in fields(kind)]
    return attrgetter(*names) if len(names) > 1 else lambda value: tuple(getattr(value, name) for name in names)


class _Entry(Generic[Value]):
    __slots__ = ("coming", "lasts", "size", "used", "value")

    def __init__(self) -> None:
        self.coming: Future[Value] | None = Future()  # 1.6 kB: until the value is there
        self.lasts = getattr(_making, "is_permanent", False)
        self.size = 0  # until the value is there
        self.used = 0  # the greater the later
        self.value: Value


class BoundedCache(Generic[Key, Value]):
    """An LRU cache bounded by bytes.

    Args:
        limit: bytes; a single value may be larger, and is then the only one.
        size: returns the bytes of a value.
        together: a shared limit; None for that of the process and, up to LARGEST, that of all small caches.

    Attributes:
        total: bytes that it holds.
    """

    def __init__(self, limit: int, size: Callable[[Value], int], together: SharedLimit | None = None) -> None:
        self.limit = limit
        self.total = 0
        self._size = size
        self._entries: dict[Key, _Entry[Value]] = {}
        shared = (_all, _results) if limit <= LARGEST else (_all,)
        self._together = shared if together is None else (together,)
        self._lock = threading.Lock()
        for limited in self._together:
            limited.join(self)

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """Return the value of a key; the first caller computes it while concurrent callers wait.

        Other keys do not block. If `make` raises, all waiting callers get the exception, and nothing is cached.
        """
        try:  # in most cases it is there: no lock is needed to read it
            entry = self._entries[key]
            value = entry.value
            entry.used = next(_clock)
            return value
        except (KeyError, AttributeError):
            pass
        with self._lock:
            first = key not in self._entries
            entry = self._entries.setdefault(key, _Entry())
            entry.used = next(_clock)
            coming = entry.coming
        if coming is None:  # computed meanwhile
            return entry.value
        if first:
            try:
                value = make()
                size = self._size(value)
            except BaseException as error:
                with self._lock:
                    self._entries.pop(key, None)
                coming.set_exception(error)
                raise
            entry.value = value
            coming.set_result(value)
            self._count(key, entry, size)
        return coming.result()

    def find(self, key: Key) -> Value | None:
        """Return the value of a key if it is cached; else None."""
        entry = self._entries.get(key)
        if entry is None or not hasattr(entry, "value"):
            return None
        entry.used = next(_clock)
        return entry.value

    def __len__(self) -> int:
        """Count cached values and those being computed."""
        return len(self._entries)

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._entries.clear()
            self.total = 0

    def entries(self) -> list[tuple[Key, _Entry[Value]]]:
        """List the cached entries with their keys."""
        with self._lock:
            return [(key, entry) for key, entry in self._entries.items() if entry.size]

    def forget(self, key: Key) -> int:
        """Drop the value of a key; return how many bytes it took."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None or not entry.size:
                return 0
            del self._entries[key]
            self.total -= entry.size
            return entry.size

    def _count(self, key: Key, entry: _Entry[Value], size: int) -> None:
        """Count the bytes of a new value, and evict until all fit; a single value may be larger."""
        with self._lock:
            entry.coming = None
            if self._entries.get(key) is not entry:  # forgotten while it was made
                return
            entry.size = max(1, size)
            self.total += entry.size
            if self.total > self.limit:  # evict a 16th more than needed, so that not every new value sorts all
                for other, kept in sorted(self._entries.items(), key=lambda pair: pair[1].used):
                    if kept.size and kept is not entry:
                        del self._entries[other]
                        self.total -= kept.size
                        if self.total <= self.limit - self.limit // 16:
                            break
        for limited in self._together:
            limited.make_room(entry)


class Memo(Generic[Arguments, Value]):
    """A memoised function; see `memo`."""

    def __init__(
        self,
        make: Callable[Arguments, Value],
        limit: int,
        size: Callable[[Value], int],
        key: Callable[..., Hashable] | None,
    ) -> None:
        functools.update_wrapper(self, make)
        self._make, self._key = make, key
        self._kept: BoundedCache[Hashable, tuple[Value, int]] = BoundedCache(limit, lambda kept: kept[1])
        self._size = size

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Value:
        """Return the cached result, or compute it."""
        key: Hashable = (*args, *kwargs.items()) if self._key is None else self._key(*args, **kwargs)

        def make() -> tuple[Value, int]:
            value = self._make(*args, **kwargs)
            return value, self._size(value) + estimate_bytes(key) + _ENTRY

        return self._kept.get(key, make)[0]

    def keep(self, value: Value, *args: Arguments.args, **kwargs: Arguments.kwargs) -> None:
        """Cache a result that was computed elsewhere, unless there is one."""
        key: Hashable = (*args, *kwargs.items()) if self._key is None else self._key(*args, **kwargs)
        self._kept.get(key, lambda: (value, self._size(value) + estimate_bytes(key) + _ENTRY))

    def __len__(self) -> int:
        """Count the cached results."""
        return len(self._kept)

    def clear(self) -> None:
        """Drop all results."""
        self._kept.clear()


def memo(
    limit: int = LIMIT,
    *,
    size: Callable[[Any], int] = estimate_bytes,
    key: Callable[..., Hashable] | None = None,
) -> Callable[[Callable[Arguments, Value]], Memo[Arguments, Value]]:
    """Memoise a function for all visitors, with LRU eviction by bytes.

    Args:
        limit: bytes of all results; a single one may be larger, and is then the only one.
        size: returns the bytes of a result; its key is counted besides.
        key: computes the cache key from the arguments; None for the arguments themselves.

    Returns:
        A decorator. Concurrent calls with one key compute once; exceptions reach all callers and are not cached.
    """
    return lambda make: Memo(make, limit, size, key)
