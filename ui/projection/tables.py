"""Which table is in view: random, learned here, shipped, the reader's own, or one of the server's."""

from functools import lru_cache

import numpy as np
import streamlit as st

from embedlib.grammar.generate import GROUPS, KINDS, kinds_of
from embedlib.i18n import N_
from embedlib.texts.corpus import reference_manual, words
from embedlib.word2vec.ppmi import CountedTable, cooccurrence_table
from embedlib.word2vec.pretrained import trained_table
from ui import cache
from ui.i18n import _
from ui.projection.own_tables import OWN, folder_files, from_folder, own, shown
from ui.projection.shown_table import Names, ShownTable, word_names
from ui.projection.token_tables import random_table
from ui.settings import state
from ui.shared.downloads import vocabulary_ready
from ui.shared.markdown import as_code

_USUAL_WIDTH = 64  # its words are the same at any width, and this one is there already


def choices() -> dict[str, str]:
    """Return what can be put into view, by its name in the link: what each is called."""
    found = {"learned": _("Python's manual"), "grammar": _("a small grammar"), "random": _("random")}
    if own() is not None:
        found[OWN] = _("your own")
    return found | {name: name for name in folder_files()}


def table_in_view(text: str) -> ShownTable | None:
    """Return the table that the settings name, or show in one sentence why there is none.

    Args:
        text: the reader's text, from which some tokenizers make their vocabulary.
    """
    wanted = state.get("vectors")
    if wanted == "random":
        return _random_or_none(text)
    if wanted == "grammar":
        return grammar_table()
    if wanted == "learned":
        return _learned_or_none(state.get("d_model"))
    if wanted == OWN and (loaded := own()) is not None:
        return shown(loaded, st.session_state["own_table_key"], OWN)
    if (path := folder_files().get(wanted)) is not None:
        return from_folder(path)
    st.info(
        _(
            "The link shows a table that its sender had loaded, and a link cannot carry it: load it below under "
            "“Your own table”. Until then the table learned here is in view."
        )
        if wanted == OWN
        else _("There is no table {name} on this server; the table learned here is in view.").format(
            name=as_code(wanted[:40])
        )
    )
    return _learned_or_none(state.get("d_model"))


def _learned_or_none(d_model: int) -> ShownTable | None:
    most = len(_learned(_USUAL_WIDTH).words) - 1
    if d_model > most:
        st.error(
            _(
                "d_model = {d_model} is more than {most} words can teach, since {words} words have no more than that "
                "many directions: choose {most} or less, or the random table."
            ).format(d_model=d_model, most=most, words=most + 1)
        )
        return None
    return learned_table(d_model)


def learned_table(d_model: int) -> ShownTable:
    """Return the table learned from Python's manual; d_model must be less than its number of words."""
    table = _learned(d_model)
    return ShownTable(
        key=f"learned-{d_model}",
        source="learned",
        vectors=table.vectors,
        names=_learned_names(),
        told=_(
            "Learned here: each of the {words:,} words that Python's reference manual has five times or more was "
            "counted with the words around it; no chance is in it."
        ).format(words=len(table.words)),
        counts=table.counts,
    )


@lru_cache(maxsize=1)
def grammar_table() -> ShownTable:
    """Return the table that ships with the library, whose words have known meanings."""
    table = trained_table()
    groups = list(GROUPS)
    kinds = kinds_of(table.words)
    return ShownTable(
        key="grammar",
        source="grammar",
        vectors=table.vectors,
        names=word_names(table.words),
        told=_(
            "Trained for {steps:,} steps on {sentences:,} sentences that a small grammar wrote, by skip-gram with "
            "negative sampling, seed {seed}; it ships with the app. The grammar knows which words are of one kind, the "
            "training did not: it saw sentences only."
        ).format(steps=table.config.steps, sentences=table.n_sentences, seed=table.config.seed),
        counts=table.counts,
        groups=(
            np.array([len(groups) if kind is None else groups.index(KINDS[kind].group) for kind in kinds]),
            [*GROUPS.values(), N_("other words")],
        ),
    )


@lru_cache(maxsize=8)
def _learned(d_model: int) -> CountedTable:
    return cooccurrence_table(_manual(), d_model=d_model)


@lru_cache(maxsize=1)
def _manual() -> list[str]:
    return words(reference_manual())


@lru_cache(maxsize=1)
def _learned_names() -> Names:
    return word_names(_learned(_USUAL_WIDTH).words)


def _random_or_none(text: str) -> ShownTable | None:
    tokenizer = state.get("tokenizer")
    if not vocabulary_ready(tokenizer):
        return None
    try:
        cache.tokenizer_for(tokenizer, text)
    except ValueError:  # a vocabulary of nothing
        st.info(_("This tokenizer makes its vocabulary from your text, which has none: type a few words."))
        return None
    table = random_table(tokenizer, text, state.get("d_model"), state.get("seed"))
    if table.n_rows < 2:
        st.info(_("This tokenizer makes its vocabulary from your text, and one row is no picture: type more."))
        return None
    return table
