"""What a reader sees when a page fails."""

import streamlit as st

from ui.i18n import _


def show_script_error(_error: Exception) -> bool:
    """Show one sentence in place of a page that failed; the handler that st.App asks for.

    Streamlit has written the traceback to the log by then. Nothing of the exception reaches the screen: its message
    may hold the reader's text or paths of the server.

    Returns:
        True: Streamlit shows nothing of its own.
    """
    st.error(_("This page failed. Change a setting, or reload."))
    return True
