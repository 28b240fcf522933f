"""The settings of the positions page."""

import streamlit as st

from embedlib.measures.contributions import paired_columns
from embedlib.positional import PositionalScheme
from ui.cache.schemes import SchemeKey
from ui.i18n import _
from ui.settings import controls, rules, state


def settings_sidebar() -> None:
    """Draw the controls that decide which scheme is shown, and how large."""
    with st.sidebar:
        st.subheader(_("Scheme"))
        controls.scheme_control()
        st.subheader(_("Sizes"))
        controls.d_model_control()
        if controls.has_heads(state.get("scheme")):
            controls.heads_control()
        controls.number_control("positions", _("Positions"), help_text=_("How many positions are drawn."))


def chosen_key() -> SchemeKey:
    """Return what the controls ask for, whether or not there is such a scheme."""
    name = state.get("scheme")
    heads = state.get("heads") if controls.has_heads(name) else 1
    return SchemeKey(name, state.get("d_model"), heads, tuple(state.scheme_parameters(name).items()))


def exists(key: SchemeKey) -> bool:
    """Tell whether there is such a scheme, or say in one sentence why there is none."""
    problem = rules.broken_scheme_rule(key.name, d_model=key.d_model, n_heads=key.n_heads)
    if problem:
        st.error(problem)
    return not problem


def chosen_position() -> int:
    """Draw the slider for the position that all figures mark; return it."""
    last = state.get("positions") - 1
    if state.get("position") > last:
        sentence = _("Position {position} is not among the {count} that are drawn; {last} is marked instead.")
        st.warning(sentence.format(position=state.get("position"), count=last + 1, last=last))
    shown = controls.shown_instead("position", min(state.get("position"), last))
    return int(st.slider(_("Position marked in every figure"), 0, last, **shown))


def chosen_pairs(scheme: PositionalScheme) -> list[int]:
    """Draw the choice of column pairs; return at least one."""
    n_pairs = len(paired_columns(scheme)[0])
    valid = [pair for pair in state.get("pairs") if pair < n_pairs] or [0]
    shown = controls.shown_instead("pairs", valid)
    return list(st.multiselect(_("Pairs of columns"), range(n_pairs), max_selections=4, **shown)) or [0]
