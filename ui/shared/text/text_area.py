"""The live text area and the worked examples above it."""

from collections.abc import Callable

import streamlit as st

from embedlib.examples import EXAMPLES
from ui.components.live_text import live_text, reported_text
from ui.i18n import _
from ui.settings import state
from ui.shared.text.prepared import MAX_CHARACTERS, PreparedText, prepare

KEY = "live-text"


def text_section(title: str) -> PreparedText:
    """Draw the title with the examples beside it, and the text area; return the text that can be used."""
    title_with_examples(title, _examples)
    return text_area()


def title_with_examples(title: str, examples: Callable[[], None]) -> None:
    """Draw a page's title, and beside it a button that opens its examples."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.title(title)
        with st.popover(_("Examples")):
            examples()


def _examples() -> None:
    st.pills(
        _("Examples"),
        list(EXAMPLES),
        key="example",
        format_func=lambda name: _(EXAMPLES[name].title),
        label_visibility="collapsed",
        on_change=_load_example,
    )


def current_text(suggestion: str | None = None) -> PreparedText:
    """Return the text that can be used, for what is drawn above the text area.

    Args:
        suggestion: the same as the text area gets.
    """
    _hold(suggestion)
    content = reported_text(KEY, revision=_revision(), limit=MAX_CHARACTERS)
    if content is None:
        return prepare(state.get("text") if suggestion is None else suggestion)
    return prepare(content.text, total_characters=content.total_characters)


def text_area(suggestion: str | None = None) -> PreparedText:
    """Draw the text area alone; return the text that can be used.

    Args:
        suggestion: stands in the area of one page in place of the text that all pages share, which stays as it is
            until the reader types; None for the shared text.
    """
    _hold(suggestion)
    content = live_text(
        state.get("text") if suggestion is None else suggestion,
        revision=_revision(),
        limit=MAX_CHARACTERS,
        labels={"label": _("Your text")},
        key=KEY,
        on_change=_take_text,
    )
    if content.text != suggestion:
        state.put(text=content.text)
    return prepare(content.text, total_characters=content.total_characters)


def _revision() -> int:
    return int(st.session_state.setdefault("text_revision", 0))


def is_untouched() -> bool:
    """Tell whether the text is still the one that every visit begins with, and nothing has been typed or chosen."""
    return bool(state.get("text") == state.DEFAULT_TEXT and not st.session_state.get("text_taken"))


def _hold(suggestion: str | None) -> None:
    """Begin a new text in the area where a suggestion comes or goes."""
    if st.session_state.get("text_suggestion") != suggestion:
        st.session_state["text_suggestion"] = suggestion
        st.session_state["text_revision"] = _revision() + 1


def _take_text() -> None:
    st.session_state["text_taken"] = True
    st.session_state["text_suggestion"] = None  # what is in the area is the reader's now: it goes on from there
    st.session_state["example"] = None
    state.dismiss_notices()


def put_text(text: str) -> None:
    """Put a text into the text area; call it from a callback, before the area is drawn."""
    state.put(text=text)
    st.session_state["text_taken"] = True
    st.session_state["text_suggestion"] = None
    st.session_state["text_revision"] = _revision() + 1


def _load_example() -> None:
    name = st.session_state["example"]
    if name is None:
        return
    example = EXAMPLES[name]
    state.reset()
    state.put(**example.settings)
    put_text(example.text)


def show_notices(prepared: PreparedText) -> None:
    """Say what was left out of a text, and that it is empty where it is."""
    for notice in prepared.notices:
        st.warning(notice)
    if not prepared.text:
        st.info(_("The text is empty: type something or choose an example."))
