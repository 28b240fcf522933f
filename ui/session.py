"""The Streamlit session behind a run, where the public API does not tell: all such reads are here."""

from collections.abc import Collection

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx


def session_id() -> str:
    """Return the id of the session that this thread runs; "" outside of a run."""
    run = get_script_run_ctx(suppress_warning=True)
    return run.session_id if run else ""


def is_active(session: str) -> bool:
    """Tell whether the browser of a session is connected; True where no server runs. A look into a dict."""
    try:
        # Compared with False: AppTest has a mock here, whose truth cannot be told while another thread asks it.
        return runtime.get_instance().is_active_session(session) is not False
    except RuntimeError:
        return True


def has_browser() -> bool:
    """Tell whether a browser has asked for this run, and not a client that says no address."""
    run = get_script_run_ctx(suppress_warning=True)
    return run is not None and run.context_info is not None and run.context_info.HasField("url")


def open_first_page(addresses: Collection[str]) -> None:
    """Open the first page where the address names none; Streamlit would say so in a dialog, anew in each run.

    Args:
        addresses: last parts of the pages' addresses.
    """
    run = get_script_run_ctx(suppress_warning=True)
    if run is not None and (run.pages_manager.intended_page_name or "") not in addresses:
        run.pages_manager.set_script_intent("", "")


def is_callback() -> bool:
    """Return whether this runs in a callback, and so for something that the reader did."""
    run = get_script_run_ctx(suppress_warning=True)
    return run is not None and not run.has_script_started


def is_fragment_run() -> bool:
    """Return whether this run draws a fragment alone."""
    run = get_script_run_ctx(suppress_warning=True)
    return run is not None and bool(run.fragment_ids_this_run)
