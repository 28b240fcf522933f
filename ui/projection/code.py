"""The program behind the projection page."""

import streamlit as st

from embedlib.projection_program import projection_program
from ui import state
from ui.i18n import _
from ui.projection.own_tables import OWN, own
from ui.projection.view import View


def show_code(view: View, text: str) -> None:
    """Show the program that prints the page's numbers."""
    st.header(_("The code"))
    st.caption(
        _("It prints the principal axes of the rows in view and the chosen row's neighbours.")
        + " "
        + _("Run it in the folder of this project.")
    )
    st.code(program(view, text), language="python")


def program(view: View, text: str) -> str:
    """Write the program that prints the axes' shares and the chosen row's neighbours."""
    source = view.table.source
    loaded = own()
    return projection_program(
        loaded.name if source == OWN and loaded is not None else source,
        d_model=view.table.d_model,
        seed=state.get("seed"),
        tokenizer=state.get("tokenizer"),
        text=text,
        metric=view.metric,
        row=view.chosen,
        rows=view.isolated,
        n_components=min(3, view.table.d_model),
    )
