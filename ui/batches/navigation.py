"""Which batch is in view: one further, one back, or any by its number."""

import streamlit as st

from ui.batches.request import Request
from ui.i18n import _
from ui.settings import state
from ui.settings.kinds import GREATEST

BEFORE = 8  # tokens in sight before what is looked at
_NUMBER = "shown_batch"


def batch_navigation(request: Request) -> None:
    """Draw the number of the batch in view, and the ways to its neighbours; it stays at the top of a large screen."""
    n_batches, number = request.plan.n_batches, request.batch + 1
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="batch-navigation"):
        st.button(
            _("Previous"),
            key="batch-previous",
            icon=":material/chevron_left:",
            disabled=number == 1,
            on_click=show_batch,
            args=(number - 1,),
        )
        st.session_state[_NUMBER] = number
        with st.container(width=120):
            st.number_input(
                _("Batch"),
                1,
                GREATEST,  # a number past the last batch gets a sentence, where the browser would only refuse it
                label_visibility="collapsed",
                key=_NUMBER,
                on_change=_typed,
            )
        st.button(
            _("Next"),
            key="batch-next",
            icon=":material/chevron_right:",
            icon_position="right",
            disabled=number == n_batches,
            on_click=show_batch,
            args=(number + 1,),
        )
        st.markdown(
            _("**Batch {number:,}** of {count:,} in an epoch").format(number=number, count=n_batches), width="content"
        )


def show_batch(number: int, token: int | None = None) -> None:
    """Put a batch into view, and the stretch of text where it begins; call it from a callback.

    Args:
        number: of the batch, from 1.
        token: a place in the text that stays in sight instead; None for none.
    """
    state.put(batch=number, batch_place=None if token is None else max(0, token - BEFORE))
    state.dismiss_notices()


def _typed() -> None:
    show_batch(st.session_state[_NUMBER])
