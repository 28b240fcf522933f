"""The Streamlit session behind a run: all that the public API does not offer."""

from collections.abc import Collection
from urllib.parse import parse_qsl, urlencode

import streamlit as st
from streamlit import runtime
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx


def session_id() -> str:
    """Return the id of this thread's session; "" outside of a run."""
    run = get_script_run_ctx(suppress_warning=True)
    return run.session_id if run else ""


def is_active(session: str) -> bool:
    """Return whether the browser of a session is connected; True without a server. One dict lookup."""
    try:
        # Compared with False: AppTest supplies a mock, whose truth value is not thread-safe.
        return runtime.get_instance().is_active_session(session) is not False
    except RuntimeError:
        return True


def has_browser() -> bool:
    """Return whether a browser has requested this run, rather than a client without a URL."""
    run = get_script_run_ctx(suppress_warning=True)
    return run is not None and run.context_info is not None and run.context_info.HasField("url")


def open_first_page(addresses: Collection[str]) -> None:
    """Open the first page for an unknown address, without the dialog that Streamlit would show in each run.

    Args:
        addresses: last parts of the pages' addresses.
    """
    run = get_script_run_ctx(suppress_warning=True)
    if run is not None and (run.pages_manager.intended_page_name or "") not in addresses:
        run.pages_manager.set_script_intent("", "")


def switch_page(page: StreamlitPage) -> None:
    """End this run and run another page.

    `st.switch_page` also clears the query, for which the browser adds an entry to its history: the page that is left,
    without its settings.
    """
    run = get_script_run_ctx()
    if run is None or run.script_requests is None:
        return
    kept = [pair for pair in parse_qsl(run.query_string) if pair[0] in ("embed", "embed_options")]
    run.script_requests.request_rerun(
        RerunData(
            query_string=urlencode(kept),
            page_script_hash=page._script_hash,
            cached_message_hashes=run.cached_message_hashes,
            context_info=run.context_info,
        )
    )
    st.empty()  # where the run gives way


def is_callback() -> bool:
    """Return whether this code runs in a widget callback."""
    run = get_script_run_ctx(suppress_warning=True)
    return run is not None and not run.has_script_started


def is_fragment_run() -> bool:
    """Return whether this run reruns a fragment only."""
    run = get_script_run_ctx(suppress_warning=True)
    return run is not None and bool(run.fragment_ids_this_run)
