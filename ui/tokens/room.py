"""Room that is kept for what the browser draws last, so that nothing below it jumps."""

import streamlit as st


def keep_room(key: str, *, wide: int, narrow: int) -> None:
    """Keep room for a component until it is there; not more than it will take.

    Args:
        key: its Streamlit key.
        wide: CSS px it takes at least.
        narrow: the same on a phone.
    """
    st.html(
        f"<style>.st-key-{key} {{ min-height: {wide}px; }}"
        f" @media (max-width: 640px) {{ .st-key-{key} {{ min-height: {narrow}px; }} }}</style>"
    )
