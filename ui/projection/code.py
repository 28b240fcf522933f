"""The program behind the projection page."""

import streamlit as st

from embedlib.programs import Part, neighbours_part, principal_part, projection_program
from ui.components.browser import comes_near
from ui.i18n import _
from ui.projection.places import Places
from ui.projection.tables import OWN, own
from ui.projection.view import NEIGHBOURS, View
from ui.settings import state


def show_code(view: View, text: str, places: Places | None, analogy: Part | None) -> None:
    """Show the program that prints the page's numbers, the analogy's and the places' where they are known."""
    st.header(_("Code"))
    if not comes_near("projection-code", height=572):
        return
    table, loaded = view.table, own()
    parts = [
        principal_part(n_components=min(3, table.d_model), rows=view.isolated),
        places.part if places is not None else None,
        None
        if view.chosen is None
        else neighbours_part(view.chosen, k=min(NEIGHBOURS, table.n_rows - 1), metric=view.metric),
        analogy,
    ]
    program = projection_program(
        loaded.name if table.source == OWN and loaded is not None else table.source,
        [part for part in parts if part is not None],
        d_model=table.d_model,
        seed=state.get("seed"),
        tokenizer=state.get("tokenizer"),
        text=text,
    )
    st.code(program, language="python")
