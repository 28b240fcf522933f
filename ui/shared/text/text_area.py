"""The live text area and the worked examples above it."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from embedlib.examples import EXAMPLES, in_language
from ui.components.live_text import live_text, reported_text
from ui.i18n import _, language
from ui.settings import state
from ui.shared.examples import examples, title_with_examples
from ui.shared.text.prepared import MAX_CHARACTERS, PreparedText, prepare
from ui.shared.text.tokens import show_no_tokens

KEY = "live-text"


def text_title(draw_beside: Callable[[], None] | None = None) -> None:
    """Draw the title with the examples beside it, outside of the fragment that depends on the text.

    Args:
        draw_beside: as `title_with_examples` takes it.
    """
    title_with_examples(_examples, draw_beside)


def _examples() -> None:
    titles = {name: _(example.title) for name, example in EXAMPLES.items()}
    examples(titles, _load_example, shown=st.session_state.get("example_shown"), key="example")


def current_text() -> PreparedText:
    """Return the prepared text, for what is drawn above the text area."""
    content = reported_text(KEY, revision=area_revision("text"), limit=MAX_CHARACTERS)
    if content is None:
        return prepare(state.get("text"))
    return prepare(content.text, total_characters=content.total_characters)


def text_area() -> PreparedText:
    """Draw the text area alone; return the prepared text."""
    content = live_text(
        state.get("text"),
        revision=area_revision("text"),
        limit=MAX_CHARACTERS,
        labels={"label": _("Your text"), "hint": _("Enter sends the text, Shift+Enter makes a new line.")},
        key=KEY,
        on_change=_handle_edit,
    )
    state.put(text=content.text)
    state.note_control("text")
    return prepare(content.text, total_characters=content.total_characters)


def area_revision(setting: str) -> int:
    """Return how often the server has replaced the text of a setting's areas: earlier edits are stale."""
    return int(st.session_state.setdefault(f"{setting}_revision", 0))


def _handle_edit() -> None:
    if st.session_state.get("example_shown") is not None:
        st.session_state["example_shown"] = None
        state.rerun_page()
    state.dismiss_notices()


def set_text(text: str) -> None:
    """Replace the text in the text area; call it from a callback, before the area is drawn."""
    set_area_texts(text=text)
    st.session_state["example_shown"] = None


def _load_example(name: str) -> None:
    example = EXAMPLES[name]
    state.reset(**example.settings)
    set_text(in_language(example.text, language()))
    st.session_state["example_shown"] = name


def show_notices(prepared: PreparedText) -> None:
    """Show what was left out of a text, or that it has no tokens."""
    for notice in prepared.notices:
        st.warning(notice)
    if not prepared.text:
        show_no_tokens()


def setting_area(setting: str, label: str, *, limit: int, key: str | None = None, lines: bool = False) -> PreparedText:
    """Draw a text area for a setting; return the prepared text.

    Args:
        setting: a Text.
        label: of the area.
        limit: most characters that are kept.
        key: of the area; None for f"{setting}-area".
        lines: whether the text has several lines, so that Enter makes a new one.
    """
    key = key or f"{setting}-area"
    content = live_text(
        state.get(setting),
        revision=area_revision(setting),
        limit=limit,
        labels={"label": label},
        key=key,
        on_change=partial(_store_setting, setting, key, limit),
        lines=lines,
    )
    state.note_control(setting)
    return prepare(content.text, total_characters=content.total_characters, limit=limit)


def set_area_texts(**texts: str) -> None:
    """Replace the texts in these settings' areas; call it from a callback, before they are drawn."""
    state.put(**texts)
    state.renew_areas(texts)


def _store_setting(setting: str, key: str, limit: int) -> None:
    content = reported_text(key, revision=area_revision(setting), limit=limit)
    if content is not None:
        state.set_local(**{setting: content.text})
