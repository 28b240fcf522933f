"""Why the curves of RoPE and of sinusoids differ: in how many columns each has its waves."""

import streamlit as st
import torch

from ui.cache import schemes as scheme_cache
from ui.cache.schemes import SchemeKey
from ui.compare.request import Comparison
from ui.i18n import _

SAME = 1e-4  # of two curves whose distance 0 is 1


def how_many_waves(shown: Comparison) -> None:
    """Say in one sentence, where both are compared, that RoPE has the columns of one head only."""
    keys = {key.name: key for key in shown.keys}
    if not {"rope", "sinusoidal"} <= keys.keys():
        return
    rope, sinusoidal = keys["rope"], keys["sinusoidal"]
    turned, added = int(scheme_cache.turned(rope, shown.n_positions).shape[1]), sinusoidal.d_model
    one_head = SchemeKey("rope", rope.d_model, 1, rope.parameters)
    if _coincide(rope, sinusoidal, shown.n_positions):
        sentence = _("RoPE turns as many columns as a sinusoidal row has, {added}: the two curves coincide.")
    elif turned < added:
        sentence = _(
            "RoPE turns the {turned} columns of each head by themselves, a sinusoidal row has {added}: RoPE’s curve is "
            "the mean of {few} waves, the other of {many}, and fewer waves make a rougher curve."
        )
        if _coincide(one_head, sinusoidal, shown.n_positions):
            sentence += " " + _("With one head the two coincide.")
    else:
        return
    st.caption(sentence.format(turned=turned, added=added, few=turned // 2, many=added // 2))


def _coincide(rope: SchemeKey, sinusoidal: SchemeKey, n_positions: int) -> bool:
    try:
        first, second = (scheme_cache.profile(key, n_positions) for key in (rope, sinusoidal))
    except ValueError:  # one head may be of an odd width
        return False
    if first is None or second is None:
        return False
    return torch.allclose(first / first[0], second / second[0], rtol=0, atol=SAME)
