"""What the reader did in a component: counted once, then the page rules again."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from ui.page_runs import run_values


def reported(key: str, name: str) -> Any:
    """Return what a component has told last under a name: anything, for a browser can forge it; None for nothing."""
    known = run_values()
    state = known[key] if known and key in known else st.session_state.get(key)
    if known is not None:  # once a run: Streamlit makes a class at each look, and a page looks for each section
        known[key] = state
    return state.get(name) if isinstance(state, Mapping) else None


def news(key: str, name: str) -> tuple[int, Mapping[str, Any] | None]:
    """Return the number of the reader's last report, and the report itself in the one run that it starts.

    The number goes back to the browser; it is 0 before there is a report, or if that makes no sense.
    """
    report = reported(key, name)
    turn = report.get("turn") if isinstance(report, Mapping) else 0
    turn = turn if type(turn) is int else 0
    turn_key = f"{key}:{name}-turn"
    is_new = turn not in (0, st.session_state.get(turn_key, 0))
    st.session_state[turn_key] = turn
    return turn, report if is_new else None


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
    turn, report = news(key, "chosen")
    if report is None:
        return chosen, turn
    position = report.get("position")
    return position if type(position) is int else None, turn
