"""Where the rows of the embedding matrix come from: the choice, and what is said of the rows that a text picks."""

from collections.abc import Sequence

import streamlit as st

from embedlib.trained_table import CONFIG
from ui import cache, controls, state
from ui.cache import Request
from ui.i18n import _, ngettext
from ui.markdown import as_code

TRAINED_WIDTH = CONFIG.d_model
MOST_NAMED = 12  # tokens that a sentence lists


def rows_shown(*, by_hand: bool = True) -> str:
    """Return where the rows come from: what is chosen, or chance where that has another width.

    Args:
        by_hand: whether the page can show the rows by hand.
    """
    chosen = str(state.get("table"))
    fits = {"trained": state.get("d_model") == TRAINED_WIDTH, "random": True, "by_hand": by_hand}
    return chosen if fits[chosen] else "random"


def rows_control(*, by_hand: bool = True) -> None:
    """Choose where the rows of the embedding matrix come from; trained ones bring their width with them.

    Args:
        by_hand: whether the page can show the rows by hand.
    """
    names = {
        "trained": trained_title(),
        "random": _("random"),
        "by_hand": _("by hand, 3 words × 3"),
    }
    key = controls.shown_instead("table", rows_shown(by_hand=by_hand))["key"]
    st.selectbox(
        _("Embedding matrix"),
        [name for name in state.options("table") if by_hand or name != "by_hand"],
        key=key,
        format_func=names.__getitem__,
        help=trained_help(),
        on_change=_choose,
    )


def trained_title() -> str:
    """Name the trained rows where the source of an embedding matrix is chosen."""
    return _("trained on {sentences:,} sentences").format(sentences=cache.shipped_table().n_sentences)


def trained_help() -> str:
    """Say what the trained rows are."""
    return _(
        "Trained rows belong to the {words} words of a small grammar; other tokens have random rows of about the "
        "same length."
    ).format(words=len(cache.shipped_table().words))


def origin(request: Request) -> str:
    """Say where the rows come from that a text picks, and name those tokens whose rows are not trained."""
    if request.table == "by_hand":
        return _("The numbers are given by hand.")
    if request.table == "trained":
        sentence = trained_told(cache.labels_of(request), cache.trained_tokens(request), seed=request.seed)
    else:
        sentence = random_told(seed=request.seed)
    if request.scale:
        sentence += " " + _("Further down, the rows are multiplied by √{d_model}.").format(d_model=request.d_model)
    return sentence


def random_told(*, seed: int) -> str:
    """Say that the rows are random, and what brings the trained ones back where these are chosen and do not fit."""
    told = _("The numbers are random: standard normal, seed {seed}. Training would move them.").format(seed=seed)
    return f"{told} {width_told()}" if state.get("table") == "trained" else told


def width_told() -> str:
    """Say which width brings the trained rows back."""
    return _("The trained rows are {width} wide: set d_model to {width} to see them.").format(width=TRAINED_WIDTH)


def trained_told(labels: Sequence[str], known: Sequence[bool], *, seed: int) -> str:
    """Say in one sentence how many tokens have trained rows, and name the others.

    Args:
        labels: how each token is written.
        known: which of them have trained rows.
        seed: of the other rows.
    """
    table = cache.shipped_table()
    others = {label: None for label, met in zip(labels, known, strict=True) if not met}
    values = {"known": sum(known), "count": len(known), "sentences": table.n_sentences, "seed": seed}
    if not others:
        return _(
            "The rows of all tokens are trained: {sentences:,} sentences of a small grammar moved words that are used "
            "alike close together."
        ).format(**values)
    if not any(known):
        return _(
            "All rows are random, seed {seed}: none of the tokens is one of the {words:,} words of the small grammar "
            "whose rows are trained."
        ).format(words=len(table.words), **values)
    named = ", ".join(map(as_code, list(others)[:MOST_NAMED]))
    if (more := len(others) - MOST_NAMED) > 0:
        named += " " + ngettext("and {count:,} other", "and {count:,} others", more).format(count=more)
    return _(
        "The rows of {known:,} of {count:,} tokens are trained, on {sentences:,} sentences of a small grammar. "
        "Random, since the grammar has no such words (seed {seed}): {tokens}."
    ).format(tokens=named, **values)


def _choose() -> None:
    chosen = st.session_state["shown_table"]
    state.put(table=chosen, **({"d_model": TRAINED_WIDTH} if chosen == "trained" else {}))
    state.dismiss_notices()
