"""Similarities past the trained length, and how RoPE can be scaled to it."""

import math
from contextlib import suppress

import streamlit as st
import torch
from torch import Tensor

from embedlib.figures import DIAL, dials_figure
from embedlib.i18n import N_
from embedlib.positional import SCALINGS
from ui.cache import schemes as scheme_cache
from ui.compare.distance import list_undefined, profile_curves
from ui.compare.request import Comparison
from ui.components.browser import is_narrow
from ui.export import Columns, Drawing, figure_drawing, show
from ui.i18n import _, join_sentences, label_sentence, number
from ui.settings import Whole, controls, state
from ui.shared import rules
from ui.shared.page import section
from ui.shared.schemes import SCALING_TITLES, first_met, seen_in_training

_TURN = 2 * math.pi
_DIALS = 8  # in a row


def past_training(compared: Comparison) -> None:
    """Show what happens past the trained length, and the ways to scale RoPE."""
    trained = compared.n_positions
    length = max(state.get("length"), trained + 1)
    _past_similarities(compared, length)
    _rope_scalings(compared, length)


@section(
    "compare-past",
    N_("Past the trained length"),
    lead=N_(
        "The grey part is what no text in training showed. A smooth curve is not yet a good sign: a trained model can "
        "only read numbers like those that it has met. For sinusoids and RoPE the mean goes on as before, but single "
        "slow waves reach values that are new (see the dials below). With ALiBi far tokens only count ever less. Its "
        "curve is drawn for the mean penalty of its heads: to heads with a steep slope far tokens soon count for "
        "nothing, to those with a flat one they still count."
    ),
)
def _past_similarities(compared: Comparison, length: int) -> None:
    """Show the similarity of positions up to a chosen length."""
    trained = compared.n_positions
    rule = state.SETTINGS["length"]
    assert isinstance(rule, Whole)
    if length > state.get("length"):
        sentence = _("A text of {length} positions is not longer than in training: the page shows {shown}.")
        st.warning(sentence.format(length=state.get("length"), shown=length))
    controls.control(
        "length",
        st.slider,
        trained + 1,
        rule.maximum,
        label=_("Positions in the text (in training: {trained})").format(trained=trained),
        value=length,
    )
    show(past_curves, compared, length)
    list_undefined(_extrapolated_profiles(compared, length))


def _extrapolated_profiles(compared: Comparison, length: int) -> dict[str, Tensor | None]:
    return {key.entry: scheme_cache.extrapolated_profile(key, compared.n_positions, length) for key in compared.keys}


def past_curves(compared: Comparison, length: int) -> Drawing:
    """Draw the similarity of positions by their distance, past the longest that was trained."""
    return profile_curves(
        _extrapolated_profiles(compared, length),
        compared.front_entry,
        key="past",
        title=_("Past the trained length"),
        y_title=_("similarity (1 at distance 0)"),
        groups=(),
        edge=(compared.n_positions - 1, _("not in training")),
    )


