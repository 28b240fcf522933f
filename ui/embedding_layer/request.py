"""The settings of the embedding layer's page, typed ids among them, checked against each other."""

import re
from dataclasses import dataclass

import streamlit as st

from embedlib.embedding import INITIALISATIONS
from embedlib.examples import BY_HAND_ROWS, EXAMPLES
from ui import cache
from ui.i18n import _, ngettext
from ui.settings import controls, state
from ui.shared.downloads import vocabulary_ready
from ui.shared.markdown import as_code
from ui.shared.rows import TRAINED_WIDTH, WORDLESS, trained_help, trained_title, width_sentence
from ui.shared.text.prepared import token_limit_notice
from ui.shared.text.text_area import put_text

NAMED = 5  # typed parts that are no ids and are named
_ID = re.compile(r"[\s,;]+")
MAX_TOKENS = 64  # rows that are looked up; more would not be read one by one
# The text of each matrix by hand, and the words that have a row there; "" where any one word has.
BY_HAND_TEXTS = {"nlp": (EXAMPLES["nlp"].text, ", ".join(BY_HAND_ROWS)), "sum": ("word", "")}


@dataclass(frozen=True)
class Request:
    """Everything that decides which matrix E there is and which of its rows are looked up, in plain hashable values.

    Attributes:
        text: prepared, not empty.
        tokenizer: name in TOKENIZERS.
        matrix: "trained" where d_model is the trained width, "random", or by hand: "nlp" or "sum".
        vocab_size: rows of E.
        d_model: columns of E.
        seed: of a random E, or of those rows of a trained one that no training moved.
        start: name in INITIALISATIONS, of a random E, and of the fresh tables beside a trained one.
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
        """Whether the numbers are given, neither drawn nor trained."""
        return self.matrix in BY_HAND_TEXTS


def settings_sidebar(text: str) -> None:
    """Draw the controls that decide what the matrix is.

    Args:
        text: prepared; a matrix by hand may have no rows for it.
    """
    with st.sidebar:
        st.subheader(_("Matrix E"))
        shown = matrix_shown(text)
        _matrix_control(shown)
        if shown in BY_HAND_TEXTS:
            return
        controls.tokenizer_control()
        controls.d_model_control()
        if shown == "random":
            st.selectbox(
                _("Begins as"),
                state.options("layer_start"),
                key="layer_start",
                format_func=lambda name: _(INITIALISATIONS[name].title),
                help=_("How the numbers of E are drawn before any training."),
                on_change=state.dismiss_notices,
            )
        controls.seed_control()


def _matrix_control(shown: str) -> None:
    """Choose where the rows of E come from; trained ones bring their width with them."""
    chosen = str(state.get("layer_matrix"))
    names = {
        "trained": trained_title(),
        "random": _("random"),
        "nlp": _("by hand, 3 words × 3"),
        "sum": _("by hand, 1 word × 3"),
    }
    st.selectbox(
        _("Embedding matrix"),
        [name for name in state.options("layer_matrix") if name != "trained" or state.get("tokenizer") not in WORDLESS],
        key=controls.shown_instead("layer_matrix", chosen if chosen in BY_HAND_TEXTS else shown)["key"],
        format_func=names.__getitem__,
        help=trained_help(),
        on_change=_choose,
    )
    if shown == "random" and chosen == "trained":
        st.markdown(f":material/info: {width_sentence()}")
        state.link_instead(layer_matrix=shown)


def _choose() -> None:
    chosen = st.session_state["shown_layer_matrix"]
    state.put(layer_matrix=chosen, **({"d_model": TRAINED_WIDTH} if chosen == "trained" else {}))
    state.dismiss_notices()


def checked_request(text: str) -> Request | None:
    """Gather a request from the controls, or say in one sentence why nothing can be looked up.

    Args:
        text: prepared, not empty.
    """
    matrix = matrix_shown(text)
    if matrix != state.get("layer_matrix") and state.get("layer_matrix") in BY_HAND_TEXTS:
        _say_unknown_words()
    tokenizer = "words" if matrix in BY_HAND_TEXTS else state.get("tokenizer")
    if not vocabulary_ready(tokenizer):
        return None
    try:
        tokens = cache.tokens_of(text, tokenizer)
    except ValueError:  # the one text that is not empty and still has no token
        st.info(_("The tokenizer “words” finds no word here: white space only separates. Type a word."))
        return None
    vocab_size = cache.tokenizer_for(tokenizer, text).vocab_size
    token_ids = tuple(token.id for token in tokens)
    typed = typed_ids(vocab_size)
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
        d_model=3 if matrix in BY_HAND_TEXTS else state.get("d_model"),
        seed=state.get("seed"),
        start=state.get("layer_start"),
        token_ids=wanted[:MAX_TOKENS],
        typed=typed is not None,
    )


def matrix_shown(text: str) -> str:
    """Return which matrix there is for a text: the one that is chosen, or the random one where that does not fit.

    The trained one has a width of its own and rows for words; one by hand may have no row for the text.

    Args:
        text: prepared.
    """
    matrix = str(state.get("layer_matrix"))
    if matrix == "trained":
        fits = state.get("d_model") == TRAINED_WIDTH and state.get("tokenizer") not in WORDLESS
        return matrix if fits else "random"
    if matrix == "random" or not text.strip():
        return matrix
    words = {token.bytes.decode() for token in cache.tokens_of(text, "words")}
    known = words <= set(BY_HAND_ROWS) if matrix == "nlp" else len(words) == 1
    return matrix if known else "random"


def _say_unknown_words() -> None:
    """Say why the random matrix stands for the one by hand, with the way back to that."""
    text, rows = BY_HAND_TEXTS[state.get("layer_matrix")]
    with st.container(horizontal=True, vertical_alignment="center", key="layer-unknown-words"):
        st.info(
            _(
                "The matrix by hand has rows for {words} only, and your text has other words: the random matrix is "
                "shown instead."
            ).format(words=rows)
            if rows
            else _(
                "The matrix by hand has one row, so it knows one word, and your text has more: the random matrix is "
                "shown instead."
            ),
            width="stretch",
        )
        st.button(_("Back to “{text}”").format(text=text), key="layer_back", on_click=put_text, args=(text,))


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
    if not str(state.get("layer_ids")).strip():
        return
    with st.container(horizontal=True, vertical_alignment="center", key="layer-ids-rule"):
        st.caption(
            _("These ids are looked up in place of your text, which still says which words E has rows for.")
            if state.get("tokenizer") in ("words", "characters") or state.get("layer_matrix") != "random"
            else _("These ids are looked up in place of your text: changing it changes nothing.")
        )
        st.button(_("Use the text"), key="layer_use_text", on_click=_use_text)


def _use_text() -> None:
    state.put(layer_ids="")
    state.dismiss_notices()


def read_ids(raw: str, vocab_size: int) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Read ids as people type them.

    Args:
        raw: whole numbers with white space, commas or semicolons between them.
        vocab_size: rows of the table.

    Returns:
        The ids that are rows of the table, and the parts that are none, each once.
    """
    found, passed = [], []
    for part in _ID.split(raw.strip("[]() \t\n,;")):
        if part.isascii() and part.isdecimal() and len(part) <= 12 and int(part) < vocab_size:
            found.append(int(part))
        elif part:
            passed.append(part)
    return tuple(found), tuple(dict.fromkeys(passed))


def passed_over(parts: tuple[str, ...], table: str, vocab_size: int) -> str:
    """Say which parts of typed ids are none, and what ids are.

    Args:
        parts: at least one, as read_ids gives them.
        table: what the table is called, translated.
        vocab_size: its rows.
    """
    named = ", ".join(as_code(part[:20]) for part in parts[:NAMED])
    if len(parts) > NAMED:
        named += " " + _("and {count} more").format(count=len(parts) - NAMED)
    return ngettext(
        "No row of {table} has the id {named}: ids are whole numbers from 0 to {last:,} here. It is passed over.",
        "No row of {table} has the ids {named}: ids are whole numbers from 0 to {last:,} here. They are passed over.",
        len(parts),
    ).format(table=table, named=named, last=vocab_size - 1)


def typed_ids(vocab_size: int) -> tuple[int, ...] | None:
    """Return the ids that are typed, or None where there are none; say which parts are none."""
    ids, passed = read_ids(str(state.get("layer_ids")), vocab_size)
    if passed:
        told = passed_over(passed, _("E"), vocab_size)
        st.warning(told if ids else told + " " + _("No id is left, so the tokens of your text are looked up instead."))
    return ids or None
