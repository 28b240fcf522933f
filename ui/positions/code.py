"""The program behind the page of one scheme."""

import streamlit as st

from embedlib.positional import PositionalScheme
from embedlib.programs.pipeline import scheme_program
from ui.i18n import _
from ui.settings import state


def show_code(scheme: PositionalScheme, *, n_positions: int) -> None:
    """Show the program that prints the page's numbers."""
    st.header(_("The code"))
    st.caption(_("It prints the numbers of this page. Run it in the folder of this project."))
    st.code(scheme_program(scheme, n_positions=n_positions, seed=state.get("seed")), language="python")
