"""Where the words are at each step, put into the browser a few steps at a time, each of them once."""

import hashlib
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from ui.cache.bounded import BoundedCache
from ui.components import register
from ui.components._shared.payload import pack

CHUNK = 5  # steps that travel together; only the last few, which are not yet so many, are sent again as they grow
FINEST = 32_767  # a place is a 16-bit share of the farthest one of its step: a hundredth of a pixel on any screen

_component = register("row-motion-data", "point_cloud", script="data.js")
# Of 688 words at 120 steps: 0.5 MB.
_written: BoundedCache[tuple[str, tuple[int, ...], int], bytes] = BoundedCache(64_000_000, len)


def row_motion_frames(
    steps: Sequence[int],
    places: Sequence[NDArray[np.float32]] | NDArray[np.float32],
    *,
    key: str,
    run: str,
) -> None:
    """Put the places of all words at some steps into the browser, for `row_motion` to play.

    Call it in every run with all steps so far: the browser is sent only what it does not hold yet.

    Args:
        steps: rising from 0 or above.
        places: for each step (n_words, 3) finite float32; those of a step that was written before under the same `run`
            are not looked at again, in whatever session that was.
        key: Streamlit key, without "__".
        run: what moves along which axes: another one for other words, other places at a step, other axes.

    Raises:
        ValueError: steps that do not rise, not one array for each of them, arrays of other shapes or not finite.
    """
    if any(step < 0 for step in steps) or any(later <= step for step, later in pairwise(steps)):
        raise ValueError(f"steps={list(steps)[:8]}… must rise, from 0 or above")
    if len(places) != len(steps):
        raise ValueError(f"{len(places)} arrays of places for {len(steps)} steps: give one for each")
    with st.container(key=f"{key}-frames", gap=None):
        for first in range(0, len(steps), CHUNK):
            some = tuple(int(step) for step in steps[first : first + CHUNK])
            several = places[first : first + CHUNK]
            payload = _written.get((run, some, len(several[0])), partial(_chunk, run, some, several))
            _component(key=f"{key}-frames-{first // CHUNK}", data=payload)


def send_header(words: bytes, header: Mapping[str, object], *, key: str) -> None:
    """Put into the browser what the words are and what is to be shown of them.

    Apart from the picture, so that words travel only where they have changed.

    Args:
        words: packed with {"part": "words"} in its header; sent only where it has changed.
        header: JSON values that are few, because they are sent in every run.
        key: Streamlit key, without "__".
    """
    with st.container(key=f"{key}-cast", gap=None):
        _component(key=f"{key}-words", data=words)
        _component(key=f"{key}-header", data=dict(header))


def _chunk(run: str, steps: tuple[int, ...], places: Sequence[NDArray[np.float32]] | NDArray[np.float32]) -> bytes:
    """The places of each step as 16-bit integers, and what one of them is worth in the axes' unit."""
    n_words = len(places[0])
    units, shares = [], []
    for step, at in zip(steps, places, strict=True):
        if at.shape != (n_words, 3) or at.dtype != np.float32:
            raise ValueError(f"places at step {step} have shape {at.shape}, {at.dtype}: give ({n_words}, 3) float32")
        if not np.isfinite(at).all():
            raise ValueError(f"places at step {step} are not all finite: end the run before that step")
        unit = float(np.abs(at, dtype=np.float64).max(initial=0)) / FINEST or 1.0
        units.append(unit)
        shares.append(np.rint(at / unit).astype("<i2").tobytes())
    body = b"".join(shares)
    name = hashlib.blake2b(repr((run, steps, units)).encode() + body, digest_size=9).hexdigest()
    header = {"part": "frames", "name": name, "run": run, "count": n_words, "steps": list(steps), "units": units}
    return pack(header, (), body)
