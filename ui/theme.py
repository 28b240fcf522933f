"""The theme of the reader's browser."""

import streamlit as st

from embedlib.figures import Theme


def current_theme() -> Theme:
    """Return the theme of the session's browser; light until it has reported one."""
    return "dark" if st.context.theme.type == "dark" else "light"
