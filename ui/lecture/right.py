"""The right to present a lecture, in this session and, behind "#", in its browser's address."""

import streamlit as st

from ui.components.browser import reported_right
from ui.i18n import _, set_run_language
from ui.lecture.rooms import SENTENCES, new_right, valid_right
from ui.settings import state

_RIGHT, _ENDED = "_lecture_right", "_lecture_ended"  # in the session


def current_right() -> str:
    """Return the right, "CODE.SECRET"; "" if no lecture is open."""
    return str(st.session_state.get(_RIGHT, ""))


def ended_right() -> str:
    """Return the right to the last ended lecture; "" for none."""
    return str(st.session_state.get(_ENDED, ""))


def open_room() -> None:
    """Start a lecture, from a callback."""
    st.session_state[_RIGHT], st.session_state[_ENDED] = new_right(), ""


def resume_lecture() -> None:
    """Resume the lecture of an opened presenter's link, from a callback, or add a notice that the link is none."""
    right = valid_right(reported_right())
    if right is None:
        set_run_language(state.get("lang"))  # callbacks run before the page
        state.add_notice(_(SENTENCES["right"]))
    elif right != ended_right():
        st.session_state[_RIGHT] = right


def end_lecture() -> None:
    """Drop the right, from a callback."""
    if right := st.session_state.pop(_RIGHT, ""):
        st.session_state[_ENDED] = right


def follow_button(key: str) -> None:
    """Draw the button that starts a lecture, if none is open."""
    if not current_right():
        st.button(_("Let phones follow"), on_click=open_room, key=key)
