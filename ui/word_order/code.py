"""The program behind the word order page."""

import streamlit as st

from embedlib.positional import SCHEMES
from embedlib.programs.compare import order_program
from ui.i18n import _
from ui.settings import state
from ui.word_order.request import MAX_TOKENS, Request
from ui.word_order.results import all_results


def show_code(request: Request) -> None:
    """Show the program that prints the page's numbers."""
    st.header(_("The code"))
    st.caption(_("It prints the numbers of this page. Run it in the folder of this project."))
    st.code(program(request), language="python")


def program(request: Request) -> str:
    """Write the program that prints the change of every scheme that there is one for."""
    changed = {}
    for name, result in all_results(request).items():
        if result is not None and result.change is not None:
            given = state.scheme_parameters(name)
            defaults = {parameter.name: parameter.default for parameter in SCHEMES[name].PARAMETERS}
            changed[name] = {key: value for key, value in given.items() if value != defaults[key]}
    return order_program(
        request.first,
        request.second,
        tokenizer=request.cut,
        table=request.table,
        d_model=request.d_model,
        n_heads=request.heads,
        seed=request.seed,
        n_layers=request.layers,
        causal=request.causal,
        schemes=changed,
        max_tokens=MAX_TOKENS,
    )
