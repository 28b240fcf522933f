"""Reports: what the user did in a component, and whether they or the page's own value win.

A report is {"value": …, "turn": its number}. It wins in the one run that it starts; in every other run the page's value
wins, which may be newer (another text, a link). So a component draws the page's value, returns the winner, and the page
passes that back in the next run. tokens.ts and scatter.ts have the browser's half.
"""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from ui.page_runs import run_values


def read_report(key: str, name: str) -> Any:
    """Return a component's last report of a name, untrusted; None for none."""
    known = run_values()
    state = known[key] if known and key in known else st.session_state.get(key)
    if known is not None:  # once a run: Streamlit makes a class at each look, and a page looks for each section
        known[key] = state
    return state.get(name) if isinstance(state, Mapping) else None


def read_number(key: str, name: str) -> int | None:
    """Return the whole number of a component's last report, for its callback; None for none or an invalid one."""
    report = read_report(key, name)
    value = report.get("value") if isinstance(report, Mapping) else None
    return value if type(value) is int else None


def new_report(key: str, name: str) -> tuple[int, Mapping[str, Any] | None]:
    """Return the number of the user's last report, and the report itself in the one run that it starts.

    The number goes back to the browser; it is 0 before the first report, or after an invalid one.
    """
    report = read_report(key, name)
    turn = report.get("turn") if isinstance(report, Mapping) else 0
    turn = turn if type(turn) is int else 0
    turn_key = f"{key}:{name}-turn"
    before = st.session_state.get(turn_key, 0)
    if turn == before:
        return turn, None
    st.session_state[turn_key] = turn
    return turn, report if turn else None


def resolve_choice(key: str, name: str, held: int | None, *, newest: int | None = None) -> tuple[int | None, int]:
    """Return the number that wins in this run: the user's new report, or the page's value.

    Args:
        key: Streamlit key of the component.
        name: of the report, such as "chosen".
        held: the page's value, None for none.
        newest: the value of a report marked as "newest": there may be a newer one by now.

    Returns:
        The winner, not checked against the options, None if the report has no number; and the number of the user's last
        report, which goes back to the browser.
    """
    turn, report = new_report(key, name)
    if report is None:
        return held, turn
    value = newest if newest is not None and report.get("newest") is True else report.get("value")
    return value if type(value) is int else None, turn