@section(
    "compare-scaled",
    N_("RoPE scaled to this length"),
    lead=N_(
        "RoPE rotates each pair of dimensions like the hand of a clock. Fast hands run round their circle many times "
        "within the trained length, so they meet nothing new in a longer text. Slow hands have seen only a part of "
        "theirs (blue); in a longer text they reach the dotted part, and there the model has to guess. A scaling slows "
        "the hands down, so that they stay where training has been."
    ),
)
def _rope_scalings(compared: Comparison, length: int) -> None:
    """Show the arcs of RoPE's hands in training and at a length, without scaling and with one."""
    trained = compared.n_positions
    d_model, heads = state.get("d_model"), state.get("heads")
    problem = rules.broken_scheme_rule("rope", d_model=d_model, n_heads=heads)
    if problem:
        st.info(problem)
        return
    reaches = _scaled_reaches(d_model, heads, trained, length)
    show(scaling_dials, "none", d_model, heads, trained, length, is_narrow())
    known = _trained_reach(d_model, heads, trained, length)
    sizes = {"d_model": d_model, "heads": heads, "head_dim": d_model // heads, "pairs": len(known)}
    size = _("Here a head has {d_model} / {heads} = {head_dim} numbers, and so {pairs} hands.").format(**sizes)
    st.markdown(join_sentences(size, _reach_sentence(known, reaches["none"], trained, length)))
    offered = [name for name in reaches if name != "none"]
    if not offered:
        return
    wanted = state.get("dial_scaling")
    chosen = wanted if wanted in offered else offered[0]
    titles = {name: _(SCALING_TITLES[name]) for name in offered}
    controls.control("dial_scaling", st.segmented_control, offered, titles=titles, value=chosen, required=True)
    show(scaling_dials, chosen, d_model, heads, trained, length, is_narrow())
    sentence = _(_SCALING_WORDS[chosen]).format(factor=number(length / trained, ".3g"))
    st.markdown(join_sentences(sentence, _beyond_sentence(known, reaches[chosen], trained)))


# What each scaling does to the hands.
_SCALING_WORDS = {
    "linear": N_(
        "Linear scaling divides all speeds by {factor}, so the fast hands, which tell neighbours apart, become slower "
        "too: between neighbours the hands then stand as they never stood in training."
    ),
    "ntk": N_(
        "NTK scaling slows each hand by a factor of its own: the slowest by {factor}, the fastest not at all. Its name "
        "comes from the neural tangent kernel, a theory of how networks learn."
    ),
    "dynamic_ntk": N_(
        "Dynamic NTK slows the hands only as much as the present text needs: the slowest by {factor} here. At one "
        "fixed length it is the same as NTK."
    ),
    "yarn": N_(
        "YaRN (“yet another RoPE extension”) leaves fast hands as they are, divides the speed of slow ones by "
        "{factor}, and passes gradually from one to the other."
    ),
    "llama3": N_(
        "The scaling of the Llama 3 models does much as YaRN: fast hands stay as they are, the speed of slow ones is "
        "divided by {factor}, with a gradual passage between."
    ),
}


def _reach_sentence(known: Tensor, reached: Tensor, trained: int, length: int) -> str:
    """Return a sentence on how many hands ran round in training, and how many meet new angles at a length."""
    whole = int((known >= _TURN).sum())
    return _(
        "In {trained} positions, {whole} of {pairs} hands ran all the way round. At {length} positions, the other "
        "{new} reach angles that training never showed."
    ).format(trained=trained, whole=whole, pairs=len(known), length=length, new=_n_beyond(known, reached, trained))


def _beyond_sentence(known: Tensor, reached: Tensor, trained: int) -> str:
    """Return a sentence on how many hands still meet new angles under a scaling."""
    new = _n_beyond(known, reached, trained)
    return (
        _("No hand leaves the arc that training showed.")
        if not new
        else _("Hands that still reach new angles: {count}.").format(count=new)
    )


def _n_beyond(known: Tensor, reached: Tensor, trained: int) -> int:
    return int(((known < _TURN) & (_new_angles(known, reached, trained) > known)).sum())


def _new_angles(known: Tensor, reached: Tensor, trained: int) -> Tensor:
    """Return how far hands get in a longer text, where that is a step beyond training; else as far as in training."""
    step = known / (trained - 1) * 0.999  # rounding
    return torch.where(reached >= known + step, reached, known)


def scaling_dials(scaling: str, d_model: int, heads: int, trained: int, length: int, narrow: bool) -> Drawing:
    """Draw dials of up to eight pairs, fast to slow: the arc seen in training, and the one first met at a length."""
    known = _trained_reach(d_model, heads, trained, length).double()
    reaches = _scaled_reaches(d_model, heads, trained, length)
    pairs = torch.linspace(0, len(known) - 1, min(_DIALS, len(known))).round().long()
    title = _(SCALING_TITLES[scaling])
    return figure_drawing(
        f"rope-dials-{scaling}",
        label_sentence(_("RoPE scaled to this length"), title),
        Columns({"training": known} | reaches, row="pair"),
        dials_figure,
        known[pairs] / (trained - 1),
        key=f"dials-{'unscaled' if scaling == 'none' else 'scaled'}",
        names=[_("pair {pair}").format(pair=pair) for pair in pairs.tolist()],
        trained=trained,
        tested=length,
        farthest=_new_angles(known, reaches[scaling], trained)[pairs],
        trained_name=seen_in_training("rope", trained),
        unseen_name=first_met("rope", trained, length),
        columns=4 if narrow else 8,
        cell=DIAL,
    )


def _trained_reach(d_model: int, heads: int, trained: int, length: int) -> Tensor:
    """Return how far RoPE without scaling rotates each pair within the trained length, (n_pairs,) radians."""
    return scheme_cache.last_angles(d_model, heads, _parameters("none", trained, length), trained)


def _scaled_reaches(d_model: int, heads: int, trained: int, length: int) -> dict[str, Tensor]:
    """Return the scalings that these sizes allow: some need more than one pair."""
    reaches: dict[str, Tensor] = {}
    for name in SCALINGS:
        with suppress(ValueError):
            reaches[name] = scheme_cache.last_angles(d_model, heads, _parameters(name, trained, length), length)
    return reaches


def _parameters(scaling: str, trained: int, length: int) -> tuple[tuple[str, object], ...]:
    chosen = {
        name: value for name, value in state.scheme_parameters("rope").items() if name in ("base", "rotary_fraction")
    }
    # dynamic_ntk finds length / trained by itself; a factor would multiply it.
    factor = 1.0 if scaling == "dynamic_ntk" else length / trained
    stretch = {"scaling": scaling, "factor": factor, "original_max_seq_len": trained}
    return tuple({**chosen, **stretch}.items())
