"""Sentences of the reader's own, a vector each: which are near each other."""

import streamlit as st
from torch import Tensor

from embedlib.neighbours import nearest_neighbours
from ui.components.measure_table import Column, Row
from ui.context.cloud import cloud
from ui.context.model import sentence_rows
from ui.export import Matrix
from ui.i18n import _, number
from ui.shared.opened_model import OpenedModel
from ui.shared.saved_table import plain_table
from ui.shared.text.text_area import setting_area

MAX_CHARACTERS, MAX_LINES = 4_000, 100
FEWEST = 3  # sentences that make a picture


def sentence_vectors(opened: OpenedModel) -> None:
    """Draw the sentences, each one's nearest, and all of them on two principal axes."""
    left, right = st.columns([5, 8], gap="large")
    with left:
        text = setting_area("context_lines", _("One sentence per line"), limit=MAX_CHARACTERS, lines=True)
        for notice in text.notices:
            st.warning(notice)
        sentences = unique_lines(text.text)
        if len(sentences) < FEWEST:
            st.info(_("Write at least three different sentences, one per line."))
            return
    vectors = sentence_rows(opened, tuple(sentences))  # (n, d_model)
    with left:
        _show_nearest(sentences, vectors)
    with right:
        title, shows = _("Sentence vectors"), (opened.key, *sentences)
        names = [_("sentence")]
        cloud(vectors, sentences, [0] * len(sentences), names, key="context-sentences", title=title, shows=shows)


def unique_lines(text: str) -> list[str]:
    """Return the lines of a text, each once, as many as are compared."""
    return list(dict.fromkeys(filter(None, map(str.strip, text.splitlines()))))[:MAX_LINES]


def _show_nearest(sentences: list[str], vectors: Tensor) -> None:
    near = nearest_neighbours(vectors, vectors, 1, exclude=range(len(vectors)))
    plain_table(
        [Column(_("Cosine with it")), Column(_("Nearest of the other sentences"))],
        [
            Row(sentence, [cosine, None], [number(cosine, ".2f"), sentences[index]])
            for sentence, cosine, index in zip(sentences, near.similarities[:, 0].tolist(), near.ids[:, 0], strict=True)
        ],
        first=_("Sentence"),
        key="context-nearest",
        alt=_("The nearest sentence of each"),
        name="cosines",
        numbers=Matrix(vectors @ vectors.T, "sentence", "sentence", "cosines", {"vectors": vectors}),
    )
