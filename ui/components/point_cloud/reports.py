"""What a browser says about a picture of points: the point chosen, the step wished for, the points marked."""

import base64

import numpy as np

from ui.components._shared.choice import news


def reported(key: str, name: str, held: int | None, *, newest: int | None = None) -> tuple[int, int | None]:
    """Return what rules: the reader's report in the one run that it starts, in every other run what the page holds.

    Args:
        key: the `key` of the picture.
        name: of the report, such as "chosen".
        held: what the page holds.
        newest: what a report means by "newest", whatever its value: there may be more by now.

    Returns:
        The number of the reader's last report, 0 before there is one or if it makes no sense; and what rules, None
        where the report is no number.
    """
    turn, report = news(key, name)
    if report is None:
        return turn, held
    value = newest if newest is not None and report.get("newest") is True else report.get("value")
    return turn, value if type(value) is int else None


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
