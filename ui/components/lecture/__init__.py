"""The presenter's panel of a lecture: followers, a QR code for phones, a chart of votes, and pending words."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from embedlib.i18n import N_
from ui.components import register
from ui.components._shared.reports import read_report

__all__ = ["LABELS", "ShownQuestion", "lecture", "qr_code", "read_report"]

# Every string on the component, in English; the page passes the same names with translations.
LABELS: dict[str, str] = {
    "panel": N_("Lecture"),
    "phones": N_("Phones: {count}"),
    "qr": N_("QR code"),
    "end": N_("End the lecture"),
    "close": N_("Close"),
    "votes": N_("Votes: {count}"),
    "answer": N_("Show the answer"),
    "words": N_("Words: {count}"),
    "approve": N_("Approve"),
    "reject": N_("Reject"),
    "local": N_("Phones cannot open localhost: use the machine’s own address."),
    "offline": N_("No connection. Trying again."),
    "lost": N_("No connection to Redis. Trying again; everything here stays."),
}

_mount = register("lecture", "lecture")


@dataclass(frozen=True, slots=True)
class ShownQuestion:
    """The question in view.

    Attributes:
        key: tells it from every other.
        choices: its answers; none where a number is typed.
        right: the answer as votes are counted, once it was asked for; None before.
    """

    key: str
    choices: Sequence[str]
    right: str | None


def lecture(
    code: str,
    *,
    address: str,
    asked: ShownQuestion | None,
    labels: Mapping[str, str],
    key: str,
    on_approved: Callable[[], None],
    on_ended: Callable[[], None],
) -> None:
    """Draw the panel; the room's events reach it in the browser, without page reruns.

    Args:
        code: of the room.
        address: that the QR code leads to.
        asked: the question in view; None for none.
        labels: the entries of LABELS, translated.
        key: Streamlit key, without "__".
        on_approved: called when a word was approved; `read_report(key, "approved")` lists [id, word], the oldest first.
        on_ended: called when the presenter has closed the room.
    """
    question = None if asked is None else {"key": asked.key, "choices": list(asked.choices), "right": asked.right}
    data = {"code": code, "address": address, "qr": qr_code(address), "question": question, "labels": dict(labels)}
    _mount(
        key=key,
        data=data,
        on_approved_change=on_approved,
        on_answered_change=lambda: None,
        on_ended_change=on_ended,
    )


@lru_cache(maxsize=64)
def qr_code(address: str) -> dict[str, Any]:
    """Return a QR code as an SVG path.

    Returns:
        size: modules along a side, with the white border that scanners need; path: a square for each dark one.
    """
    import segno  # only needed in a lecture

    border = 4
    matrix = segno.make(address, micro=False, error="m").matrix
    dark = [(row, column) for row, line in enumerate(matrix) for column, module in enumerate(line) if module & 1]
    path = "".join(f"M{column + border} {row + border}h1v1h-1z" for row, column in dark)
    return {"size": len(matrix) + 2 * border, "path": path}
