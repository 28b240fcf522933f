"""One square of queries by keys for each head."""

from collections.abc import Callable
from functools import partial

import streamlit as st
from torch import Tensor

from embedlib.figures.panels import CELL, heads_alt, heads_figure
from embedlib.positional import SCHEMES
from ui.export.tables import parts_csv
from ui.i18n import _
from ui.positions.chart import chart, file_name
from ui.shared import theme

MATRIX_POSITIONS = 128  # beyond it a cell is less than a pixel on many screens, and heads cost a megabyte each
HEADS_DRAWN = 8
NARROW_CELL = 150  # px, for two in a row on a phone


def heads_chart(logits: Callable[[], Tensor], scheme: str, what: str, position: int, *, narrow: bool) -> None:
    """Show a matrix for each of the first heads.

    Args:
        logits: finds (n_heads, n_positions, n_positions), -inf where masked; called again for what is taken along.
        scheme: name in SCHEMES.
        what: the figure's key, and part of the name of its files.
        position: the query that is outlined, where it is among them.
        narrow: whether two squares fill the width.
    """
    found = logits()
    n_heads, n_positions = found.shape[:2]
    drawn = found[:HEADS_DRAWN]
    alt = _("{heads} heads, values from {lowest:.2f} to {highest:.2f}; keys after the query are masked.")
    chart(
        drawn,
        partial(
            heads_figure,
            names=[_("head {head}").format(head=head) for head in range(len(drawn))],
            x_title=_("key"),
            y_title=_("query"),
            theme=theme.current(),
            chosen=position if position < n_positions else None,
            hover_text=_("{name}\nquery {row}, key {column}: {value}"),
            columns=2 if narrow else 4,
            cell=NARROW_CELL if narrow else CELL,
        ),
        again=lambda: logits()[:HEADS_DRAWN],
        table=heads_csv,
        key=what,
        name=file_name(scheme, what),
        title=_("{scheme}: what each head adds to its logits").format(scheme=_(SCHEMES[scheme].title)),
        alt=alt.format(**heads_alt(drawn)),
    )
    st.caption(
        _("Heads 0–{heads} of {all_heads}, positions 0–{last}; keys after the query are masked and left grey.").format(
            heads=len(drawn) - 1, all_heads=n_heads, last=n_positions - 1
        )
    )


def heads_csv(heads: Tensor) -> str:
    """Write the squares of (n_heads, n_queries, n_keys) below each other; what is masked is -inf."""
    return parts_csv({f"head_{head}": square for head, square in enumerate(heads)}, column="key")
