"""Positions of the words at each step, which the browser fetches once, a few steps at a time."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from embedlib.components.payload import pack
from ui.cache.bounded import BoundedCache
from ui.components._shared.data import SharedData, serve

CHUNK = 5  # steps that travel together; only the last few, which are not yet so many, are fetched again as they grow
FINEST = 32_767  # a coordinate is a 16-bit share of its step's largest: a hundredth of a pixel on any screen

# Of 688 words at 120 steps: 0.5 MB.
_written: BoundedCache[tuple[str, tuple[int, ...], int], SharedData] = BoundedCache(64_000_000, lambda one: one.nbytes)


def row_motion_frames(
    steps: Sequence[int], places: Sequence[NDArray[np.float32]] | NDArray[np.float32], *, run: str
) -> list[str]:
    """Serve the positions of all words at some steps, for `row_motion` to play.

    Call it in every run with all steps so far: the browser fetches only what it does not hold yet.

    Args:
        steps: rising from 0 or above.
        places: for each step (n_words, 3) finite float32; steps already cached under the same `run`, in any session,
            are not read again.
        run: identifies words, axes and positions.

    Returns:
        The addresses for `row_motion`.
    """
    addresses = []
    for first in range(0, len(steps), CHUNK):
        some = tuple(int(step) for step in steps[first : first + CHUNK])
        several = places[first : first + CHUNK]
        chunk = _written.get((run, some, len(several[0])), partial(_chunk, some, several))
        addresses.append(serve(chunk).address)
    return addresses


def _chunk(steps: tuple[int, ...], places: Sequence[NDArray[np.float32]] | NDArray[np.float32]) -> SharedData:
    """Encode the positions of each step as 16-bit integers, with the unit of each step."""
    n_words = len(places[0])
    units, shares = [], []
    for at in places:
        unit = float(np.abs(at, dtype=np.float64).max(initial=0)) / FINEST or 1.0
        units.append(unit)
        shares.append(np.rint(at / unit).astype("<i2").tobytes())
    header = {"part": "frames", "count": n_words, "steps": list(steps), "units": units}
    return SharedData(pack(header, (), b"".join(shares)))
