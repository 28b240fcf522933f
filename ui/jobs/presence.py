"""Who is here: whether the browser of a visitor is still connected to this server."""

from uuid import uuid4

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx


def new_visitor() -> str:
    """Name the session that runs this page. Streamlit gives a reload a new one, a connection that broke its old one."""
    context = get_script_run_ctx(suppress_warning=True)
    # The second part tells sessions apart where they all have one name, as in Streamlit's tests of a page.
    session = context.session_id if context else ""
    return f"{session}:{uuid4().hex}"


def is_here(visitor: str) -> bool:
    """Tell whether a visitor's page is still open. It costs a look into a dict, on any thread.

    Args:
        visitor: what `new_visitor` returned in their session.

    Returns:
        False from the moment their tab is closed or reloaded or their connection ends, True again once that is back.
        True where no server runs: then nobody can leave.
    """
    session = visitor.rpartition(":")[0]
    try:
        # Not by its truth: Streamlit's tests of a page have a mock here, which has none while another thread asks it.
        return runtime.get_instance().is_active_session(session) is not False
    except RuntimeError:
        return True
