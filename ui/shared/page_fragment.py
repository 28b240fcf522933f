"""The main fragment of a page: its controls rerun it, and not the frame, navigation and sidebar."""

from collections.abc import Callable

import streamlit as st
import torch

from ui.components.browser import begin_run, fragment_browser
from ui.embed import missing_section
from ui.i18n import _, set_run_language
from ui.markdown import as_code
from ui.page_runs import fragment
from ui.settings import state

__all__ = ["page_fragment", "show_end_notes"]


@fragment
def page_fragment(draw: Callable[[], None]) -> None:
    """Draw the part of a page that depends on its own controls, as the page's one fragment.

    A widget in it reruns the fragment alone. If its callback changes settings outside (`state.put`) or dismisses
    notices, the whole page runs once.

    Args:
        draw: draws the contents, with all controls on which nothing outside depends.
    """
    if state.begin_fragment_run():
        st.rerun()
    set_run_language(state.get("lang"))  # this run has a thread of its own
    begin_run()
    torch.get_num_threads()  # applies torch's thread limit to this thread: until then matrix products use all cores
    draw()
    query, text_fits = state.link_query()
    fragment_browser(query=query, session=state.session_name(), run=state.next_link())
    show_end_notes(text_fits)


def show_end_notes(text_fits: bool) -> None:
    """Show that the text is too long for the link, and that a page has not the section that it is to show alone."""
    if name := missing_section():
        sentence = _("This page has no section {name} as it is set: open the whole page to see what it has.")
        with st.container(key="missing-section"):
            st.warning(sentence.format(name=as_code(name[:40])))
    if not text_fits:
        with st.container(key="link-without-text"):
            st.info(_("Too long for the link: copy the text too."))
