"""Whether the browser of a visitor is still connected to this server, and how many pages run now."""

from uuid import uuid4

from ui.session import is_active, session_id


def new_visitor() -> str:
    """Name the session that runs this page. Streamlit gives a reload a new one, a connection that broke its old one."""
    # The second part tells sessions apart where they all have one name, as in Streamlit's tests of a page.
    return f"{session_id()}:{uuid4().hex}"


def is_here(visitor: str) -> bool:
    """Tell whether a visitor's page is still open. It costs a look into a dict, on any thread.

    Args:
        visitor: what `new_visitor` returned in their session.

    Returns:
        False from the moment their tab is closed or reloaded or their connection ends, True again once that is back.
        True where no server runs: then nobody can leave.
    """
    return is_active(visitor.rpartition(":")[0])
