"""The browser's address, kept in step with the page.

Streamlit's own `st.query_params` adds an entry to the browser's history at every change: after ten edits of a text
"back" would have to be pressed ten times to leave the page.
"""

from collections.abc import Callable, Mapping

import streamlit as st

from ui.components import register

_mount = register("address", "address")


def address(query: str, *, page: str, session: str, key: str, on_lost: Callable[[], None]) -> None:
    """Replace the query of the address in place.

    Args:
        query: URL-encoded, without "?"; "" removes it.
        page: which page asks; the browser looks at the address anew when it changes.
        session: names this visit on the server. When a tab meets another name, the server has forgotten the visit.
        key: Streamlit key, without "__".
        on_lost: called then, before a run of the page; `lost_query` tells what the address was.
    """
    counted = f"{key}-found-again"

    def take_up() -> None:
        # What was typed meanwhile can stand against the address that was lost, and leave the query as it is: without
        # the count the data would be those of before, and the browser would not look at them again.
        st.session_state[counted] = st.session_state.get(counted, 0) + 1
        on_lost()

    data = {"query": query, "page": page, "session": session, "found_again": st.session_state.get(counted, 0)}
    _mount(key=key, data=data, on_lost_change=take_up)


def lost_query(key: str) -> str:
    """Return the query that the tab had before the server forgot the visit; "" where it says nothing sound."""
    state = st.session_state.get(key)
    query = state.get("lost") if isinstance(state, Mapping) else None
    return query if isinstance(query, str) else ""  # a browser can send anything
