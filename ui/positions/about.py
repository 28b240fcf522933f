"""What is to be known of a scheme before its pictures: formula, who uses it, what it does past the trained length."""

import streamlit as st

from embedlib.positional import SCHEMES, PositionalScheme
from ui import cache
from ui.cache.schemes import SchemeKey
from ui.i18n import _

ANY_SCHEME_HAS = (64, 1)  # d_model and heads


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
        "continues": _("it continues: the same rule holds at every distance, so nothing new comes up."),
        "saturates": _("it saturates: all far distances share one value, so nothing new comes up and far is just far."),
        "unseen angles": _("unseen angles: it can be computed anywhere, but gives combinations never met in training."),
    }[scheme.past_training]
