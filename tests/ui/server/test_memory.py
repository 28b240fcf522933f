"""What visitors leave behind is given back, though nobody comes after them."""

import asyncio
import gc
import weakref
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from streamlit.runtime.caching.ttl_cache import TTLCache

from tests.waiting import awaited, until
from ui.cache import bounded
from ui.server import memory


class Session:
    """Something that only the collector frees: it holds itself."""

    def __init__(self) -> None:
        self.itself = self


class Runtime:
    """Sessions as Streamlit keeps them: those that broke off in a cache that looks at its clock when it is asked."""

    def __init__(self) -> None:
        self.now = 0.0
        self.active = 0
        self.stored: TTLCache[int, Session] = TTLCache(8, 50, timer=lambda: self.now)
        storage = SimpleNamespace(_cache=self.stored)
        self._session_mgr = SimpleNamespace(_session_storage=storage, num_active_sessions=lambda: self.active)


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Runtime:
    visits = Runtime()
    monkeypatch.setattr(memory.runtime, "exists", lambda: True)
    monkeypatch.setattr(memory.runtime, "get_instance", lambda: visits)
    return visits


@pytest.fixture
def no_collector() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_collector")
@pytest.mark.parametrize("active", [0, 1])
@awaited
async def test_a_session_that_has_ended_is_freed_at_once_where_nobody_would_wait_for_it(
    kept: Runtime, monkeypatch: pytest.MonkeyPatch, active: int
) -> None:
    collected: list[float] = []
    forgotten: list[float] = []
    collect = memory.collect

    def noted(*, forget: bool) -> None:
        collect(forget=forget)
        collected.append(kept.now)

    monkeypatch.setattr(memory, "collect", noted)
    monkeypatch.setattr(bounded, "clear_visitor_results", lambda: forgotten.append(kept.now))
    giving = asyncio.create_task(memory.trim_memory_loop(0.001))
    kept.active, kept.stored[1] = active, (session := Session())
    freed = weakref.ref(session)
    del session
    await asyncio.sleep(0.05)
    assert freed() is not None
    kept.now = 60.0
    if active:
        await asyncio.sleep(0.05)
        assert not collected  # those who are here are not held up
        kept.active = 0
    await until(lambda: len(collected) >= 2)  # the collection goes on after it is freed
    await asyncio.sleep(0.05)
    assert collected == forgotten == [60.0, 60.0]  # and not again and again
    giving.cancel()
