"""The choice of the embedding matrix's rows, and sentences about them."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import streamlit as st

from embedlib.checkpoints import CHECKPOINT_ERRORS
from embedlib.tables import fill_sentence
from embedlib.word2vec import TABLE_CONFIG
from ui import cache
from ui.cache import Request
from ui.cache.minilm import has_minilm, minilm_error, opens_with_minilm
from ui.i18n import _, join_sentences, language, separator
from ui.markdown import as_code
from ui.settings import MINILM_WIDTH, controls, state

TRAINED_WIDTH = TABLE_CONFIG.d_model
WORDLESS = ("characters", "bytes")  # tokenizers without words or subwords
LEARNED = ("minilm", "trained")  # rows for one width and certain tokenizers


def row_source(*, by_hand: bool = True, setting: str = "tokenizer") -> str:
    """Return the source of the rows: the chosen one, or "random" if it fits neither width nor tokenizer.

    Args:
        by_hand: whether the page can show the rows by hand.
        setting: the one that names the page's tokenizer.
    """
    chosen = str(state.get("table"))
    return chosen if rows_fit(chosen, setting) or (chosen == "by_hand" and by_hand) else "random"


def rows_fit(rows: str, setting: str = "tokenizer") -> bool:
    """Return whether learned rows have the width and the tokenizer that are set."""
    return are_compatible(rows, state.get(setting), state.get("d_model"))


def are_compatible(rows: str, tokenizer: str, d_model: int) -> bool:
    """Return whether learned rows have this width and tokenizer."""
    if rows == "minilm":
        return bool(tokenizer == "minilm" and d_model == MINILM_WIDTH)
    return rows == "trained" and tokenizer not in WORDLESS and d_model == TRAINED_WIDTH


def rows_control(*, by_hand: bool = True, setting: str = "tokenizer") -> None:
    """Draw the choice of the embedding matrix's rows; learned rows also set their width.

    Args:
        by_hand: whether the page can show the rows by hand.
        setting: the one that names the page's tokenizer.
    """
    hand = {"by_hand": _("by hand, 3 words × 3")} if by_hand else {}
    rows_choice(row_source(by_hand=by_hand, setting=setting), hand, setting=setting)


def rows_choice(in_view: str, by_hand: Mapping[str, str], *, table: str = "table", setting: str = "tokenizer") -> None:
    """Draw the choice of the rows, and why other rows are in view than the chosen ones.

    Args:
        in_view: the rows that the page shows.
        by_hand: the titles of the rows by hand that there are, by their names in the setting.
        table: the setting of the page's rows.
        setting: the one that names the page's tokenizer.
    """
    offered = {"minilm": has_minilm(), "trained": state.get(setting) not in WORDLESS}
    titles = learned_titles() | {"random": _("random"), **by_hand}
    controls.control(
        table,
        st.selectbox,
        [name for name in state.options(table) if name in titles and offered.get(name, True)],
        titles=titles,
        value=in_view,
        help=trained_help(),
        on_change=lambda: choose_rows(state.get(table), table, setting=setting),
    )
    if in_view == "random" and state.get(table) in LEARNED:
        st.markdown(f":material/info: {width_sentence(setting, table)}")
        state.override_link(**{table: in_view})
    if (error := minilm_error()) is not None:
        st.markdown(f":material/info: {fill_sentence(_(CHECKPOINT_ERRORS[error.code]), error.values, quote=as_code)}")


def learned_titles() -> dict[str, str]:
    """Return the titles of learned rows, by name."""
    sentences = cache.shipped_table().n_sentences
    return {"minilm": _("MiniLM"), "trained": _("trained on {sentences:,} sentences").format(sentences=sentences)}


def trained_help() -> str:
    """Return the tooltip on trained rows."""
    return _("“Trained on sentences” is a small table that has rows only for the words of a small grammar.")


def show_english_note() -> None:
    """Show why the words that follow are English, in any other language."""
    if language() != "en":
        st.caption(_("Trained on English text."))


def learned_rows_button(request: Request) -> None:
    """Draw a button for learned rows if the text shows random ones: MiniLM's, or the trained ones."""
    if request.table != "random":
        return
    if opens_with_minilm():
        st.button(_("Show MiniLM’s rows"), key="show_minilm", on_click=choose_rows, args=("minilm",))
    elif request.tokenizer not in WORDLESS:
        st.button(
            _("Show trained rows"),
            key="show_trained",
            help=None
            if request.d_model == TRAINED_WIDTH
            else _("Trained rows need d_model = {width}.").format(width=TRAINED_WIDTH),
            on_click=choose_rows,
            args=("trained",),
        )


def width_sentence(setting: str = "tokenizer", table: str = "table") -> str:
    """Return why the chosen learned rows are not shown: they have another width or tokenizer."""
    if state.get(table) == "minilm":
        return _minilm_sizes()
    if state.get(setting) in WORDLESS:
        return trained_help()
    return _("Trained rows need d_model = {width}.").format(width=TRAINED_WIDTH)


def _minilm_sizes() -> str:
    return _("MiniLM’s rows need its tokenizer and d_model = {width}.").format(width=MINILM_WIDTH)


def choose_rows(rows: str, table: str = "table", *, setting: str = "tokenizer") -> None:
    """Set other rows, with the width and the tokenizer that they need; call it from a callback.

    Args:
        rows: the setting's new value.
        table: the setting of the page's rows.
        setting: the one that names the page's tokenizer.
    """
    goes_with: dict[str, Any] = {}
    if rows == "minilm":
        goes_with = {setting: "minilm", "d_model": MINILM_WIDTH}
    elif rows == "trained":
        goes_with = {"d_model": TRAINED_WIDTH}
        if state.get(setting) == "minilm":
            goes_with[setting] = state.SETTINGS[setting].default
    state.put(**goes_with, **{table: rows})


def missing_word_sentence(word: str, words: Sequence[str]) -> str:
    """Return a sentence on a word without a row, with words that are spelled nearly the same."""
    sentence = _("No row for {word}.").format(word=as_code(word[:40]))
    near = get_close_matches(word[:40], words, n=3, cutoff=0.6)
    if not near:
        return sentence
    return join_sentences(sentence, _("Similar: {words}.").format(words=separator(", ").join(map(as_code, near))))
