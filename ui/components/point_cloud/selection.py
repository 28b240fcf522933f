"""The points selected with box or lasso, as the browser reports them."""

import base64

import numpy as np


def read_selection(report: object, n_points: int) -> list[int] | None:
    """Return the indices of the selected points.

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
    except ValueError:  # includes binascii.Error; non-ASCII letters raise ValueError itself
        return None
    if bits and len(bits) != (n_points + 7) // 8:
        return None
    marked = np.unpackbits(np.frombuffer(bits, np.uint8), bitorder="little")[:n_points]
    return [int(index) for index in np.flatnonzero(marked)]
