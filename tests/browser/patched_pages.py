"""Pages on which a reader is faster than Streamlit; each sleeps where a busy server takes its time."""

import time

import streamlit as st

SLOW = 1.0  # seconds, in which a test does what it does meanwhile


def callback() -> None:
    """Show what a button's callback sets, before and after it has taken its time."""

    def press() -> None:
        st.session_state["before"] = True
        time.sleep(SLOW)
        st.session_state["after"] = True

    st.button("Press", on_click=press)
    st.button("Other")
    time.sleep(2 * SLOW)
    st.text(f"before: {st.session_state.get('before')}, after: {st.session_state.get('after')}")


def pending() -> None:
    """Count presses of a button in a fragment, on a page that takes its time."""

    def press() -> None:
        st.session_state["presses"] = st.session_state.get("presses", 0) + 1

    @st.fragment
    def part() -> None:
        st.button("Press", on_click=press)

    st.button("Other")
    part()
    time.sleep(SLOW)
    st.text(f"presses: {st.session_state.get('presses', 0)}")


def beside() -> None:
    """Count presses of one button in a fragment and one outside of it."""

    @st.fragment
    def part() -> None:
        st.button("Inside")

    part()
    if st.button("Outside"):
        st.session_state["outside"] = True
    st.text(f"outside: {st.session_state.get('outside', False)}")


def left() -> None:
    """Draw a fragment that can still be clicked while another page is loading."""

    @st.fragment
    def part() -> None:
        st.button("Press")

    part()
    st.page_link(SLOW_PAGE, label="Go")


def slow() -> None:
    """Sleep before drawing anything."""
    time.sleep(SLOW)
    st.text("The page that was chosen")


def nested() -> None:
    """Draw a fragment in a fragment, in a place where the run before had another element."""
    runs = st.session_state["runs"] = st.session_state.get("runs", 0) + 1

    @st.fragment
    def inner() -> None:
        st.text(f"inner of run {runs}")

    @st.fragment
    def outer() -> None:
        st.button("Inside")
        if runs % 2:
            st.text("an element")
        else:
            with st.container():
                inner()

    st.button("Outside")
    if runs > 1:
        time.sleep(SLOW)
    outer()


def short() -> None:
    """Draw a fragment whose runs are short, or take their time."""

    @st.fragment
    def part() -> None:
        st.button("Press")
        if st.button("Wait"):
            time.sleep(SLOW)

    part()


def chosen() -> None:
    """Draw the page that the address names."""
    {draw.__name__: draw for draw in (callback, pending, beside, left, nested, short)}[st.query_params["case"]]()


SLOW_PAGE = st.Page(slow)
st.navigation([st.Page(chosen), SLOW_PAGE], position="hidden").run()
