"""What visitors leave behind goes back to the machine: sessions that have ended, and pages of memory that are free."""

import asyncio
import ctypes
import gc
from contextlib import suppress

from streamlit import runtime

_EVERY = 10.0  # seconds between two looks
_AT_MOST = 300.0  # seconds that what has ended may wait for a collection, which holds up those who are here


async def give_back(every: float = _EVERY) -> None:
    """Look again and again, on the event loop, for sessions that have ended.

    Streamlit keeps a session for `server.disconnectedSessionTTL`, but lets go of it only when the next one ends, and
    the collector runs only when something is made: after a class nothing ends and nothing is made.
    """
    before = 0
    waiting_since: float | None = None
    loop = asyncio.get_running_loop()
    while True:
        await asyncio.sleep(every)
        stored, active = _sessions()
        if stored + active < before and waiting_since is None:
            waiting_since = loop.time()
        before = stored + active
        if waiting_since is not None and (not active or loop.time() - waiting_since > _AT_MOST):
            waiting_since = None
            await asyncio.to_thread(collect)


def collect() -> None:
    """Free what nothing refers to, and hand free memory back where the C library can."""
    gc.collect()
    with suppress(OSError, AttributeError):  # glibc's; others have none, or do it by themselves
        ctypes.CDLL(None).malloc_trim(0)


def _sessions() -> tuple[int, int]:
    """Return how many sessions are kept without a connection and how many have one; those that are too old go by it."""
    if not runtime.exists():
        return 0, 0
    manager = runtime.get_instance()._session_mgr
    stored = getattr(getattr(manager, "_session_storage", None), "_cache", None)
    return 0 if stored is None else len(stored), manager.num_active_sessions()
