"""Which theme the reader sees."""

import streamlit as st

from embedlib.figures.colours import Theme


def current() -> Theme:
    """Return the theme of the session's browser; light before it has told."""
    return "dark" if st.context.theme.type == "dark" else "light"
