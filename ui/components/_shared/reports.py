"""What the browser says that the reader did in a component, and who has the last word on it: the reader or the page.

A report is {"value": …, "turn": its number}. It rules in the one run that it starts; in every other run the page does,
which may know better (a new text, a link). So a component draws what the page holds, returns what rules, and the page
passes that back in the next run. tokens.ts and scatter.ts have the browser's half.
"""

from collections.abc import Mapping
from typing import Any

import streamlit as st


def reported(key: str, name: str) -> Any:
    """Return what a component has said last under a name: anything, for a browser can forge it; None for nothing."""
    state = st.session_state.get(key)
    return state.get(name) if isinstance(state, Mapping) else None


def reported_number(key: str, name: str) -> int | None:
    """Return the whole number of a component's last report, for its callback; None for none, and for nonsense."""
    report = reported(key, name)
    value = report.get("value") if isinstance(report, Mapping) else None
    return value if type(value) is int else None


def new_report(key: str, name: str) -> tuple[int, Mapping[str, Any] | None]:
    """Return the number of the reader's last report, and the report itself in the one run that it starts.

    The number goes back to the browser; it is 0 before there is a report, or if that makes no sense.
    """
    report = reported(key, name)
    turn = report.get("turn") if isinstance(report, Mapping) else 0
    turn = turn if type(turn) is int else 0
    turn_key = f"{key}:{name}-turn"
    before = st.session_state.get(turn_key, 0)
    if turn == before:
        return turn, None
    st.session_state[turn_key] = turn
    return turn, report if turn else None


def last_word(key: str, name: str, held: int | None, *, newest: int | None = None) -> tuple[int | None, int]:
    """Return the number that rules in this run, the reader's or the one that the page holds.

    Args:
        key: Streamlit key of the component.
        name: of the report, such as "chosen".
        held: what the page holds, None for nothing.
        newest: what a report means by "newest", whatever its value: there may be more by now.

    Returns:
        What rules, unchecked against what there is to choose, None where the report has no number; and the number of
        the reader's last report, which goes back to the browser.
    """
    turn, report = new_report(key, name)
    if report is None:
        return held, turn
    value = newest if newest is not None and report.get("newest") is True else report.get("value")
    return value if type(value) is int else None, turn
