import threading
import time

import pytest

from ui.cache.bounded import BoundedCache


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
    cache: BoundedCache[int, bytes] = BoundedCache(20, len)
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
        released.wait(10)
        return b"slow"

    thread = threading.Thread(target=lambda: cache.get(1, slow))
    thread.start()
    assert cache.get(2, lambda: b"quick") == b"quick"
    released.set()
    thread.join()
