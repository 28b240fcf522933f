"""How a page is drawn: the reader's theme, room for what comes late, and a pause before what is heavy."""

import time

import streamlit as st

from embedlib.figures import Theme

__all__ = ["current_theme", "draw_first", "keep_room"]

# Once a chart or a program arrives, the browser parses Plotly (4.7 MB) and a highlighter (1.5 MB) for about a second,
# and draws nothing meanwhile, not even what came before.
PAUSE = 0.6  # seconds


def current_theme() -> Theme:
    """Return the theme of the session's browser; light before it has told."""
    return "dark" if st.context.theme.type == "dark" else "light"


def draw_first() -> None:
    """Give a new visitor's browser time to draw what it has: in the first run of a session, and in no other."""
    if not st.session_state.get("drawn_first"):
        st.session_state["drawn_first"] = True
        time.sleep(PAUSE)


def keep_room(key: str, *, wide: int, narrow: int, until_drawn: bool = False) -> None:
    """Keep a component's height while the browser has not drawn it yet, so that nothing below it jumps.

    Args:
        key: its Streamlit key.
        wide: CSS px that it takes at least on a large screen.
        narrow: the same on a phone.
        until_drawn: whether it says itself that it is drawn, and the room then is given up.
    """
    waits = f".st-key-{key}" + (":not(:has([data-drawn]))" if until_drawn else "")
    st.html(
        f"<style>{waits} {{ min-height: {wide}px; }} @media (max-width: 640px) {{ {waits} "
        f"{{ min-height: {narrow}px; }} }}</style>"
    )
