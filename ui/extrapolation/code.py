"""The program behind the page that trains short and tests long."""

import streamlit as st

from embedlib.programs.extrapolation import extrapolation_program
from ui.extrapolation.runs import Results
from ui.i18n import _


def show_code(results: Results) -> None:
    """Show the program that trains these runs and prints the page's numbers."""
    st.header(_("The code"))
    st.caption(
        _(
            "It trains the runs on this page and prints their scores: the same numbers on the same machine, and nearly "
            "the same on another one. Run it in the folder of this project."
        )
    )
    source = program(results)
    if "text.txt" in source:
        st.caption(_("Save your text beside it, as text.txt."))
    st.code(source, language="python")


def program(results: Results) -> str:
    """Write the program that prints the scores of what was asked for."""
    request = results.request
    return extrapolation_program(
        request.whole,
        size=request.size,
        schemes=request.schemes,
        seeds=request.seeds,
        measure=request.measure,
        n_steps=request.n_steps,
        learning_rate=request.learning_rate,
        text=request.text if request.whole.needs_text else None,
        cuda=any(one.device != "cpu" for one in results.provenances),
    )
