"""What follows a text or another control runs by itself: the frame, the navigation and the sidebar stay as they are."""

from collections.abc import Callable

import streamlit as st
import torch

from ui.components.browser import begin_run, fragment_browser
from ui.i18n import _, set_run_language
from ui.page_runs import fragment
from ui.settings import state

__all__ = ["page_fragment", "show_link_note"]


@fragment
def page_fragment(draw: Callable[[], None]) -> None:
    """Draw the part of a page that changes with its own controls; only one on a page.

    A control in it runs this part alone. Where its callback changes settings that stand elsewhere (`state.put`), or
    sentences about the link go, the whole page runs once.

    Args:
        draw: draws it, with all controls on which nothing outside depends.
    """
    if state.begin_fragment_run():
        st.rerun()
    set_run_language(state.get("lang"))  # this run has a thread of its own
    begin_run()
    torch.get_num_threads()  # which takes over how many it may have: until then products of matrices take all cores
    draw()
    query, text_fits = state.link_query()
    fragment_browser(query=query, session=state.session_name(), run=state.next_link())
    show_link_note(text_fits)


def show_link_note(text_fits: bool) -> None:
    """Say that the text is not in the link, where it is too long for one."""
    if not text_fits:
        st.info(_("Too long for the link: copy the text too."))
