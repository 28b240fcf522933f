"""The text that a language model is trained on: Python's manual, what the reader types, or a file of theirs."""

from functools import lru_cache

import streamlit as st

from embedlib.texts.corpus import reference_manual
from embedlib.texts.leakage import repeated_share
from ui.i18n import _
from ui.settings import state
from ui.shared.markdown import as_code
from ui.shared.text.own_text import own_text, uploader
from ui.shared.text.text_area import current_text, text_area

_WINDOW, _MUCH = 64, 0.1  # characters, and the share of them that is worth a word


def text_choice() -> None:
    """Draw the choice of a text and what belongs to it."""
    titles = {"manual": _("Python’s manual"), "text": _("Your text"), "own": _("Your file")}
    st.segmented_control(
        _("Text to train on"),
        state.options("ext_text"),
        key="ext_text",
        format_func=lambda name: titles[name],
        required=True,
        on_change=state.dismiss_notices,
    )
    match state.get("ext_text"):
        case "text":
            text = text_area()
            for notice in text.notices:
                st.warning(notice)
            st.caption(_("{count:,} characters by now.").format(count=len(text.text)))
        case "own":
            uploader()
            loaded = own_text()
            st.caption(
                _("No file is loaded yet: until you choose one, this is Python’s manual.")
                if loaded is None
                else _("Trained on is {file}, which stays on this server for your visit only.").format(
                    file=as_code(loaded.name)
                )
            )


def warn_of_repetition(text: str) -> None:
    """Say how much of the test a text of the reader's own gives away, where that is much."""
    share = _repeated(text)
    if share >= _MUCH:
        st.warning(
            _(
                "{share:.0%} of the windows of {length} characters in the last tenth, which is the test, stand word "
                "for word in the part that is trained on: the scores tell what is remembered, not what is learned."
            ).format(share=share, length=_WINDOW)
        )


@lru_cache(maxsize=4)
def _repeated(text: str) -> float:
    return repeated_share(text, len(text) - len(text) // 10, length=_WINDOW)


def chosen_text() -> str | None:
    """Return the text that is chosen; None for the manual."""
    if state.get("ext_text") == "text":
        return current_text().text
    loaded = own_text() if state.get("ext_text") == "own" else None
    return None if loaded is None else loaded.text


@lru_cache(maxsize=1)
def manual() -> str:
    """Return the interpreter's own text."""
    return reference_manual()
