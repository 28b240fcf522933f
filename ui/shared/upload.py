"""File uploads: each file is handed over once, and rejected in one sentence."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from ui.i18n import _, separator
from ui.settings import state


def upload(
    label: str,
    take: Callable[[Any], str | None],
    *,
    key: str,
    types: Sequence[str] | None = None,
    limit_mb: int | None = None,
    several: bool = False,
    about: str | None = None,
    previous_stays: bool = False,
) -> None:
    """Draw an uploader, and below it why the last file was rejected.

    Each upload empties the uploader: the server frees the file's bytes, and a file of the same name counts as new.

    Args:
        label: of the uploader.
        take: called with Streamlit's UploadedFile, or a list of them if `several`, before the page is drawn; it stores
            the contents and returns None, or returns a translated error sentence, as markdown.
        key: of the uploader, for `renew_upload`; its widget is called f"{key}-{attempt}".
        types: file extensions; None for any.
        limit_mb: most megabytes of a file; None for the server's limit.
        several: whether several files can be uploaded together.
        about: tooltip, before the sentence that files are kept for this session only.
        previous_stays: whether an earlier file stays in view after a rejected one, which the page then says.
    """
    widget = f"{key}-{upload_attempt(key)}"
    session_only = _("Kept for this session only.")
    st.file_uploader(
        label,
        types,
        accept_multiple_files=several,
        max_upload_size=limit_mb,
        key=widget,
        help=session_only if about is None else about + separator(" ") + session_only,
        on_change=_handle_upload,
        args=(key, widget, take),
    )
    if problem := st.session_state.get(f"{key}_problem"):
        with st.container(key=f"{key}-problem"):
            st.error(problem)
            if previous_stays:
                st.caption(_("The previous one stays."))


def _handle_upload(key: str, widget: str, take: Callable[[Any], str | None]) -> None:
    if given := st.session_state.get(widget):
        renew_upload(key, take(given))
        state.dismiss_notices()
        state.rerun_page()


def renew_upload(key: str, problem: str | None = None) -> None:
    """Empty an uploader, and show an error sentence below it, or none."""
    st.session_state[f"{key}_problem"] = problem
    st.session_state[f"{key}_attempt"] = upload_attempt(key) + 1


def upload_attempt(key: str) -> int:
    """Return how often an uploader was emptied, for the keys of widgets that belong to its file."""
    return int(st.session_state.get(f"{key}_attempt", 0))
