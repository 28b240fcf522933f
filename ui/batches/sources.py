"""Where the text comes from: Python's manual, what the reader types, or a file of theirs."""

from dataclasses import dataclass, field
from functools import lru_cache
from html import escape

import streamlit as st

from embedlib.examples import LONG_TEXT
from embedlib.texts import reference_manual
from ui.i18n import _
from ui.settings import state
from ui.shared.markdown import as_code
from ui.shared.text.own_text import own_text, uploader
from ui.shared.text.prepared import prepare
from ui.shared.text.text_area import text_area


@dataclass(frozen=True)
class Source:
    """A text that is in view.

    Attributes:
        name: one of SOURCES; that of "manual" where no file of one's own is loaded.
        key: tells this text from every other; two with one key are the same text.
        text: valid Unicode, perhaps empty.
        file: name of the file it was read from; None where there is none.
    """

    name: str
    key: str
    text: str = field(repr=False, compare=False)
    file: str | None = None


def source_section() -> Source:
    """Draw the choice and what belongs to it; return the text that is in view."""
    titles = {
        "manual": _("Python's manual"),
        "example": _("The examples' text"),
        "text": _("Your text"),
        "own": _("Your file"),
    }
    st.segmented_control(
        _("Text"),
        state.options("batches_source"),
        key="batches_source",
        format_func=lambda name: titles[name],
        required=True,
        on_change=_begin,
    )
    match state.get("batches_source"):
        case "example":
            st.html(f'<p class="example-text" lang="en">{escape(LONG_TEXT)}</p>')
            return Source("example", "example", LONG_TEXT)
        case "text":
            return _typed()
        case "own":
            return _own()
        case _:
            return Source("manual", "manual", _manual())


def _begin() -> None:
    """Begin another text with its first batch: a place in one text is none in another."""
    state.put(batch=1, batch_place=None, batch_token=None)
    state.dismiss_notices()


def _typed() -> Source:
    prepared = text_area()
    for notice in prepared.notices:
        st.warning(notice)
    return Source("text", f"text {prepared.text}", prepared.text)


def _own() -> Source:
    uploader()
    loaded = own_text()
    if loaded is None:
        st.info(_("No file is loaded yet: until you choose one, this is Python's manual."))
        return Source("manual", "manual", _manual())
    st.caption(_("In view is {file}, for this visit only: a link cannot carry it.").format(file=as_code(loaded.name)))
    return Source("own", loaded.key, loaded.text, loaded.name)


@lru_cache(maxsize=1)
def _manual() -> str:
    """The interpreter's own text, made sure to be encodable."""
    text = reference_manual()
    return prepare(text, limit=len(text)).text
