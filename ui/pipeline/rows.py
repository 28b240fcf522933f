"""Where the rows of the embedding matrix come from: the choice, and what is said of the rows that a text picks."""

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
    table = cache.shipped_table()
    names = {
        "trained": _("trained on {sentences:,} sentences").format(sentences=table.n_sentences),
        "random": _("random"),
        "by_hand": _("by hand, 3 words × 3"),
    }
    key = controls.shown_instead("table", rows_shown(by_hand=by_hand))["key"]
    st.selectbox(
        _("Embedding matrix"),
        [name for name in state.options("table") if by_hand or name != "by_hand"],
        key=key,
        format_func=names.__getitem__,
        help=_(
            "Trained rows belong to the {words} words of a small grammar; other tokens have random rows of about the "
            "same length."
        ).format(words=len(table.words)),
        on_change=_choose,
    )


def origin(request: Request) -> str:
    """Say where the rows come from that a text picks, and name those tokens whose rows are not trained."""
    if request.table == "by_hand":
        return _("The numbers are given by hand.")
    if request.table == "trained":
        sentence = _trained(request)
    else:
        sentence = _("The numbers are random: standard normal, seed {seed}. Training would move them.").format(
            seed=request.seed
        )
        if state.get("table") == "trained":
            sentence += " " + _("The trained rows are {width} wide: set d_model to {width} to see them.").format(
                width=TRAINED_WIDTH
            )
    if request.scale:
        sentence += " " + _("Further down, the rows are multiplied by √{d_model}.").format(d_model=request.d_model)
    return sentence


def _trained(request: Request) -> str:
    table, known = cache.shipped_table(), cache.trained_tokens(request)
    others = {label: None for label, met in zip(cache.labels_of(request), known, strict=True) if not met}
    values = {"known": sum(known), "count": len(known), "sentences": table.n_sentences, "seed": request.seed}
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
