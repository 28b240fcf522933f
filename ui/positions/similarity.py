"""How alike two positions are: by their distance, and every one with every other."""

from collections.abc import Callable
from functools import partial

import streamlit as st
from torch import Tensor

from embedlib.figures import heatmap_alt, heatmap_figure, lines_alt, lines_figure
from embedlib.measures import has_similarity, mean_by_distance
from embedlib.positional import SCHEMES
from ui.cache.schemes import SchemeKey
from ui.export import columns_csv, matrix_csv
from ui.i18n import _
from ui.positions.chart import chart, file_name
from ui.positions.logits import MATRIX_POSITIONS
from ui.shared.page import current_theme

NARROW_HEIGHT = 405  # px: a square as wide as a phone, and its scale


def similarity_charts(key: SchemeKey, n_positions: int, position: int, *, narrow: bool) -> None:
    """Show the similarity matrix and its mean by distance, or say that there is none."""
    st.header(_("How alike two positions are"))
    if not has_similarity(key.scheme()):
        st.info(_("Not defined for this scheme: how alike two positions look depends on the tokens that stand there."))
        return

    def similarity() -> Tensor:
        return key.scheme().similarity(n_positions).cpu()  # (n_positions, n_positions)

    found = similarity()
    _by_distance(key, mean_by_distance(found)[None], again=lambda: mean_by_distance(similarity())[None])
    shown = found[:MATRIX_POSITIONS, :MATRIX_POSITIONS]
    alt = _("Similarity of {rows} positions with each other, from {lowest:.2f} to {highest:.2f}.")
    chart(
        shown,
        partial(
            heatmap_figure,
            x_title=_("position"),
            y_title=_("position"),
            theme=current_theme(),
            chosen=position if position < len(shown) else None,
            hover_text=_("positions {row} and {column}\n{value}"),
            square=True,
            height=NARROW_HEIGHT if narrow else None,
        ),
        again=lambda: similarity()[:MATRIX_POSITIONS, :MATRIX_POSITIONS],
        table=lambda _shown: matrix_csv(similarity(), row="position", column="position"),
        key="similarity",
        name=file_name(key.name, "similarity"),
        title=_("{scheme}: how alike two positions are").format(scheme=_(SCHEMES[key.name].title)),
        alt=alt.format(**heatmap_alt(shown)),
    )
    if len(shown) < n_positions:
        st.caption(_("The matrix shows positions 0–{last} of {count}.").format(last=len(shown) - 1, count=n_positions))


def _by_distance(key: SchemeKey, means: Tensor, *, again: Callable[[], Tensor]) -> None:
    alt = _("Mean similarity by distance, from {lowest:.2f} to {highest:.2f}.")
    chart(
        means,  # (1, n_positions)
        partial(
            lines_figure,
            names=[""],
            x_title=_("distance between two positions"),
            y_title=_("similarity"),
            theme=current_theme(),
            hover_text=_("distance {x}\n{y}"),
        ),
        again=again,
        table=lambda found: columns_csv({"similarity": found[0]}, row="distance"),
        key="by-distance",
        name=file_name(key.name, "similarity-by-distance"),
        title=_("{scheme}: similarity by distance").format(scheme=_(SCHEMES[key.name].title)),
        alt=alt.format(**lines_alt(means)),
    )
