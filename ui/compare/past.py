"""Similarities past the trained length, and how RoPE can be scaled to it."""

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import streamlit as st
import torch
from torch import Tensor

from embedlib.figures import Curve, curves_alt, curves_figure
from embedlib.i18n import N_
from embedlib.positional import SCALINGS
from ui.cache import schemes as scheme_cache
from ui.compare.distance import draw_curves
from ui.compare.request import Comparison
from ui.export import chart, columns_csv
from ui.i18n import _
from ui.settings import Whole, controls, state
from ui.shared import rules
from ui.shared.page import current_theme, late_block
from ui.shared.schemes import SCALING_COLOURS, SCALING_TITLES


def past_training(compared: Comparison) -> None:
    """Show what happens past the trained length, and the ways to scale RoPE."""
    trained = compared.n_positions
    length = max(state.get("length"), trained + 1)
    _similarities(compared, length)
    _scaled(compared, length)


@late_block("compare-past", N_("Past the trained length"), height=650, phone=684)
def _similarities(compared: Comparison, length: int) -> None:
    """Show how alike positions are up to a length that is chosen here."""
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
    draw_curves(
        {key.entry: scheme_cache.far(key, trained, length) for key in compared.keys},
        compared,
        shows=(trained, length),
        key="past",
        title=_("Past the trained length"),
        y_title=_("similarity, distance 0 = 1"),
        edge=(trained - 1, _("not in training")),
    )


@late_block("compare-scaled", N_("RoPE scaled to this length"), height=520, phone=1109)
def _scaled(compared: Comparison, length: int) -> None:
    """Show how far each scaling turns the pairs of columns at a length, and how slowly."""
    trained = compared.n_positions
    d_model, heads = state.get("d_model"), state.get("heads")
    problem = rules.broken_scheme_rule("rope", d_model=d_model, n_heads=heads)
    if problem:
        st.info(problem)
        return
    reaches = _reaches(d_model, heads, trained, length)
    shows = (d_model, heads, _parameters("none", trained, length), length)
    known = scheme_cache.reach(d_model, heads, _parameters("none", trained, length), trained)  # (n_pairs,) radians
    farthest, waves = st.columns(2)
    with farthest:
        _chart(
            {name: (reach / known).float() for name, reach in reaches.items()},
            shows,
            key="reach",
            name="rope-farthest-turns",
            y_title=_("farthest turn (training: 1)"),
            level=(1.0, _("as far as in training")),
            hover_text=_("{name}\npair {x}: {y} ×"),
        )
    with waves:
        _chart(
            {name: (2 * torch.pi * (length - 1) / reach).float() for name, reach in reaches.items()},
            shows,
            key="full-turns",
            name="rope-full-turns",
            y_title=_("positions for a full turn"),
            level=(float(trained), _("trained length")),
            logarithmic=True,
            hover_text=_("{name}\npair {x}: {y} positions"),
        )
    whole = int((known >= 2 * torch.pi).sum())
    st.caption(
        _(
            "{whole} of {pairs} pairs make a full turn in training; only the others meet new angles. At a "
            "fixed length, dynamic NTK equals NTK."
        ).format(whole=whole, pairs=len(known))
    )


def _chart(lines: Mapping[str, Tensor], shows: tuple[object, ...], *, key: str, name: str, **words: Any) -> None:
    """Draw one line for each scaling, (n_pairs,) each, to look at and to take along."""
    values = torch.stack(list(lines.values()))
    build = partial(
        curves_figure,
        values,
        curves=[
            Curve(_(SCALING_TITLES[scaling]), _(SCALING_TITLES[scaling]), SCALING_COLOURS[scaling]) for scaling in lines
        ],
        groups=(),
        x_title=_("pair of dimensions, fast to slow"),
        theme=current_theme(),
        height=420,
        **words,
    )
    alt = _("{lines} lines of {points} points, {lowest:.2f} to {highest:.2f}.")
    chart(
        key,
        build,
        alt=alt.format(**curves_alt(values)),
        table=lambda: columns_csv(lines, row="pair"),
        arrays=lambda: lines,
        name=name,
        title=_("RoPE scaled to this length"),
        shows=shows,
    )


def _reaches(d_model: int, heads: int, trained: int, length: int) -> dict[str, Tensor]:
    """Return the scalings that these sizes allow: some need more than one pair."""
    reaches: dict[str, Tensor] = {}
    for name in SCALINGS:
        with suppress(ValueError):
            reaches[name] = scheme_cache.reach(d_model, heads, _parameters(name, trained, length), length)
    return reaches


def _parameters(scaling: str, trained: int, length: int) -> tuple[tuple[str, object], ...]:
    chosen = {
        name: value for name, value in state.scheme_parameters("rope").items() if name in ("base", "rotary_fraction")
    }
    # dynamic_ntk finds length / trained by itself; a factor would multiply it.
    factor = 1.0 if scaling == "dynamic_ntk" else length / trained
    stretch = {"scaling": scaling, "factor": factor, "original_max_seq_len": trained}
    return tuple({**chosen, **stretch}.items())
