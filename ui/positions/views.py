"""The figures of one positional scheme: each place that a scheme acts in has its own, and all share the similarity."""

import streamlit as st

from embedlib.measures.contributions import content_term, paired_columns, score_bias
from embedlib.positional.fire import FirePositions
from embedlib.positional.t5 import T5Positions
from ui.cache.schemes import SchemeKey
from ui.components import width_watch
from ui.i18n import _
from ui.positions.buckets import bucket_map
from ui.positions.conventions import conventions
from ui.positions.heads import MATRIX_POSITIONS, heads_chart
from ui.positions.planes import circles_chart
from ui.positions.properties import three_properties
from ui.positions.rows import rows_chart
from ui.positions.scheme import chosen_pairs
from ui.positions.similarity import similarity_charts
from ui.positions.slopes import slopes_chart
from ui.positions.terms import term_matrices
from ui.settings import state
from ui.shared.fire_note import fire_note


def show_scheme(key: SchemeKey, *, n_positions: int, position: int) -> None:
    """Show all that a scheme does."""
    scheme, seed = key.scheme(), state.get("seed")
    narrow = width_watch.narrow(key="width-watch")
    if "embedding" in scheme.acts_on:
        rows_chart(key, n_positions, position)
        pairs = chosen_pairs(scheme)
        three_properties(key, n_positions, columns=paired_columns(scheme)[0][pairs].tolist(), position=position)
        st.header(_("Pairs of columns, each in its plane"))
        circles_chart(key, pairs, n_positions, position, narrow=narrow)
    if "query_key" in scheme.acts_on:
        st.header(_("Each pair of columns turns at its own speed"))
        circles_chart(key, chosen_pairs(scheme), n_positions, position, narrow=narrow)
    shown = min(n_positions, MATRIX_POSITIONS)
    if "score" in scheme.acts_on:
        st.header(_("What each head adds to its logits"))
        heads_chart(lambda: score_bias(key.scheme(), shown), key.name, "bias", position, narrow=narrow)
    if isinstance(scheme, FirePositions):
        st.caption(fire_note(scheme, shown))
    if scheme.name == "alibi":
        slopes_chart(scheme.n_heads)
    if isinstance(scheme, T5Positions):
        bucket_map(scheme)
    if "content" in scheme.acts_on:
        st.header(_("What it adds to the logits of random queries and keys"))
        st.caption(_("Queries and keys are standard normal, seed {seed}.").format(seed=seed))
        heads_chart(lambda: content_term(key.scheme(), shown, seed=seed), key.name, "content", position, narrow=narrow)
    term_matrices(key, n_positions=n_positions, position=position, narrow=narrow)
    conventions(scheme, n_positions=n_positions, position=position)
    if scheme.acts_on:
        similarity_charts(key, n_positions, position, narrow=narrow)
    else:
        st.info(
            _("This scheme adds, turns and biases nothing: there is nothing to draw. Only the causal mask tells order.")
        )
