"""What the reader chose in a component: counted once, then the page rules again."""

from collections.abc import Mapping

import streamlit as st


def chosen_now(chosen: int | None, *, key: str) -> tuple[int | None, int]:
    """Settle who has the last word in this run, the reader or the page.

    A choice in the browser wins in the one run that it starts; later runs follow the page, which may know better (a new
    text, a link). tokens.js has the browser's half.

    Args:
        chosen: what the page holds as chosen, None for nothing.
        key: Streamlit key of the component, whose state "chosen" is {"position": int or None, "turn": int}.

    Returns:
        What is chosen, unchecked against what there is to choose; and the number of the reader's last choice, 0 before
        there is one, which goes back to the browser.
    """
    turn, position = _reported(key)
    turn_key = f"{key}:turn"
    if turn not in (0, st.session_state.get(turn_key, 0)):
        chosen = position
    st.session_state[turn_key] = turn
    return chosen, turn


def _reported(key: str) -> tuple[int, int | None]:
    """Return the browser's last choice and its number; 0 and None before there is one, or if it makes no sense."""
    state = st.session_state.get(key)
    report = state.get("chosen") if isinstance(state, Mapping) else None
    # A browser can send anything.
    if not isinstance(report, Mapping) or type(report.get("turn")) is not int:
        return 0, None
    position = report.get("position")
    return report["turn"], position if type(position) is int else None
