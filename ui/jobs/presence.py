"""Whether a visitor's browser is still connected to this server."""

from uuid import uuid4

from ui.session import is_active, session_id


def new_visitor() -> str:
    """Return a new name for the session that runs this page."""
    # The second half distinguishes sessions with one id, as in Streamlit's AppTest.
    return f"{session_id()}:{uuid4().hex}"


def is_here(visitor: str) -> bool:
    """Return whether a visitor's page is still connected: one dict lookup, from any thread.

    Args:
        visitor: returned by `new_visitor` in their session.

    Returns:
        False once their tab is closed or reloaded or they disconnect, True again after a reconnect. True without a
        server.
    """
    return is_active(visitor.rpartition(":")[0])
