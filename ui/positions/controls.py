"""The settings of the positions page, what the chosen scheme is, and the program that makes its numbers."""

import streamlit as st

from embedlib.measures import paired_columns
from embedlib.positional import SCHEMES, PositionalScheme
from embedlib.programs import scheme_program
from ui import cache
from ui.cache.schemes import SchemeKey
from ui.i18n import _
from ui.settings import controls, rules, state

ANY_SCHEME_HAS = (64, 1)  # d_model and heads


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


def about(key: SchemeKey) -> None:
    """Show a scheme's name, formula and source, and say who uses it and how it goes on past its training."""
    scheme = SCHEMES[key.name]
    st.header(_(scheme.title))
    st.write(_(scheme.summary))
    st.latex(_formula(key))
    if _counts_one_head(scheme) and key.d_model % key.n_heads == 0:
        sentence = _("Here d is the width of one head: d_model / heads = {d_model} / {heads} = {head_dim}.")
        st.caption(sentence.format(d_model=key.d_model, heads=key.n_heads, head_dim=key.d_model // key.n_heads))
    used_by = _(scheme.used_by) if scheme.used_by else ""
    lines = [
        _("**Used by:** {models}").format(models=used_by) if used_by else "",
        _("**Past the trained length:** {what}").format(what=_past(scheme)),
        _("**Source:** {source}").format(source=scheme.source),
    ]
    st.markdown("  \n".join(line for line in lines if line))


def _counts_one_head(scheme: type[PositionalScheme]) -> bool:
    """Tell whether the d of a scheme's formula is the width of a head, whose columns it turns or compares."""
    return "query_key" in scheme.acts_on or any(root in scheme.formula for root in (r"\sqrt{d}", r"\sqrt{3d}"))


def _formula(key: SchemeKey) -> str:
    """Return the formula with the chosen parameters, in other sizes where these cannot be had."""
    for sizes in ((key.d_model, key.n_heads), ANY_SCHEME_HAS):
        try:
            return cache.scheme_of(key.name, *sizes, key.parameters).latex()
        except ValueError:
            continue
    return SCHEMES[key.name].formula


def _past(scheme: type[PositionalScheme]) -> str:
    """Say in words what `past_training` names."""
    return {
        "undefined": _("undefined: there is no row for such a position."),
        "continues": _("it continues: the same rule holds at every distance."),
        "rescales": _("it rescales: distances count relative to the query's position."),
        "saturates": _("it saturates: all far distances share one value, so nothing new comes up and far is just far."),
        "unseen angles": _("unseen angles: it can be computed anywhere, but gives combinations never met in training."),
    }[scheme.past_training]


def show_code(scheme: PositionalScheme, *, n_positions: int) -> None:
    """Show the program that prints the page's numbers."""
    st.header(_("The code"))
    st.caption(_("It prints the numbers of this page. Run it in the folder of this project."))
    st.code(scheme_program(scheme, n_positions=n_positions, seed=state.get("seed")), language="python")
