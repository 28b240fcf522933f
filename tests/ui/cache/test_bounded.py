import threading
import time
from dataclasses import dataclass

import numpy as np
import pytest
import torch

from tests.waiting import PATIENCE
from ui.cache import bounded
from ui.cache.bounded import (
    LIMIT,
    BoundedCache,
    SharedLimit,
    clear_visitor_results,
    estimate_bytes,
    memo,
    permanent_results,
    total_cache_limit,
)


def test_a_value_is_made_once_however_many_ask_at_the_same_time() -> None:
    cache: BoundedCache[str, bytes] = BoundedCache(100, len)
    made = []

    def make() -> bytes:
        made.append(1)
        time.sleep(0.05)
        return b"value"

    found: list[bytes] = []
    threads = [threading.Thread(target=lambda: found.append(cache.get("key", make))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [b"value"] * 8
    assert made == [1]


def test_the_longest_unused_goes_first() -> None:
    cache: BoundedCache[int, bytes] = BoundedCache(22, len)
    made: list[int] = []

    def value(key: int) -> bytes:
        return cache.get(key, lambda: made.append(key) or b"0123456789")  # type: ignore[func-returns-value]

    for key in (1, 2, 1, 3, 1, 2):
        value(key)
    assert made == [1, 2, 3, 2]
    assert len(cache) == 2


def test_a_value_larger_than_the_limit_is_kept_alone() -> None:
    cache: BoundedCache[int, bytes] = BoundedCache(1, len)
    assert cache.get(1, lambda: b"large") == b"large"
    assert cache.get(2, lambda: b"larger") == b"larger"
    assert len(cache) == 1


def test_caches_have_a_limit_together_and_the_longest_unused_of_any_goes_first() -> None:
    together = SharedLimit(32)
    one: BoundedCache[int, bytes] = BoundedCache(100, len, together)
    two: BoundedCache[int, bytes] = BoundedCache(100, len, together)
    for cache, key in ((one, 1), (two, 1), (one, 2), (one, 1), (two, 2)):
        cache.get(key, lambda: b"0123456789")
    assert [(one.find(key), two.find(key)) for key in (1, 2)] == [(b"0123456789", None), (b"0123456789",) * 2]
    two.get(3, lambda: bytes(100))
    assert (one.total, two.total, len(one), len(two)) == (0, 100, 0, 1)


def test_results_of_all_kinds_have_a_limit_together_that_tables_do_not_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded, "_all", SharedLimit(10_000))
    monkeypatch.setattr(bounded, "_results", SharedLimit(320))
    table: BoundedCache[int, bytes] = BoundedCache(bounded.LARGEST + 1, len)
    kinds: list[BoundedCache[int, bytes]] = [BoundedCache(bounded.LARGEST, len) for _ in range(3)]
    table.get(0, lambda: bytes(1_000))
    for key in range(200):
        for cache in kinds:
            cache.get(key, lambda: bytes(4))
        assert sum(cache.total for cache in kinds) <= 320
    assert table.total == 1_000
    assert all(cache.find(199) for cache in kinds)


def test_what_came_after_the_warm_up_is_forgotten_and_what_was_there_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded, "_all", SharedLimit(10_000))
    result, table = (BoundedCache[int, bytes](limit, len) for limit in (LIMIT, bounded.LARGEST + 1))
    for cache in (result, table):
        with permanent_results():
            cache.get(1, lambda: b"of the warm-up")
    for cache in (result, table):
        cache.get(1, lambda: b"not made anew")
        cache.get(2, lambda: b"of a visitor")
    clear_visitor_results()
    assert [(cache.find(1), cache.find(2), cache.total) for cache in (result, table)] == [
        (b"of the warm-up", None, 14)
    ] * 2


def test_an_entry_holds_no_more_than_its_value_once_that_is_there() -> None:
    cache: BoundedCache[int, bytes] = BoundedCache(1_000, len)
    cache.get(1, lambda: b"value")
    assert [entry.coming for _, entry in cache.entries()] == [None]


def test_the_room_of_all_caches_is_what_is_given_or_a_third_of_the_memory() -> None:
    assert total_cache_limit(None, 9 * 10**9) == 3 * 10**9
    assert total_cache_limit("1500", 9 * 10**9) == 1_500_000_000
    for given in ("0", "much", "-1"):
        with pytest.raises(SystemExit, match="EMBEDDING_EXPLORER_CACHE"):
            total_cache_limit(given, 10**9)


def test_what_fails_is_not_kept() -> None:
    cache: BoundedCache[int, bytes] = BoundedCache(10, len)

    def fail() -> bytes:
        raise ValueError("not now")

    with pytest.raises(ValueError, match="not now"):
        cache.get(1, fail)
    assert cache.get(1, lambda: b"later") == b"later"


def test_nobody_waits_for_another_key() -> None:
    cache: BoundedCache[int, bytes] = BoundedCache(100, len)
    released = threading.Event()

    def slow() -> bytes:
        released.wait(PATIENCE)
        return b"slow"

    thread = threading.Thread(target=lambda: cache.get(1, slow))
    thread.start()
    assert cache.get(2, lambda: b"quick") == b"quick"
    released.set()
    thread.join()


def test_a_memo_keeps_what_its_arguments_give_and_counts_both() -> None:
    made: list[tuple[str, int]] = []

    @memo(10_000)
    def repeated(text: str, times: int = 2) -> str:
        """Say a text several times."""
        made.append((text, times))
        return text * times

    assert [repeated("a"), repeated("a"), repeated("a", times=3), repeated("a", times=3)] == ["aa", "aa", "aaa", "aaa"]
    assert made == [("a", 2), ("a", 3)]
    assert repeated.__doc__ == "Say a text several times."
    repeated("b" * 6_000, 1)  # what it is kept under takes as much again: nothing else fits beside it
    assert len(repeated) == 1
    repeated.clear()
    assert len(repeated) == 0
    repeated.keep("made elsewhere", "a")
    assert repeated("a") == "made elsewhere"


def test_a_memo_is_kept_under_its_key() -> None:
    made = []

    @memo(key=lambda name, _numbers: name)
    def total(name: str, numbers: list[int]) -> int:
        made.append(name)
        return sum(numbers)

    assert [total("one", [1, 2]), total("one", [1, 2, 3]), total("two", [4])] == [3, 3, 4]
    assert made == ["one", "two"]


@dataclass
class Pair:
    first: object
    second: object


def test_values_weigh_what_they_hold() -> None:
    row = torch.zeros(1_000)
    nested = {"a": [np.zeros(4, np.float32), (row[:3].double(),)], "b": Pair(np.zeros(2), np.zeros(1))}
    assert estimate_bytes(nested) == 16 + 24 + 16 + 8
    assert estimate_bytes("text") > 4
    assert estimate_bytes(row) == 4_000
    assert estimate_bytes(torch.nn.Embedding(10, 100)) == 4_000
    assert 8_000 <= estimate_bytes({"first": row, "second": row}) <= 8_500
    assert 400_000 <= estimate_bytes([row] * 100) <= 401_000  # by its beginning
