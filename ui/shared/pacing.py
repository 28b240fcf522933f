"""Give a new visitor's browser time to draw what it has before more arrives."""

import time

import streamlit as st

# Once a chart or a program arrives, the browser parses Plotly (4.7 MB) and a highlighter (1.5 MB) for about a second,
# and draws nothing meanwhile, not even what came before.
SECONDS = 0.6


def draw_first() -> None:
    """Wait a moment in the first run of a session, and not at all in any other."""
    if not st.session_state.get("drawn_first"):
        st.session_state["drawn_first"] = True
        time.sleep(SECONDS)
