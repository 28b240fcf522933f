"""What a browser says about a picture of points: the point chosen, the points marked."""

import base64
from collections.abc import Mapping

import numpy as np
import streamlit as st


def reported_choice(key: str) -> tuple[int, int | None]:
    """Return the reader's last choice.

    Args:
        key: the `key` of the picture.

    Returns:
        The choice's number and the index of the point; 0 and None before there is one, or if it makes no sense.
    """
    state = st.session_state.get(key)
    report = state.get("chosen") if isinstance(state, Mapping) else None
    # A browser can send anything.
    if not isinstance(report, Mapping) or type(report.get("turn")) is not int:
        return 0, None
    index = report.get("index")
    return report["turn"], index if type(index) is int else None


def read_selection(report: object, n_points: int) -> list[int] | None:
    """Return the indices that the browser marked.

    Args:
        report: what the browser sent: base64 of one bit per point, the first point in the lowest bit.
        n_points: how many points there are.

    Returns:
        Rising indices in 0..n_points-1; None if nothing was sent, or nothing sound.
    """
    # A browser can send anything.
    if not isinstance(report, str) or len(report) > 4 * (n_points // 8 + 4):
        return None
    try:
        bits = base64.b64decode(report, validate=True)
    except ValueError:  # binascii.Error is one, and so is what letters that are not ASCII raise
        return None
    if bits and len(bits) != (n_points + 7) // 8:
        return None
    marked = np.unpackbits(np.frombuffer(bits, np.uint8), bitorder="little")[:n_points]
    return [int(index) for index in np.flatnonzero(marked)]
