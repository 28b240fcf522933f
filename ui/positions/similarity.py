"""How similar two positions are: by their distance, and every one with every other."""

import streamlit as st
from torch import Tensor

from embedlib.figures import heatmap_figure, lines_figure
from embedlib.measures import has_similarity, mean_by_distance, similarity_of_random
from embedlib.positional import PositionalScheme
from ui.components.browser import comes_near
from ui.export import columns_csv, matrix_csv
from ui.i18n import _
from ui.positions.chart import SchemeView, chart
from ui.positions.logits import MATRIX_POSITIONS
from ui.settings import controls, state
from ui.shared.page import own_block

NARROW_HEIGHT = 405  # px: a square as wide as a phone, and its scale


@own_block
def similarity_charts(view: SchemeView) -> None:
    """Show the similarity matrix and its mean by distance, or say that there is none."""
    title = _("Similarity of positions")
    st.header(title)
    scheme, key, n_positions = view.key.scheme(), view.key, view.n_positions
    if not has_similarity(scheme):
        st.info(_("Not defined: it depends on the tokens."))
        return
    if not comes_near("positions-similarity", height=1156, phone=1069):
        return
    random = _vectors_control(scheme) and state.get("probe") == "random"

    def similarity() -> Tensor:
        if random:
            return similarity_of_random(key.scheme(), n_positions, seed=view.seed)
        return key.scheme().similarity(n_positions).cpu()  # (n_positions, n_positions)

    chart(
        view,
        "by-distance",
        title,
        lambda: mean_by_distance(similarity())[None],
        lines_figure,
        file="similarity-by-distance",
        heading=None,
        names=[""],
        x_title=_("distance between two positions"),
        y_title=_("similarity"),
        hover_text=_("distance {x}\n{y}"),
        height=320,
        table=lambda values: columns_csv({"similarity": values[0]}, row="distance"),
    )
    drawn = min(n_positions, MATRIX_POSITIONS)
    chart(
        view,
        "similarity",
        title,
        lambda: similarity()[:MATRIX_POSITIONS, :MATRIX_POSITIONS],
        heatmap_figure,
        heading=None,
        x_title=_("position"),
        y_title=_("position"),
        chosen=view.position if view.position < drawn else None,
        hover_text=_("positions {row} and {column}\n{value}"),
        square=True,
        height=NARROW_HEIGHT if view.narrow else None,
        table=lambda _drawn: matrix_csv(similarity(), row="position", column="position"),
    )
    if drawn < n_positions:
        st.caption(_("Positions 0–{last} of {count}.").format(last=drawn - 1, count=n_positions))


def _vectors_control(scheme: PositionalScheme) -> bool:
    """Offer random queries and keys where the similarity assumes some; tell whether it does."""
    assumed = {
        "rope": _("all ones"),
        "xpos": _("all ones"),
        "shaw": _("the scheme’s vector of distance 0"),
        "transformer_xl": _("without content"),
    }
    if scheme.name not in assumed:
        return False
    controls.control("probe", titles={"own": assumed[scheme.name], "random": _("random")})
    if state.get("probe") == "random":
        st.caption(_("One random query and key; mean of heads."))
    return True
