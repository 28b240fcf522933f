"""Return memory to the machine after visitors have left: ended sessions, their results, free heap pages.

A minute after sixty visitors had left, a process had 730 MB; without malloc_trim 1,134, without any of this 1,285.
"""

import asyncio
import ctypes
import gc
from contextlib import suppress

from streamlit import runtime

_ARENA_MAX = -8  # of glibc's mallopt
_ARENAS = 2
_EVERY = 2.0  # seconds between two checks
_AT_MOST = 300.0  # seconds after which a collection runs although it delays connected visitors


def limit_malloc_arenas() -> None:
    """Make all threads allocate from the same few malloc arenas; call it before the first starts.

    Each page run is a thread of its own, and glibc has eight arenas per core, each fragmented: with them the 730 MB
    above were 789.
    """
    with suppress(OSError, AttributeError):  # others have no such option
        ctypes.CDLL(None).mallopt(_ARENA_MAX, _ARENAS)


async def trim_memory_loop(every: float = _EVERY) -> None:
    """Free the memory of ended sessions, periodically, while no visitor would wait for it.

    Streamlit keeps a session for `server.disconnectedSessionTTL`, but drops it only when the next one ends, and the
    collector runs only on allocations: after a class neither happens. Once nobody is left, results cached for them go
    too.
    """
    before, due, since = 0, 0, 0.0  # sessions at the last check; pending collections, and since when
    loop = asyncio.get_running_loop()
    while True:
        await asyncio.sleep(every)
        stored, active = _sessions()
        if stored + active < before:
            since = since if due else loop.time()
            due = 2  # the second frees the session: Streamlit still refers to it during the first
        before = stored + active
        if due and (not active or loop.time() - since > _AT_MOST):
            due = due - 1 if not before else 0
            await asyncio.to_thread(collect, forget=not before)


def collect(*, forget: bool = False) -> None:
    """Run the garbage collector, and return free memory to the system where the C library can.

    Args:
        forget: whether to clear cached results, except those of the warm-up.
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
    """Count the disconnected sessions, which also drops expired ones, and the connected ones."""
    if not runtime.exists():
        return 0, 0
    manager = runtime.get_instance()._session_mgr
    stored = getattr(getattr(manager, "_session_storage", None), "_cache", None)
    return 0 if stored is None else len(stored), manager.num_active_sessions()
