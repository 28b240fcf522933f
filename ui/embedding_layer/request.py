"""The settings of the embedding layer's page, typed ids among them, checked against each other."""

import re
from dataclasses import dataclass

import streamlit as st

from embedlib.embedding import INITIALISATIONS
from embedlib.examples import BY_HAND_ROWS, EXAMPLES, in_language
from ui import cache
from ui.i18n import _, language, separator
from ui.markdown import as_code
from ui.settings import controls, state
from ui.shared.origin import Origin
from ui.shared.rows import LEARNED, rows_choice, rows_fit
from ui.shared.text.text_area import set_text
from ui.shared.text.tokens import tokens_or_notice, warn_of_limit

NAMED = 5  # typed entries that are no ids and are listed
_SEPARATORS = re.compile(r"[\s,;]+")
MAX_TOKENS = 64  # rows that are looked up; more would not be read one by one
# The text of each matrix by hand, and the words that have a row there; "" where any one word has.
BY_HAND_TEXTS = {"nlp": EXAMPLES["nlp"].text, "sum": "word"}


@dataclass(frozen=True)
class Request:
    """Everything that decides which matrix E there is and which of its rows are looked up, in plain hashable values."""

    text: str  # prepared, not empty
    tokenizer: str
    matrix: str  # "minilm" or "trained" where tokenizer and d_model are theirs, "random", or by hand: "nlp" or "sum"
    vocab_size: int
    d_model: int
    seed: int  # of a random E, or of those rows of a trained one that no training moved
    start: str  # name in INITIALISATIONS, of a random E, and of the fresh tables beside a trained one
    token_ids: tuple[int, ...]  # that are looked up, 1 to MAX_TOKENS
    typed: bool  # whether the ids were typed, and are not the text's

    @property
    def by_hand(self) -> bool:
        """True if the numbers are written by hand, neither random nor trained."""
        return self.matrix in BY_HAND_TEXTS

    @property
    def origin(self) -> Origin:
        """Origin of the rows of E."""
        return Origin("by_hand" if self.by_hand else self.matrix, self.seed)


def settings_sidebar(text: str) -> str:
    """Draw the controls of the matrix and of the ids that are looked up; return the matrix in view."""
    with st.sidebar:
        st.subheader(_("Matrix E"))
        matrix, chosen = matrix_for(text), state.get("layer_matrix")
        hand = {"nlp": _("by hand, 3 words × 3"), "sum": _("by hand, 1 word × 3")}
        rows_choice(chosen if chosen in BY_HAND_TEXTS else matrix, hand, table="layer_matrix")
        controls.control(
            "layer_ids",
            placeholder=_("those of your text"),
            max_chars=400,
            help=_("Type the ids to look up, whole numbers such as 2 3 5 1; left empty, those of your text are taken."),
        )
        if matrix in BY_HAND_TEXTS:
            return matrix
        with st.expander(_("More"), key="layer-more"):
            controls.tokenizer_control("layer_matrix")
            controls.d_model_control()
            if matrix == "random":
                controls.control(
                    "layer_start",
                    st.selectbox,
                    state.options("layer_start"),
                    titles=lambda name: _(INITIALISATIONS[name].title),
                )
            controls.seed_control()
    return matrix


