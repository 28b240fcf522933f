"""What visitors leave behind goes back to the machine: ended sessions, their results, and free pages of memory.

What the allocators keep all the same goes with the process, which `bin/serve` replaces where `is_worn` says so.
"""

import asyncio
import ctypes
import gc
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from streamlit import runtime

_ARENA_MAX = -8  # of glibc's mallopt
_ARENAS = 2
_EVERY = 2.0  # seconds between two looks
_AT_MOST = 300.0  # seconds that what has ended may wait for a collection, which holds up those who are here
# Bytes more than when it became ready for which a process that nobody needs is replaced; what it then does for second
# pages takes 120 MB of them.
_WORN = 180_000_000


@dataclass
class _Process:
    warm: int = 0  # bytes that it had in memory before its first visitor; 0 until then
    worn: bool = False  # whether it had many more when its last visitor had left


_process = _Process()


def share_arenas() -> None:
    """Let all threads take memory from the same few places; before the first of them begins.

    Each run of a page is a thread of its own, and glibc has eight places for each core, each with gaps of its own.
    """
    with suppress(OSError, AttributeError):  # others have no such option
        ctypes.CDLL(None).mallopt(_ARENA_MAX, _ARENAS)


async def give_back(every: float = _EVERY) -> None:
    """Look again and again, on the event loop, for sessions that have ended.

    Streamlit keeps a session for `server.disconnectedSessionTTL`, but lets go of it only when the next one ends, and
    the collector runs only when something is made: after a class nothing ends and nothing is made. Once nobody is left
    what was computed for them goes too.
    """
    before, due, since = 0, 0, 0.0
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
            if not before and _process.warm:
                _process.worn = _resident() > _process.warm + _WORN


def collect(*, forget: bool = False) -> None:
    """Free what nothing refers to, and hand free memory back where the C library can.

    Args:
        forget: whether results go, but for those of the warm-up.
    """
    if forget:
        from ui.cache.bounded import forget_what_visitors_made  # these import torch: not before the server answers
        from ui.jobs.queue import forget_what_is_soon_done

        forget_what_visitors_made()
        forget_what_is_soon_done()
    gc.collect()
    with suppress(OSError, AttributeError):  # glibc's; others have none, or do it by themselves
        ctypes.CDLL(None).malloc_trim(0)


def note_warm() -> None:
    """Note what this process has in memory before its first visitor."""
    _process.warm = _resident()


def is_worn() -> bool:
    """Tell whether nobody is here, nothing is computed, and what visitors have left behind is worth a new process."""
    from ui.jobs.queue import count_all  # as in `collect`

    return _process.worn and not any((*_sessions(), *count_all()))


def _resident() -> int:
    """Return the bytes that this process has in memory; 0 where the system is not Linux, whose files say so."""
    with suppress(OSError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def _sessions() -> tuple[int, int]:
    """Return how many sessions are kept without a connection and how many have one; those that are too old go by it."""
    if not runtime.exists():
        return 0, 0
    manager = runtime.get_instance()._session_mgr
    stored = getattr(getattr(manager, "_session_storage", None), "_cache", None)
    return 0 if stored is None else len(stored), manager.num_active_sessions()
