"""Similarity of positions: by distance, and as a matrix of all pairs."""

import streamlit as st
from torch import Tensor

from embedlib.figures import heatmap_figure, lines_figure
from embedlib.i18n import N_
from embedlib.measures import has_similarity, mean_by_distance, random_similarity
from embedlib.positional import PositionalScheme
from ui.cache.schemes import SchemeKey
from ui.export import Columns, Drawing, Matrix, show
from ui.i18n import _, join_sentences
from ui.positions.logits import MATRIX_POSITIONS
from ui.positions.view import SchemeView, scheme_drawing
from ui.settings import controls, state
from ui.shared.page import section

# Sentences above the charts, by where the scheme acts.
_LEADS = {
    "embedding": N_("How alike are two positions, without tokens? Their rows are compared by the dot product."),
    "query_key": N_(
        "How alike are two positions, without tokens? Take one vector, rotate a copy of it by the angles of each of "
        "the two positions, and take the dot product of the two copies."
    ),
    "score": N_(
        "What does the scheme add to the score of two positions, on average over its heads? 0 changes nothing; −1 "
        "makes the attention weight about a third as large beside the others."
    ),
}
_STRIPES = N_(
    "The curve has the mean at each distance. In the square below it, all pairs at one distance lie on one diagonal "
    "stripe: if each stripe has one colour, only the distance between positions counts."
)
NARROW_HEIGHT = 405  # px: a square as wide as a phone, and its scale


@section(
    "positions-similarity",
    N_("Similarity of positions"),
)
def similarity_charts(view: SchemeView) -> None:
    """Show the similarity matrix and its mean by distance, or say that there is none."""
    scheme = view.key.scheme()
    if not has_similarity(scheme):
        st.info(_("For this scheme there is no such number: it depends on the tokens."))
        return
    st.write(join_sentences(_(_LEADS[_lead_key(scheme)]), _(_STRIPES)))
    random = _vectors_control(scheme) and state.get("probe") == "random"
    seed = view.seed if random else None
    show(similarity_by_distance, view.key, view.n_positions, seed)
    show(similarity_matrix, view, seed)
    if (drawn := min(view.n_positions, MATRIX_POSITIONS)) < view.n_positions:
        st.caption(
            _("The square shows positions 0 to {last} of {count}.").format(last=drawn - 1, count=view.n_positions)
        )


def _lead_key(scheme: PositionalScheme) -> str:
    """Return the key of _LEADS for a scheme: where it acts."""
    return next((place for place in ("embedding", "query_key") if place in scheme.acts_on), "score")


def similarity_by_distance(key: SchemeKey, n_positions: int, seed: int | None) -> Drawing:
    """Draw the mean similarity of positions by their distance; seed: as `_similarity` takes it."""
    mean = mean_by_distance(_similarity(key, n_positions, seed))
    return scheme_drawing(
        key,
        "by-distance",
        _("Similarity of positions"),
        Columns({"similarity": mean}, row="distance"),
        lines_figure,
        mean[None],
        file="similarity-by-distance",
        names=[""],
        x_title=_("distance between two positions"),
        y_title=_("added to the score") if _lead_key(key.scheme()) == "score" else _("dot product"),
        hover_text=_("distance {x}\n{y}"),
        height=320,
    )


def similarity_matrix(view: SchemeView, seed: int | None) -> Drawing:
    """Draw the similarity of the first positions, with all of it in the files; seed: as `_similarity` takes it."""
    similarity = _similarity(view.key, view.n_positions, seed)
    drawn = similarity[:MATRIX_POSITIONS, :MATRIX_POSITIONS]
    return scheme_drawing(
        view.key,
        "similarity",
        _("Similarity of positions"),
        Matrix(similarity, row="position", column="position", name="similarity"),
        heatmap_figure,
        drawn,
        shown=Matrix(drawn, "", "").alt(),
        x_title=_("position"),
        y_title=_("position"),
        chosen=view.position if view.position < len(drawn) else None,
        hover_text=_("positions {row} and {column}\n{value}"),
        square=True,
        height=NARROW_HEIGHT if view.narrow else None,
    )


def _similarity(key: SchemeKey, n_positions: int, seed: int | None) -> Tensor:
    """Return the similarity of any two positions, (n_positions, n_positions).

    Args:
        key: the scheme in its sizes.
        n_positions: how many.
        seed: of a random query and key; None for what the scheme assumes.
    """
    if seed is not None:
        return random_similarity(key.scheme(), n_positions, seed=seed)
    return key.scheme().similarity(n_positions).cpu()


def _vectors_control(scheme: PositionalScheme) -> bool:
    """Draw the choice of random queries and keys where the similarity assumes some; return whether it does."""
    assumed = {
        "rope": _("the vector (1, …, 1) for both, the product divided by the number of dimensions"),
        "xpos": _("the vector (1, …, 1) for both, the product divided by the number of dimensions"),
        "shaw": _("the scheme’s vector of distance 0"),
        "transformer_xl": _("without content"),
    }
    if scheme.name not in assumed:
        return False
    controls.control("probe", titles={"own": assumed[scheme.name], "random": _("random")})
    if state.get("probe") == "random":
        st.caption(_("One query and one key, drawn at random; mean of all heads."))
    return True
