"""Which theme the reader sees."""

import streamlit as st

from embedlib.figures import Theme


def current() -> Theme:
    """Return the theme of the session's browser; light before it has told."""
    return "dark" if st.context.theme.type == "dark" else "light"
