"""Whether the page is as narrow as a phone, so that what stands side by side can be put in fewer columns."""

from collections.abc import Mapping

import streamlit as st

from ui.components import register

BELOW = 640  # CSS px; Streamlit's own columns stack below it too

_mount = register("width-watch", "width_watch")


def narrow(*, key: str) -> bool:
    """Tell whether the page is narrow, and run it again when that changes.

    Before the browser has measured, phones are known by the name that they give themselves, which saves most of them
    from being drawn for twice.

    Args:
        key: Streamlit key, without "__".

    Returns:
        True for less than BELOW pixels beside the sidebar.
    """
    believed = _measured(key)
    if believed is None:
        believed = bool(st.session_state.get("_narrow", "Mobi" in st.context.headers.get("User-Agent", "")))
    st.session_state["_narrow"] = believed  # the next page knows it from its first run on
    _mount(key=key, data={"narrow": believed, "below": BELOW}, on_narrow_change=lambda: None)
    return believed


def _measured(key: str) -> bool | None:
    """Return what the browser reported; None before it has, or if it makes no sense."""
    state = st.session_state.get(key)
    report = state.get("narrow") if isinstance(state, Mapping) else None
    return report if isinstance(report, bool) else None  # a browser can send anything
