"""The settings of the embedding layer's page, read from its controls and checked against each other."""

import re
from dataclasses import dataclass

import streamlit as st

from embedlib.examples import BY_HAND_ROWS
from embedlib.initialisations import INITIALISATIONS
from embedlib.tokenizers import Token
from ui import cache, controls, state
from ui.downloads import vocabulary_ready
from ui.i18n import _
from ui.markdown import as_code
from ui.text import token_limit_notice

MAX_TOKENS = 64  # rows that are looked up; more would not be read one by one
_ID = re.compile(r"[\s,;]+")


@dataclass(frozen=True)
class Request:
    """Everything that decides which matrix E there is and which of its rows are looked up, in plain hashable values.

    Attributes:
        text: prepared, not empty.
        tokenizer: name in TOKENIZERS.
        matrix: "random", or by hand: "nlp" or "sum".
        vocab_size: rows of E.
        d_model: columns of E.
        seed: of a random E.
        start: name in INITIALISATIONS, of a random E.
        token_ids: that are looked up, 1 to MAX_TOKENS.
        typed: whether the ids were typed, and are not the text's.
    """

    text: str
    tokenizer: str
    matrix: str
    vocab_size: int
    d_model: int
    seed: int
    start: str
    token_ids: tuple[int, ...]
    typed: bool

    @property
    def by_hand(self) -> bool:
        """Whether the numbers are given, not drawn."""
        return self.matrix != "random"


def settings_sidebar() -> None:
    """Draw the controls that decide what the matrix is."""
    with st.sidebar:
        st.subheader(_("Matrix E"))
        st.selectbox(
            _("Embedding matrix"),
            state.options("layer_matrix"),
            key="layer_matrix",
            format_func=lambda name: {
                "random": _("random"),
                "nlp": _("by hand, 3 words × 3"),
                "sum": _("by hand, 1 word × 3"),
            }[name],
            on_change=state.dismiss_notices,
        )
        if state.get("layer_matrix") != "random":
            return
        controls.tokenizer_control()
        controls.d_model_control()
        st.selectbox(
            _("Begins as"),
            state.options("layer_start"),
            key="layer_start",
            format_func=lambda name: _(INITIALISATIONS[name].title),
            help=_("How the numbers of E are drawn before any training."),
            on_change=state.dismiss_notices,
        )
        controls.seed_control()


def checked_request(text: str) -> Request | None:
    """Gather a request from the controls, or say in one sentence why nothing can be looked up.

    Args:
        text: prepared, not empty.
    """
    matrix = state.get("layer_matrix")
    tokenizer = "words" if matrix != "random" else state.get("tokenizer")
    if not vocabulary_ready(tokenizer):
        return None
    try:
        tokens = cache.tokens_of(text, tokenizer)
    except ValueError:  # the one text that is not empty and still has no token
        st.info(_("The tokenizer “words” finds no word here: white space only separates. Type a word."))
        return None
    problem = _by_hand_problem(matrix, tokens)
    if problem:
        st.error(problem)
        return None
    vocab_size = cache.tokenizer_for(tokenizer, text).vocab_size
    token_ids = tuple(token.id for token in tokens)
    typed = _typed_ids(vocab_size)
    wanted = token_ids if typed is None else typed
    if typed is None:
        notice = token_limit_notice(len(wanted), MAX_TOKENS)
    elif len(typed) > MAX_TOKENS:
        notice = _("You have typed {count} ids; the first {limit} are looked up.").format(
            count=len(typed), limit=MAX_TOKENS
        )
    else:
        notice = None
    if notice:
        st.warning(notice)
    return Request(
        text=text,
        tokenizer=tokenizer,
        matrix=matrix,
        vocab_size=vocab_size,
        d_model=state.get("d_model") if matrix == "random" else 3,
        seed=state.get("seed"),
        start=state.get("layer_start"),
        token_ids=wanted[:MAX_TOKENS],
        typed=typed is not None,
    )


def ids_field() -> None:
    """Draw the field in which ids can be typed instead of the text's own."""
    st.text_input(
        _("Ids to look up"),
        key="layer_ids",
        placeholder=_("those of your text"),
        max_chars=400,
        on_change=state.dismiss_notices,
        help=_("Whole numbers with spaces or commas, such as 2 3 5 1. Left empty, the tokens of your text are taken."),
    )


def read_ids(raw: str, vocab_size: int) -> tuple[tuple[int, ...], str | None]:
    """Read ids as people type them.

    Args:
        raw: whole numbers with white space, commas or semicolons between them.
        vocab_size: rows of the table.

    Returns:
        The ids that are rows of the table, and a sentence about the first part that is none; None where all are.
    """
    found, problem = [], None
    for part in _ID.split(raw.strip("[]() \t\n,;")):
        if part.isascii() and part.isdecimal() and len(part) <= 12 and int(part) < vocab_size:
            found.append(int(part))
        elif part and problem is None:
            problem = _not_an_id(part, vocab_size)
    return tuple(found), problem


def _typed_ids(vocab_size: int) -> tuple[int, ...] | None:
    raw = str(state.get("layer_ids"))
    ids, problem = read_ids(raw, vocab_size)
    if problem:
        st.warning(problem)
    return ids or None


def _not_an_id(part: str, vocab_size: int) -> str:
    if part.isascii() and part.lstrip("-").isdecimal():
        return _("There is no row {id}: the rows of E are 0 to {last:,}. It is passed over.").format(
            id=as_code(part[:20]), last=vocab_size - 1
        )
    return _("{part} is no id: ids are whole numbers from 0 to {last:,}. It is passed over.").format(
        part=as_code(part[:20]), last=vocab_size - 1
    )


def _by_hand_problem(matrix: str, tokens: list[Token]) -> str | None:
    if matrix == "random":
        return None
    words = {token.bytes.decode() for token in tokens}
    if matrix == "nlp" and not words <= set(BY_HAND_ROWS):
        return _("The matrix by hand has rows for {words} only. Use these words, or choose the random matrix.").format(
            words=", ".join(BY_HAND_ROWS)
        )
    if matrix == "sum" and len(words) > 1:
        return _("The matrix by hand has one row, so it knows one word. Type one word, or choose the random matrix.")
    return None
