"""What visitors leave behind goes back to the machine: ended sessions, their results, and free pages of memory.

A minute after sixty visitors had left, a process had 730 MB; without malloc_trim 1,134, without any of this 1,285.
"""

import asyncio
import ctypes
import gc
from contextlib import suppress

from streamlit import runtime

_ARENA_MAX = -8  # of glibc's mallopt
_ARENAS = 2
_EVERY = 2.0  # seconds between two looks
_AT_MOST = 300.0  # seconds that what has ended may wait for a collection, which holds up those who are here


def limit_malloc_arenas() -> None:
    """Let all threads take memory from the same few places; before the first of them begins.

    Each run of a page is a thread of its own, and glibc has eight places for each core, each with gaps of its own: with
    them the 730 MB above were 789.
    """
    with suppress(OSError, AttributeError):  # others have no such option
        ctypes.CDLL(None).mallopt(_ARENA_MAX, _ARENAS)


async def trim_memory_loop(every: float = _EVERY) -> None:
    """Free what ended sessions have used, again and again, once nobody would wait for it.

    Streamlit keeps a session for `server.disconnectedSessionTTL`, but lets go of it only when the next one ends, and
    the collector runs only when something is made: after a class nothing ends and nothing is made. Once nobody is left
    what was computed for them goes too.
    """
    before, due, since = 0, 0, 0.0  # sessions at the last look; collections to come, and from when on
    loop = asyncio.get_running_loop()
    while True:
        await asyncio.sleep(every)
        stored, active = _sessions()
        if stored + active < before:
            since = since if due else loop.time()
            due = 2  # what ends a session is freed by the second: Streamlit's own end of it holds on to it in the first
        before = stored + active
        if due and (not active or loop.time() - since > _AT_MOST):
            due = due - 1 if not before else 0
            await asyncio.to_thread(collect, forget=not before)


def collect(*, forget: bool = False) -> None:
    """Free what nothing refers to, and hand free memory back where the C library can.

    Args:
        forget: whether results go, but for those of the warm-up.
    """
    if forget:
        from ui.cache.bounded import clear_visitor_results  # these import torch: not before the server answers
        from ui.jobs.queue import forget_quick_results

        clear_visitor_results()
        forget_quick_results()
    gc.collect()
    with suppress(OSError, AttributeError):  # glibc's; others have none, or do it by themselves
        ctypes.CDLL(None).malloc_trim(0)


def _sessions() -> tuple[int, int]:
    """Count the sessions without a connection, which drops those that are too old, and those with one."""
    if not runtime.exists():
        return 0, 0
    manager = runtime.get_instance()._session_mgr
    stored = getattr(getattr(manager, "_session_storage", None), "_cache", None)
    return 0 if stored is None else len(stored), manager.num_active_sessions()
