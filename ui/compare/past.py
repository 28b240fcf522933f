"""Similarities past the trained length, and how RoPE can be scaled to it."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import streamlit as st
import torch
from torch import Tensor

from embedlib.figures import Curve, curves_figure
from embedlib.i18n import N_
from embedlib.positional import SCALINGS
from ui.cache import schemes as scheme_cache
from ui.compare.distance import list_undefined, profile_curves
from ui.compare.request import Comparison
from ui.export import Columns, Drawing, figure_drawing, show
from ui.i18n import _
from ui.settings import Whole, controls, state
from ui.shared import rules
from ui.shared.page import section
from ui.shared.schemes import SCALING_COLOURS, SCALING_TITLES


def past_training(compared: Comparison) -> None:
    """Show what happens past the trained length, and the ways to scale RoPE."""
    trained = compared.n_positions
    length = max(state.get("length"), trained + 1)
    _past_similarities(compared, length)
    _rope_scalings(compared, length)


@section("compare-past", N_("Past the trained length"))
def _past_similarities(compared: Comparison, length: int) -> None:
    """Show the similarity of positions up to a chosen length."""
    trained = compared.n_positions
    rule = state.SETTINGS["length"]
    assert isinstance(rule, Whole)
    if length > state.get("length"):
        sentence = _("{length} is within training: showing {shown}.")
        st.warning(sentence.format(length=state.get("length"), shown=length))
    controls.control(
        "length",
        st.slider,
        trained + 1,
        rule.maximum,
        label=_("Length read (trained up to {trained})").format(trained=trained),
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
        y_title=_("similarity, distance 0 = 1"),
        groups=(),
        edge=(compared.n_positions - 1, _("not in training")),
    )


@section("compare-scaled", N_("RoPE scaled to this length"))
def _rope_scalings(compared: Comparison, length: int) -> None:
    """Show how far each scaling rotates the pairs of columns at a length, and how slowly."""
    trained = compared.n_positions
    d_model, heads = state.get("d_model"), state.get("heads")
    problem = rules.broken_scheme_rule("rope", d_model=d_model, n_heads=heads)
    if problem:
        st.info(problem)
        return
    farthest, waves = st.columns(2)
    with farthest:
        show(farthest_rotations, d_model, heads, trained, length)
    with waves:
        show(full_rotations, d_model, heads, trained, length)
    known = _trained_reach(d_model, heads, trained, length)
    whole = int((known >= 2 * torch.pi).sum())
    st.caption(
        _(
            "{whole} of {pairs} pairs make a full turn in training; only the others meet new angles. At a "
            "fixed length, dynamic NTK equals NTK."
        ).format(whole=whole, pairs=len(known))
    )


def farthest_rotations(d_model: int, heads: int, trained: int, length: int) -> Drawing:
    """Draw how far each scaling rotates each pair of columns at a length, against training."""
    known = _trained_reach(d_model, heads, trained, length)
    return _lines_by_pair(
        {name: (reach / known).float() for name, reach in _scaled_reaches(d_model, heads, trained, length).items()},
        key="reach",
        name="rope-farthest-turns",
        y_title=_("farthest turn (training: 1)"),
        level=(1.0, _("as far as in training")),
        hover_text=_("{name}\npair {x}: {y} ×"),
    )


def full_rotations(d_model: int, heads: int, trained: int, length: int) -> Drawing:
    """Draw how many positions a full rotation of each pair of columns takes under each scaling."""
    reaches = _scaled_reaches(d_model, heads, trained, length)
    return _lines_by_pair(
        {name: (2 * torch.pi * (length - 1) / reach).float() for name, reach in reaches.items()},
        key="full-turns",
        name="rope-full-turns",
        y_title=_("positions for a full turn"),
        level=(float(trained), _("trained length")),
        logarithmic=True,
        hover_text=_("{name}\npair {x}: {y} positions"),
    )


def _lines_by_pair(lines: Mapping[str, Tensor], *, key: str, name: str, **options: Any) -> Drawing:
    """Draw one line for each scaling, (n_pairs,) each."""
    titles = {scaling: _(SCALING_TITLES[scaling]) for scaling in lines}
    return figure_drawing(
        name,
        _("RoPE scaled to this length"),
        Columns(lines, row="pair"),
        curves_figure,
        torch.stack(list(lines.values())),
        key=key,
        curves=[Curve(title, title, SCALING_COLOURS[scaling]) for scaling, title in titles.items()],
        groups=(),
        x_title=_("pair of dimensions, fast to slow"),
        height=420,
        **options,
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
