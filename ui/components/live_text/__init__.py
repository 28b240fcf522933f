"""A text area that reports its text while the user types."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ui.components import register
from ui.components._shared.reports import read_report

__all__ = ["LiveText", "live_text", "reported_text"]

_mount = register("live-text", "live_text")


@dataclass(frozen=True, slots=True)
class LiveText:
    """The contents of the text area: the text, cut one character past the limit, and its full length."""

    text: str
    total_characters: int


def live_text(
    value: str,
    *,
    revision: int,
    limit: int,
    labels: Mapping[str, str],
    key: str,
    on_change: Callable[[], None],
    lines: bool = False,
) -> LiveText:
    """Draw the text area and return its contents: the browser's last report for this revision, or `value`.

    The text arrives 50 ms after the last key (or 1 s after the first, if the keys go on), never in the middle of an
    input method's composition, and at once when the field loses the focus. As in every web form, the browser turns
    CR and CRLF into LF. Increment `revision` to replace the contents; with the same revision the area is never written
    to. One character more than `limit` code points is sent, so that the page can detect longer texts.

    Args:
        labels: "label" of the area, and a "hint" beside it if there is one.
        lines: whether Enter makes a new line; otherwise it sends the text, and Shift+Enter makes one.
    """
    current = reported_text(key, revision=revision, limit=limit) or LiveText(value, len(value))
    data = {"value": current.text, "revision": revision, "limit": limit, "lines": lines, "labels": dict(labels)}
    _mount(key=key, data=data, on_content_change=on_change)
    return current


def reported_text(key: str, *, revision: int, limit: int) -> LiveText | None:
    """Return the browser's last text for this revision, cut to `limit` + 1 characters, or None."""
    content = read_report(key, "content")
    if not isinstance(content, Mapping) or content.get("revision") != revision:
        return None
    text, total = content.get("text"), content.get("total")
    if not isinstance(text, str) or type(total) is not int:
        return None
    return LiveText(text[: limit + 1], max(total, len(text)))
