import pytest
from streamlit import runtime
from streamlit.testing.v1 import AppTest

from tests.waiting import PATIENCE
from ui.jobs.presence import is_here, new_visitor


class Server:
    """A server that knows which sessions have a browser."""

    connected: frozenset[str] = frozenset()

    def is_active_session(self, session_id: str) -> bool:
        return session_id in self.connected


def page() -> None:
    import streamlit as st

    from ui.jobs.view import this_visitor

    st.text(this_visitor())


def test_a_visitor_is_here_while_the_browser_of_their_session_is_connected(monkeypatch: pytest.MonkeyPatch) -> None:
    app = AppTest.from_function(page, default_timeout=PATIENCE).run()
    visitor = app.text[0].value
    assert app.run().text[0].value == visitor
    server = Server()
    monkeypatch.setattr(runtime, "get_instance", lambda: server)
    assert not is_here(visitor)
    server.connected = frozenset({"test session id"})  # the one that AppTest gives to all
    assert is_here(visitor)
    server.connected = frozenset({"another"})
    assert not is_here(visitor)


def test_two_sessions_are_two_visitors() -> None:
    one, other = (AppTest.from_function(page, default_timeout=PATIENCE).run() for _ in range(2))
    assert one.text[0].value != other.text[0].value


def test_where_no_server_runs_nobody_can_leave() -> None:
    assert not runtime.exists()
    assert is_here(new_visitor())
