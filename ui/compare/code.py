"""The program behind the page of schemes side by side."""

import streamlit as st

from embedlib.positional import SCHEMES
from embedlib.programs.compare import compare_program
from ui.cache.schemes import SchemeKey
from ui.compare.request import Comparison
from ui.i18n import _
from ui.settings import state


def show_code(shown: Comparison) -> None:
    """Show the program that prints the page's numbers."""
    st.header(_("The code"))
    st.caption(
        _(
            "It prints each scheme’s similarity by distance, its attention and its measures. "
            "Run it in the folder of this project."
        )
    )
    st.code(program(shown), language="python")


def program(shown: Comparison) -> str:
    """Write the program that prints each scheme's similarity by distance, attention and measures."""
    return compare_program(
        shown.request.text,
        tokenizer=shown.request.tokenizer,
        table=shown.request.table,
        d_model=shown.request.d_model,
        n_heads=shown.keys[0].n_heads,
        seed=shown.request.seed,
        n_positions=shown.n_positions,
        head=shown.head,
        unit=state.get("unit"),
        schemes={key.name: _changed(key) for key in shown.keys},
        max_tokens=shown.request.max_tokens,
    )


def _changed(key: SchemeKey) -> dict[str, object]:
    defaults = {parameter.name: parameter.default for parameter in SCHEMES[key.name].PARAMETERS}
    return {name: value for name, value in key.parameters if value != defaults[name]}
