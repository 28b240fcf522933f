"""The text that a language model is trained on: Python's manual, what the reader types, or a file of theirs."""

from functools import lru_cache

import streamlit as st

from embedlib.corpus import reference_manual
from ui import state
from ui.batches.own_text import own_text, uploader
from ui.i18n import _
from ui.markdown import as_code
from ui.pipeline.text_input import current_text, text_area


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
            for notice in text_area().notices:
                st.warning(notice)
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
