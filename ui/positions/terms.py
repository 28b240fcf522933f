"""The parts of one head's logits, each in its own square, as the paper of the scheme writes them."""

from functools import partial

import streamlit as st
import torch
from torch import Tensor

from embedlib.figures.colours import colour_limit
from embedlib.figures.panels import CELL, heads_alt, heads_figure
from embedlib.measures.contributions import named_terms
from embedlib.positional import SCHEMES
from ui.cache.schemes import SchemeKey
from ui.export.tables import parts_csv
from ui.i18n import _
from ui.positions.chart import chart, file_name
from ui.positions.heads import NARROW_CELL
from ui.settings import controls, state
from ui.shared import theme

DRAWN = 64  # positions; in smaller squares a phone shows more of the lines between cells than of the cells
HEADS_OFFERED = 8


def term_matrices(key: SchemeKey, *, n_positions: int, position: int, narrow: bool) -> None:
    """Show the named parts of one head's logits and their sum; nothing where the scheme names none."""
    heads = min(key.n_heads, HEADS_OFFERED)
    head = min(state.get("term_head"), heads - 1)
    shown = min(n_positions, DRAWN)
    seed = state.get("seed")
    terms = named_terms(key.scheme(), shown, head=head, seed=seed)
    if not terms:
        return
    st.header(_("The parts of one head’s logits"))
    st.latex(" + ".join(rf"\underbrace{{{name}}}_{{{count}}}" for count, name in enumerate(terms, start=1)))
    if key.n_heads > 1:
        shown_head = controls.shown_instead("term_head", head)
        st.segmented_control(_("Head"), range(heads), required=True, **shown_head)
    squares = _with_sum(terms)  # (n_terms + 1, shown, shown)
    alt = _("{heads} squares: the parts of the logits of one head and their sum, from {lowest:.2f} to {highest:.2f}.")
    chart(
        squares,
        partial(
            heads_figure,
            names=[*(str(count) for count in range(1, len(terms) + 1)), _("sum")],
            x_title=_("key"),
            y_title=_("query"),
            theme=theme.current(),
            limit=colour_limit(squares[squares.isfinite()]),  # one far value must not make all others pale
            chosen=position if position < shown else None,
            hover_text=_("part {name}\nquery {row}, key {column}: {value}"),
            columns=2 if narrow or len(terms) == 3 else 3,
            cell=NARROW_CELL if narrow else CELL,
        ),
        again=lambda: _with_sum(named_terms(key.scheme(), shown, head=head, seed=seed)),
        table=_csv,
        key="terms",
        name=file_name(key.name, f"parts-of-head-{head}"),
        title=_("{scheme}: the parts of the logits of head {head}").format(
            scheme=_(SCHEMES[key.name].title), head=head
        ),
        alt=alt.format(**heads_alt(squares)),
    )
    st.caption(_("Queries and keys are standard normal, seed {seed}; all squares share one scale.").format(seed=seed))


def _with_sum(terms: dict[str, Tensor]) -> Tensor:
    """Stack the parts, and their sum behind them."""
    together = torch.stack(list(terms.values()))
    return torch.cat([together, together.sum(0, keepdim=True)])


def _csv(squares: Tensor) -> str:
    names = [*(f"part_{count}" for count in range(1, len(squares))), "sum"]
    return parts_csv(dict(zip(names, squares, strict=True)), column="key")
