"""The program behind the projection page."""

import streamlit as st

from embedlib.programs import Part, neighbours_part, principal_part, projection_program
from ui.i18n import _
from ui.projection.places import Places
from ui.projection.tables import OWN, own
from ui.projection.view import View
from ui.settings import state


def show_code(view: View, text: str, places: Places | None, analogy: Part | None) -> None:
    """Show the program that prints the page's numbers.

    Args:
        view: what is looked at.
        text: the reader's.
        places: where the rows lie; None while that is not known.
        analogy: what prints the analogy, where there is one.
    """
    st.header(_("The code"))
    st.caption(
        _("It prints the principal axes, the places in the picture, the chosen row's neighbours and the analogy.")
        + " "
        + _("Run it in the folder of this project.")
    )
    st.code(program(view, text, places, analogy), language="python")


def program(view: View, text: str, places: Places | None, analogy: Part | None) -> str:
    """Write the program that prints the page's numbers."""
    source = view.table.source
    loaded = own()
    parts = [
        principal_part(n_components=min(3, view.table.d_model), rows=view.isolated),
        places.part if places is not None else None,
        neighbours_part(view.chosen, metric=view.metric) if view.chosen is not None else None,
        analogy,
    ]
    return projection_program(
        loaded.name if source == OWN and loaded is not None else source,
        [part for part in parts if part is not None],
        d_model=view.table.d_model,
        seed=state.get("seed"),
        tokenizer=state.get("tokenizer"),
        text=text,
    )
