"""Two sentences: ready-made pairs, and two live text areas of the reader's own."""

from functools import partial

import streamlit as st

from embedlib.i18n import N_
from ui.components.live_text import live_text, reported_text
from ui.i18n import _
from ui.settings import state
from ui.shared.text.prepared import PreparedText, prepare

MAX_CHARACTERS = 400  # so that two of them fit into a link
# Title, first and second sentence.
PAIRS: dict[str, tuple[str, str, str]] = {
    "cat": (N_("Cat and mat"), "The cat sat on the mat", "The mat sat on the cat"),
    "nlp": (N_("I love NLP, reversed"), "I love NLP", "NLP love I"),
    "dog": (N_("Who bit whom"), "the dog bit the man .", "the man bit the dog ."),
    "not": (N_("Where the “not” stands"), "she was happy , not sad", "she was not happy , sad"),
}
SENTENCES = ("first", "second")


def two_sentences() -> tuple[PreparedText, PreparedText]:
    """Draw the ready-made pairs and the two text areas; return what can be used of them."""
    now = tuple(state.get(name) for name in SENTENCES)
    st.session_state["pair"] = next((name for name, pair in PAIRS.items() if pair[1:] == now), None)
    st.pills(
        _("Ready-made pairs"), list(PAIRS), key="pair", format_func=lambda name: _(PAIRS[name][0]), on_change=_load_pair
    )
    first, second = st.columns(2)
    with first:
        prepared_first = _sentence("first", _("First sentence"))
    with second:
        prepared_second = _sentence("second", _("Second sentence"))
    return prepared_first, prepared_second


def _sentence(name: str, label: str) -> PreparedText:
    content = live_text(
        state.get(name),
        revision=_revision(),
        limit=MAX_CHARACTERS,
        labels={"label": label},
        key=_key(name),
        on_change=partial(_take_sentence, name),
    )
    return prepare(content.text, total_characters=content.total_characters, limit=MAX_CHARACTERS)


def _key(name: str) -> str:
    return f"{name}-sentence"


def _revision() -> int:
    return int(st.session_state.setdefault("pair_revision", 0))


def _take_sentence(name: str) -> None:
    content = reported_text(_key(name), revision=_revision(), limit=MAX_CHARACTERS)
    if content is not None:
        state.put(**{name: content.text})
        state.dismiss_notices()


def _load_pair() -> None:
    name = st.session_state["pair"]
    if name is None:  # the chosen pair was pressed once more: it stays
        return
    _title, first, second = PAIRS[name]
    state.put(first=first, second=second)
    state.dismiss_notices()
    st.session_state["pair_revision"] = _revision() + 1
