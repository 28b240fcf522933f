"""How a page is drawn: the reader's theme, room for what comes late, and a pause before what is heavy."""

import time
from collections.abc import Iterable
from copy import copy

import streamlit as st

from embedlib.figures import Theme
from ui.i18n import _
from ui.settings import state

__all__ = ["compact_title", "current_theme", "defaults_button", "draw_first", "keep_room"]

# Once a chart or a program arrives, the browser parses Plotly (4.7 MB) and a highlighter (1.5 MB) for about a second,
# and draws nothing meanwhile, not even what came before.
PAUSE = 0.6  # seconds


def compact_title(title: str) -> None:
    """Draw a page's title in less height, so that the picture below it is in the first window."""
    st.html(
        "<style>.stMainBlockContainer h1 { font-size: 2.1rem; padding: 0 0 0.8rem; }"
        ".stMainBlockContainer > .stVerticalBlock { gap: 0.75rem; }"
        "@media (max-width: 640px) { .stMainBlockContainer h1 { font-size: 1.8rem; } }</style>"
    )
    st.title(title)


def defaults_button(settings: Iterable[str]) -> None:
    """Offer the defaults of a page's settings where one of them differs."""
    changed = [name for name in settings if state.get(name) != state.SETTINGS[name].default]
    st.button(
        _("Reset settings"), key="defaults", type="tertiary", disabled=not changed, on_click=_reset, args=(changed,)
    )


def _reset(settings: list[str]) -> None:
    state.put(**{name: copy(state.SETTINGS[name].default) for name in settings})
    state.dismiss_notices()


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
