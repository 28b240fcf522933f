"""The right to present a lecture, as long as this session has it; its browser keeps it in the address behind "#"."""

import streamlit as st

from ui.components.browser import reported_right
from ui.i18n import _, set_run_language
from ui.lecture.rooms import SENTENCES, new_right, valid_right
from ui.settings import state

_RIGHT, _ENDED = "_lecture_right", "_lecture_ended"  # in the session


def current_right() -> str:
    """Return the right, "CODE.SECRET"; "" where no lecture is open."""
    return str(st.session_state.get(_RIGHT, ""))


def ended_right() -> str:
    """Return the right to the lecture that was ended last; "" for none."""
    return str(st.session_state.get(_ENDED, ""))


def open_room() -> None:
    """Begin a lecture, as a callback."""
    st.session_state[_RIGHT], st.session_state[_ENDED] = new_right(), ""


def resume_lecture() -> None:
    """Go on with the lecture whose presenter's link was opened, as a callback, or say that it is no presenter's."""
    right = valid_right(reported_right())
    if right is None:
        set_run_language(state.get("lang"))  # this comes before the page
        state.add_notice(_(SENTENCES["right"]))
    elif right != ended_right():
        st.session_state[_RIGHT] = right


def end_lecture() -> None:
    """Forget the right, as a callback."""
    if right := st.session_state.pop(_RIGHT, ""):
        st.session_state[_ENDED] = right


def follow_button(key: str) -> None:
    """Draw the button that begins a lecture, where none is open."""
    if not current_right():
        st.button(_("Let phones follow"), on_click=open_room, key=key)
