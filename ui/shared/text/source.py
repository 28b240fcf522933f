"""The choice of a text: one that ships with the app, typed, or from a file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from html import escape
from secrets import token_hex

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from embedlib.errors import CodedError
from embedlib.examples import LONG_TEXT, STORY, in_language
from embedlib.texts import TEXT_ERRORS, check_text_size, read_text, reference_manual
from ui.cache.bounded import memo
from ui.i18n import _, language, language_tag
from ui.markdown import as_code, file_as_code
from ui.settings import controls, state
from ui.shared.text.prepared import prepare
from ui.shared.text.text_area import text_area
from ui.shared.upload import upload

__all__ = ["LIMIT", "Source", "choose_text", "manual_text"]

LIMIT = 5_000_000  # bytes; five long novels, and at one token for each byte 120 MB of memory
_OWN = "own_text"


@dataclass(frozen=True)
class Source:
    """The text in view.

    Attributes:
        name: "story", "manual", "example", "grammar", "text" for the typed text, or "own" for the user's file.
        key: identifies the text.
        text: valid Unicode, perhaps empty; always empty for "grammar".
        file: name of its file; None for none.
    """

    name: str
    key: str
    text: str = field(default="", repr=False, compare=False)
    file: str | None = None

    @property
    def is_own(self) -> bool:
        """Return whether the text is the user's own, typed or uploaded."""
        return self.name in ("text", "own")


@memo()
def manual_text() -> str:
    """Return the Python reference manual, made safe to encode."""
    text = reference_manual()
    return prepare(text, limit=len(text)).text


def choose_text(
    setting: str,
    titles: Mapping[str, str],
    *,
    label: str,
    instead: str,
    no_file: Callable[[], object],
    about_file: Callable[[str], object] | None = None,
    collapsed: bool = False,
    on_change: Callable[[], None] | None = None,
) -> Source:
    """Draw the choice of a text and its controls; return the text in view.

    Args:
        setting: whose options are names of sources.
        titles: of the sources, translated.
        label: of the widget.
        instead: the source to use until a file is uploaded.
        no_file: shows that there is no file yet.
        about_file: shows a note on the file, whose name it gets as markdown; None for none.
        collapsed: whether the label is visible to screen readers only.
        on_change: called when another source is chosen.
    """
    controls.control(setting, label=label, titles=titles, collapsed=collapsed, on_change=on_change)
    match state.get(setting):
        case "text":
            prepared = text_area()
            for notice in prepared.notices:
                st.warning(notice)
            return Source("text", f"text {sha256(prepared.text.encode()).hexdigest()}", prepared.text)
        case "own":
            loaded: Source | None = st.session_state.get(_OWN)
            upload(
                _("A UTF-8 text file, up to {limit:.0f} MB").format(limit=LIMIT / 1e6),
                _load_file,
                key="own-text",
                limit_mb=round(LIMIT / 1e6),
                previous_stays=loaded is not None,
            )
            if loaded is None:
                no_file()
                return _shipped_text(instead)
            if about_file is not None:
                about_file(as_code(str(loaded.file)))
            return loaded
        case name:
            if name == "example":
                st.html(f'<p class="example-text" lang="{language_tag()}">{escape(_shipped_text(name).text)}</p>')
            return _shipped_text(name)


def _shipped_text(name: str) -> Source:
    """Return a text that ships with the app, in this run's language; the grammar generates its own."""
    if name == "manual":
        return Source(name, name, manual_text())
    english = {"story": STORY, "example": LONG_TEXT}.get(name, "")
    text = in_language(english, language())
    return Source(name, name if text == english else f"{name} {language()}", text)


def _load_file(file: UploadedFile) -> str | None:
    """Read the file, or return the error sentence."""
    try:
        check_text_size(file.size, limit=LIMIT, name=file.name)  # before its bytes are touched
        text = read_text(file.getvalue(), limit=LIMIT, name=file.name)
    except CodedError as error:
        return _refusal_sentence(error)
    st.session_state[_OWN] = Source("own", f"own {token_hex(8)}", text, file.name)
    return None


def _refusal_sentence(error: CodedError) -> str:
    """Describe the error of a file and its remedy, as markdown with its name as code."""
    values = {**error.values, "file": file_as_code(error.values["file"])}
    return _(TEXT_ERRORS[error.code]).format(**values)
