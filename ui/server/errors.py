"""The error message for a page that failed."""

import streamlit as st

from ui.i18n import _


def show_script_error(_error: Exception) -> bool:
    """Show one sentence in place of a page that failed; st.App's `on_script_error` handler.

    Streamlit has logged the traceback by then. Nothing of the exception reaches the screen: its message may contain the
    user's text or server paths.

    Returns:
        True: Streamlit shows nothing of its own.
    """
    st.error(_("This page failed. Change a setting, or reload."))
    return True
