"""Sentences of the reader's own, a vector each: which are near each other."""

import pyarrow as pa
import streamlit as st
from torch import Tensor

from ui.context.cloud import cloud
from ui.context.model import sentence_rows
from ui.export import matrix_csv, take_along
from ui.i18n import _
from ui.shared.opened_model import OpenedModel
from ui.shared.text.text_area import setting_area

MAX_CHARACTERS, MAX_LINES = 4_000, 100
FEWEST = 3  # sentences that make a picture


def sentence_vectors(opened: OpenedModel) -> None:
    """Draw the sentences, each one's nearest, and all of them on two principal axes."""
    left, right = st.columns([5, 8], gap="large")
    with left:
        text = setting_area("context_lines", _("Sentences, a line each"), limit=MAX_CHARACTERS)
        for notice in text.notices:
            st.warning(notice)
        sentences = lines_of(text.text)
        if len(sentences) < FEWEST:
            st.info(_("Type at least three different sentences."))
            return
    vectors = sentence_rows(opened, tuple(sentences))  # (n, d_model)
    with left:
        _nearest(sentences, vectors)
    with right:
        title, shows = _("Sentence vectors"), (opened.key, *sentences)
        names = [_("sentence")]
        cloud(vectors, sentences, [0] * len(sentences), names, key="context-sentences", title=title, shows=shows)


def lines_of(text: str) -> list[str]:
    """Return the lines of a text, each once, as many as are compared."""
    return list(dict.fromkeys(filter(None, map(str.strip, text.splitlines()))))[:MAX_LINES]


def nearest_of(vectors: Tensor) -> tuple[list[int], list[float]]:
    """Return for each vector of length 1 the nearest other one, and their cosine."""
    best = (vectors @ vectors.T).clamp(-1, 1).fill_diagonal_(-2).max(dim=1)
    return best.indices.tolist(), best.values.tolist()


def _nearest(sentences: list[str], vectors: Tensor) -> None:
    indices, cosines = nearest_of(vectors)
    rows = {
        _("Cosine"): [f"{cosine:.2f}" for cosine in cosines],  # first, where no long sentence pushes it out of sight
        _("Sentence"): sentences,
        _("Nearest"): [sentences[index] for index in indices],
    }
    st.dataframe(pa.table(rows), hide_index=True, height=318, key="context-nearest")
    take_along(
        "cosines",
        table=lambda: matrix_csv(vectors @ vectors.T, row="sentence", column="sentence"),
        arrays=lambda: {"vectors": vectors, "cosines": vectors @ vectors.T},
    )
