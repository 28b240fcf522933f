"""A text area that tells Python what is in it while one types."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st

from embedlib.i18n import N_
from ui.components import register
from ui.components._shared.payload import check_labels

_mount = register("live-text", "live_text")

# Every string on the component, in English; the page passes the same names with translations.
LABELS: dict[str, str] = {"label": N_("Your text")}


@dataclass(frozen=True, slots=True)
class LiveText:
    """What the text area holds: the text, cut one character past the limit, and how long it really is."""

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
) -> LiveText:
    """Draw the text area and return what it holds.

    The text arrives 50 ms after the last key (or 1 s after the first, if the keys go on), never in the middle of an
    input method's composition, and at once when the field loses the focus. As in every web form, the browser turns
    CR and CRLF into LF.

    Args:
        value: the text of this revision; fills the area when it first appears and when `revision` changes.
        revision: count up to replace what is in the area. With the same revision the area is never written to.
        limit: most characters (code points) that the page accepts, at least 0; one more is sent, so that it can tell.
        labels: the entries of LABELS, translated.
        key: Streamlit key, without "__".
        on_change: called before the run that a new text starts; `reported_text` tells the text there.

    Returns:
        The browser's last word on this revision; `value` and its length before there is one.

    Raises:
        ValueError: labels lacks an entry.
    """
    check_labels(labels, LABELS)
    current = reported_text(key, revision=revision, limit=limit) or LiveText(value, len(value))
    data = {"value": current.text, "revision": revision, "limit": limit, "labels": dict(labels)}
    _mount(key=key, data=data, on_content_change=on_change)
    return current


def reported_text(key: str, *, revision: int, limit: int) -> LiveText | None:
    """Return what the browser last sent for this revision, at most `limit` + 1 characters of it.

    Args:
        key: the `key` of the area.
        revision: the revision asked about; what was typed into an earlier one is out of date.
        limit: most characters that the page accepts.

    Returns:
        The text and its true length; None if the browser has sent nothing for this revision, or nothing sound.
    """
    state = st.session_state.get(key)
    content = state.get("content") if isinstance(state, Mapping) else None
    # A browser can send anything.
    if not isinstance(content, Mapping) or content.get("revision") != revision:
        return None
    text, total = content.get("text"), content.get("total")
    if not isinstance(text, str) or type(total) is not int:
        return None
    return LiveText(text[: limit + 1], max(total, len(text)))
