"""How RoPE can be stretched to a text that is longer than any in training."""

from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st
import torch
from plotly.graph_objects import Figure
from torch import Tensor

from embedlib.figures.curves import Curve, curves_alt, curves_figure
from embedlib.figures.layout import CONFIG
from embedlib.positional.rope_scaling import SCALINGS
from ui.cache import schemes as scheme_cache
from ui.cache.figures import kept_figure
from ui.compare.request import Comparison
from ui.export.tables import columns_csv
from ui.export.take_along import take_along
from ui.i18n import _
from ui.settings import rules, state
from ui.shared import theme
from ui.shared.schemes import SCALING_COLOURS, SCALING_TITLES


def stretched(shown: Comparison, length: int) -> None:
    """Show how far each scaling turns the pairs of columns at a length, and how slowly."""
    st.subheader(_("Stretching RoPE to this length"))
    trained = shown.n_positions
    d_model, heads = state.get("d_model"), state.get("heads")
    problem = rules.broken_scheme_rule("rope", d_model=d_model, n_heads=heads)
    if problem:
        st.info(problem)
        return
    reaches = _reaches(d_model, heads, trained, length)
    shows = (d_model, heads, _parameters("none", trained, length), length)
    known = scheme_cache.reach(d_model, heads, _parameters("none", trained, length), trained)  # (n_pairs,) radians
    st.write(
        _(
            "The text is {factor:.3g} times as long as in training. Each way to scale the turns brings some pairs "
            "of columns back to angles that training has met."
        ).format(factor=length / trained)
    )
    farthest, waves = st.columns(2)
    with farthest:
        _farthest({name: (reach / known).float() for name, reach in reaches.items()}, shows)
    with waves:
        turns = {name: (2 * torch.pi * (length - 1) / reach).float() for name, reach in reaches.items()}
        _waves(turns, trained, shows)
    whole = int((known >= 2 * torch.pi).sum())
    st.caption(
        _(
            "{whole} of {pairs} pairs went full circle in training and have met every angle; the others have not. "
            "Linear interpolation slows all pairs down alike; the others spare the fast ones, which tell neighbours "
            "apart. Dynamic NTK stretches for the length at hand, so at this length it is NTK."
        ).format(whole=whole, pairs=len(known))
    )


def _farthest(turns: Mapping[str, Tensor], shows: tuple[object, ...]) -> None:
    alt = _("{lines} scalings over {points} pairs: the last position turns {lowest:.2f} to {highest:.2f} times as far.")
    draw = partial(
        curves_figure,
        y_title=_("farthest turn, in training = 1"),
        level=(1.0, _("as far as in training")),
        hover_text=_("{name}\npair {x}: {y} times as far"),
    )
    _chart(turns, draw, shows, key="reach", name="rope-farthest-turns", alt=alt)


def _waves(positions: Mapping[str, Tensor], trained: int, shows: tuple[object, ...]) -> None:
    alt = _("{lines} scalings over {points} pairs: a full turn takes {lowest:.1f} to {highest:.0f} positions.")
    draw = partial(
        curves_figure,
        y_title=_("positions for a full turn"),
        level=(float(trained), _("trained length")),
        logarithmic=True,
        hover_text=_("{name}\npair {x}: a turn in {y} positions"),
    )
    _chart(positions, draw, shows, key="waves", name="rope-full-turns", alt=alt)


def _chart(
    lines: Mapping[str, Tensor],
    draw: Callable[..., Figure],
    shows: tuple[object, ...],
    *,
    key: str,
    name: str,
    alt: str,
) -> None:
    """Draw one line for each scaling, (n_pairs,) each, to look at and to take along."""
    values = torch.stack(list(lines.values()))
    build = partial(
        draw,
        values,
        curves=[
            Curve(_(SCALING_TITLES[scaling]), _(SCALING_TITLES[scaling]), SCALING_COLOURS[scaling]) for scaling in lines
        ],
        groups=(),
        x_title=_("pair of columns, fast to slow"),
        theme=theme.current(),
        height=420,
    )
    figure = kept_figure((key, shows), build)
    st.plotly_chart(figure, key=key, alt=alt.format(**curves_alt(values)), theme=None, config=CONFIG)
    take_along(name, table=lambda: columns_csv(lines, row="pair"), figure=lambda: figure)


def _reaches(d_model: int, heads: int, trained: int, length: int) -> dict[str, torch.Tensor]:
    """Return the scalings that these sizes allow: some need more than one pair."""
    found: dict[str, torch.Tensor] = {}
    for name in SCALINGS:
        try:
            found[name] = scheme_cache.reach(d_model, heads, _parameters(name, trained, length), length)
        except ValueError:
            continue
    return found


def _parameters(scaling: str, trained: int, length: int) -> tuple[tuple[str, object], ...]:
    chosen = {
        name: value for name, value in state.scheme_parameters("rope").items() if name in ("base", "rotary_fraction")
    }
    # dynamic_ntk finds length / trained by itself; a factor would multiply it.
    factor = 1.0 if scaling == "dynamic_ntk" else length / trained
    stretch = {"scaling": scaling, "factor": factor, "original_max_seq_len": trained}
    return tuple({**chosen, **stretch}.items())
