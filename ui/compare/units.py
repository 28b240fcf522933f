"""The unit in which similarities are expressed, in curves and pictures alike: against distance 0, or as z-scores."""

import streamlit as st
from torch import Tensor

from embedlib.measures import injection_point, is_logit_term, scale_to_origin, standard_similarity, standardise
from ui.cache import schemes as scheme_cache
from ui.cache.bounded import memo
from ui.cache.schemes import SchemeKey
from ui.compare.request import Comparison
from ui.i18n import _, separator
from ui.settings import controls, state


def unit_control(compared: Comparison) -> None:
    """Draw the choice of a unit, with its definition."""
    controls.control(
        "unit", titles={"relative": _("distance 0 counts as 1"), "standard": _("only the shape (z-score)")}
    )
    sentence = (
        _("Each scheme’s numbers are divided by its number at distance 0, so that all curves begin at 1.")
        if state.get("unit") == "relative"
        else _(
            "From each scheme’s numbers their mean is subtracted, and the rest is divided by their standard deviation "
            "(this gives z-scores), so that only the shape of the curves is compared."
        )
    )
    if compared.keys[0].n_heads > 1 and any(_has_heads(key) for key in compared.keys):
        sentence += separator(" ") + _("Of schemes that act in attention, the mean of all heads is compared.")
    st.caption(sentence)


def unit_title() -> str:
    """Return the title of the similarity in the chosen unit."""
    return _("similarity (1 at distance 0)") if state.get("unit") == "relative" else _("similarity (z-score)")


def profile_in_unit(key: SchemeKey, n_positions: int) -> Tensor | None:
    """Return the mean similarity by distance in the chosen unit, (n_positions,); None where it is not defined."""
    return _profile(key, n_positions, state.get("unit"))


def similarity_in_unit(key: SchemeKey, n_positions: int, unit: str) -> Tensor | None:
    """Return the similarity of any two positions in a unit, as square; None where it is not defined."""
    if unit == "relative":
        return scheme_cache.similarity(key, n_positions)
    return _standard_similarity(key, n_positions)


def _has_heads(key: SchemeKey) -> bool:
    return injection_point(key.scheme()) in ("score", "content")


@memo()
def _profile(key: SchemeKey, n_positions: int, unit: str) -> Tensor | None:
    own = scheme_cache.profile(key, n_positions)
    if own is None:
        return None
    return standardise(own) if unit == "standard" else scale_to_origin(own, own, logits=is_logit_term(key.scheme()))


@memo()
def _standard_similarity(key: SchemeKey, n_positions: int) -> Tensor | None:
    scheme = key.scheme()
    matrix = standard_similarity(scheme, n_positions)
    if matrix is None or not scheme.causal_only:
        return matrix
    return scheme_cache.hide_later_keys(matrix)
