"""Where the rows of the embedding matrix come from: the choice, and what is said of the rows that a text picks."""

from collections.abc import Sequence

import streamlit as st

from embedlib.word2vec import TABLE_CONFIG
from ui import cache
from ui.cache import Request
from ui.i18n import _, ngettext
from ui.settings import controls, state
from ui.shared.markdown import as_code

TRAINED_WIDTH = TABLE_CONFIG.d_model
WORDLESS = ("characters", "bytes")  # tokenizers whose tokens are neither words nor pieces of words
MOST_NAMED = 12  # tokens that a sentence lists


def rows_shown(*, by_hand: bool = True, setting: str = "tokenizer") -> str:
    """Return where the rows come from: what is chosen, or chance where that fits neither the width nor the tokens.

    Args:
        by_hand: whether the page can show the rows by hand.
        setting: the one that names the page's tokenizer.
    """
    chosen = str(state.get("table"))
    words = state.get(setting) not in WORDLESS
    fits = {"trained": words and state.get("d_model") == TRAINED_WIDTH, "random": True, "by_hand": by_hand}
    return chosen if fits[chosen] else "random"


def rows_control(*, by_hand: bool = True, setting: str = "tokenizer") -> None:
    """Choose where the rows of the embedding matrix come from; trained ones bring their width with them.

    Args:
        by_hand: whether the page can show the rows by hand.
        setting: the one that names the page's tokenizer.
    """
    names = {
        "trained": trained_title(),
        "random": _("random"),
        "by_hand": _("by hand, 3 words × 3"),
    }
    offered = {"trained": state.get(setting) not in WORDLESS, "random": True, "by_hand": by_hand}
    in_view = rows_shown(by_hand=by_hand, setting=setting)
    st.selectbox(
        _("Embedding matrix"),
        [name for name in state.options("table") if offered[name]],
        key=controls.shown_instead("table", in_view)["key"],
        format_func=names.__getitem__,
        help=trained_help(),
        on_change=_choose,
    )
    if in_view == "random" and state.get("table") == "trained":
        st.markdown(f":material/info: {width_sentence(setting)}")
        state.link_instead(table=in_view)


def trained_title() -> str:
    """Name the trained rows where the source of an embedding matrix is chosen."""
    return _("trained on {sentences:,} sentences").format(sentences=cache.shipped_table().n_sentences)


def trained_help() -> str:
    """Say what the trained rows are."""
    return _(
        "{words} words of a small grammar have trained rows, other tokens random ones. A piece spelled like a word "
        "has its row, as “pig” in “piglet”."
    ).format(words=len(cache.shipped_table().words))


def origin(request: Request) -> str:
    """Say where the rows come from that a text picks, and name those tokens whose rows are not trained."""
    if request.table == "by_hand":
        return _("Numbers by hand.")
    if request.table == "trained":
        sentence = trained_sentence(
            cache.labels_of(request), cache.trained_tokens(request), seed=request.seed, of=cache.trained_count(request)
        )
    else:
        sentence = random_sentence(seed=request.seed)
    if request.scale:
        sentence += " " + _("Multiplied by √{d_model} in the sum.").format(d_model=request.d_model)
    return sentence


def random_sentence(*, seed: int, setting: str = "tokenizer") -> str:
    """Say that the rows are random, and what brings the trained ones back where these are chosen and do not fit."""
    sentence = _("Random rows: standard normal, seed {seed}.").format(seed=seed)
    return f"{sentence} {width_sentence(setting)}" if state.get("table") == "trained" else sentence


def trained_rows_button(request: Request) -> None:
    """Offer the trained rows in one click where a text that could have them shows random ones."""
    if request.table == "random" and request.tokenizer not in WORDLESS:
        st.button(
            _("Show trained rows"),
            key="show_trained",
            help=None
            if request.d_model == TRAINED_WIDTH
            else _("Trained rows need d_model = {width}.").format(width=TRAINED_WIDTH),
            on_click=_show_trained,
        )


def width_sentence(setting: str = "tokenizer") -> str:
    """Say why trained rows that were chosen are not shown: they have another width, or the tokens are no words."""
    if state.get(setting) in WORDLESS:
        return _("Only words have trained rows.")
    return _("Trained rows need d_model = {width}.").format(width=TRAINED_WIDTH)


def trained_sentence(
    labels: Sequence[str], known: Sequence[bool], *, seed: int, of: tuple[int, int] | None = None
) -> str:
    """Say how many tokens have trained rows, name the others, and count the whole table's (trained, all)."""
    text = _text_sentence(labels, known, seed=seed)
    if of is None or of[0] == of[1]:
        return text
    return f"{text} {_table_sentence(*of)}"


def _table_sentence(trained: int, rows: int) -> str:
    return _("Of all {rows:,} rows {trained:,} are trained, the others random.").format(rows=rows, trained=trained)


def _text_sentence(labels: Sequence[str], known: Sequence[bool], *, seed: int) -> str:
    table = cache.shipped_table()
    others = {label: None for label, met in zip(labels, known, strict=True) if not met}
    values = {"known": sum(known), "count": len(known), "sentences": table.n_sentences, "seed": seed}
    if not others:
        return _("All tokens here have rows trained on {sentences:,} sentences of a small grammar.").format(**values)
    if not any(known):
        return _("Random rows, seed {seed}: no token is one of the {words:,} trained words.").format(
            words=len(table.words), **values
        )
    named = ", ".join(map(as_code, list(others)[:MOST_NAMED]))
    if (more := len(others) - MOST_NAMED) > 0:
        named += " " + ngettext("and {count:,} other", "and {count:,} others", more).format(count=more)
    return _(
        "{known:,} of {count:,} tokens have rows trained on {sentences:,} sentences of a small grammar. Random, seed "
        "{seed}: {tokens}."
    ).format(tokens=named, **values)


def _choose() -> None:
    chosen = st.session_state["shown_table"]
    if chosen == "trained":
        _show_trained()
        return
    state.put(table=chosen)
    state.dismiss_notices()


def _show_trained() -> None:
    state.put(table="trained", d_model=TRAINED_WIDTH)
    state.dismiss_notices()
