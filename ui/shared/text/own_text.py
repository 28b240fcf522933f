"""The reader's own text file: read once, checked, and kept for as long as the visit lasts."""

from collections.abc import Callable
from dataclasses import dataclass, field
from secrets import token_hex

import streamlit as st

from embedlib.texts import TEXT_ERRORS, TextFileError, check_text_size, read_text
from ui.i18n import _
from ui.settings import state
from ui.shared.markdown import as_code

LIMIT = 5_000_000  # bytes; five long novels, and at one token for each byte 120 MB of memory
_LONGEST_NAME = 60


@dataclass(frozen=True)
class OwnText:
    """A file that this visitor has loaded."""

    name: str
    key: str
    text: str = field(repr=False)


def own_text() -> OwnText | None:
    """Return the text file of this visit; None before there is one."""
    return st.session_state.get("own_text")


def uploader() -> None:
    """Draw what takes a file, and say in one sentence what is wrong with the last one."""
    attempt = int(st.session_state.setdefault("own_text_attempt", 0))
    file = st.file_uploader(
        _("A text file in UTF-8, up to {limit:.0f} MB").format(limit=LIMIT / 1e6),
        max_upload_size=round(LIMIT / 1e6),
        key=f"own-text-{attempt}",
        help=_("It stays on this server for your visit only, and nothing in it is run."),
    )
    if file is not None:
        _take(file.name, file.size, file.getvalue)
    if problem := st.session_state.get("own_text_problem"):
        st.error(problem)
        if own_text() is not None:
            st.caption(_("The file in view is still the one from before."))


def sentence(error: TextFileError) -> str:
    """Say what is wrong with a file and what helps, as markdown in which its name is code."""
    values = {**error.values, "file": as_code(_shortened(error.values["file"]))}
    if "kind" in values:
        values["kind"] = _(values["kind"])
    return _(TEXT_ERRORS[error.code]).format(**values)


def _take(name: str, size: int, content: Callable[[], bytes]) -> None:
    """Read the file, or keep the sentence that says what is wrong with it, and begin with an empty uploader."""
    problem = None
    try:
        check_text_size(size, limit=LIMIT, name=name)  # before its bytes are touched
        text = read_text(content(), limit=LIMIT, name=name)
        st.session_state["own_text"] = OwnText(name, f"own {token_hex(8)}", text)
        state.put(batch=1, batch_place=None, batch_token=None)
    except TextFileError as error:
        problem = sentence(error)
    st.session_state["own_text_problem"] = problem
    st.session_state["own_text_attempt"] += 1  # so that the server lets go of the file's bytes
    st.rerun()


def _shortened(name: str) -> str:
    half = _LONGEST_NAME // 2
    return name if len(name) <= _LONGEST_NAME else f"{name[: half - 1]}…{name[-half:]}"