def checked_request(text: str) -> Request | None:
    """Build a request from the controls, or show in one sentence why nothing can be looked up."""
    matrix = matrix_for(text)
    if matrix != state.get("layer_matrix") and state.get("layer_matrix") in BY_HAND_TEXTS:
        _note_unknown_words()
    tokenizer = "words" if matrix in BY_HAND_TEXTS else state.get("tokenizer")

    def ids_to_look_up() -> tuple[int, ...]:
        typed, _invalid = parse_ids(str(state.get("layer_ids")), cache.tokenizer_for(tokenizer, text).vocab_size)
        return typed or tuple(token.id for token in cache.tokenize_text(text, tokenizer))

    if (token_ids := tokens_or_notice(ids_to_look_up, tokenizer=tokenizer)) is None:
        return None
    vocab_size = cache.tokenizer_for(tokenizer, text).vocab_size
    typed = typed_ids(vocab_size)
    if typed is None:
        warn_of_limit(len(token_ids), MAX_TOKENS)
    else:
        _note_typed_ids()
        if len(token_ids) > MAX_TOKENS:
            st.warning(
                _("Only the first {limit} of the {count} ids are looked up.").format(
                    count=len(token_ids), limit=MAX_TOKENS
                )
            )
    return Request(
        text=text,
        tokenizer=tokenizer,
        matrix=matrix,
        vocab_size=vocab_size,
        d_model=3 if matrix in BY_HAND_TEXTS else state.get("d_model"),
        seed=state.get("seed"),
        start=state.get("layer_start"),
        token_ids=token_ids[:MAX_TOKENS],
        typed=typed is not None,
    )


def matrix_for(text: str) -> str:
    """Return the matrix for a prepared text: the chosen one, or the random one.

    The trained one has a width of its own and rows for words; one by hand may have no row for the text.
    """
    matrix = str(state.get("layer_matrix"))
    if matrix in LEARNED:
        return matrix if rows_fit(matrix) else "random"
    if matrix == "random" or not text.strip():
        return matrix
    words = {token.bytes.decode() for token in cache.tokenize_text(text, "words")}
    has_rows = words <= set(BY_HAND_ROWS) if matrix == "nlp" else len(words) == 1
    return matrix if has_rows else "random"


def _note_unknown_words() -> None:
    """Show why the random matrix replaces the one by hand, with a button back to it."""
    text = in_language(BY_HAND_TEXTS[state.get("layer_matrix")], language())
    with st.container(horizontal=True, vertical_alignment="center", key="layer-unknown-words"):
        st.info(_("There are no rows by hand for this text, so random ones are shown."), width="stretch")
        st.button(_("Back to “{text}”").format(text=text), key="layer_back", on_click=set_text, args=(text,))


def _note_typed_ids() -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="layer-ids-rule"):
        st.caption(
            _("The typed ids are looked up in place of those of your text.")
            + separator(" ")
            + _("The text still decides which rows E has.")
            if state.get("tokenizer") in ("words", "characters") or state.get("layer_matrix") != "random"
            else _("The typed ids are looked up in place of those of your text.")
        )
        st.button(_("Use the text"), key="layer_use_text", on_click=_use_text)


def _use_text() -> None:
    state.put(layer_ids="")


def parse_ids(raw: str, vocab_size: int) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Parse ids between white space, commas or semicolons; return those of a table's rows, and the other entries."""
    ids, invalid = [], []
    for part in _SEPARATORS.split(raw.strip("[]() \t\n,;")):
        if part.isascii() and part.isdecimal() and len(part) <= 12 and int(part) < vocab_size:
            ids.append(int(part))
        elif part:
            invalid.append(part)
    return tuple(ids), tuple(dict.fromkeys(invalid))


def invalid_ids(parts: tuple[str, ...], table: str, vocab_size: int) -> str:
    """Return a sentence on typed entries that are no ids of a table, and what ids are."""
    named = separator(", ").join(as_code(part[:20]) for part in parts[:NAMED])
    if len(parts) > NAMED:
        named += separator(" ") + _("and {count} more").format(count=len(parts) - NAMED)
    return _("{table} has the rows 0 to {last:,}, so {named} is ignored.").format(
        table=table, named=named, last=vocab_size - 1
    )


def typed_ids(vocab_size: int) -> tuple[int, ...] | None:
    """Parse the typed token ids, None for none; show a notice for entries that are not ids."""
    ids, invalid = parse_ids(str(state.get("layer_ids")), vocab_size)
    if invalid:
        sentence = invalid_ids(invalid, _("E"), vocab_size)
        st.warning(sentence if ids else sentence + separator(" ") + _("The ids of your text are used."))
    return ids or None
