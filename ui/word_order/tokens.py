"""Whether two sentences hold the same tokens, and where each has moved to."""

from functools import partial

import streamlit as st

from embedlib.figures import moves_alt, moves_figure
from embedlib.tokenizers import token_labels
from ui.export import chart
from ui.i18n import _
from ui.shared.markdown import as_code
from ui.shared.page import current_theme
from ui.shared.rows import random_sentence, trained_sentence
from ui.word_order.request import Request
from ui.word_order.results import matched, moves_csv, row_names, tokens_of, trained_tokens


def same_tokens(request: Request) -> None:
    """Show each token's place in both sentences, and say whether the two bags of tokens are one."""
    first, second = tokens_of(request)
    pairs = matched(request)
    st.header(_("The same tokens, at other places?"))
    st.write(bag_sentence(len(first), len(second), pairs))
    st.caption(_origin(request))
    # Under the mask the encoder reads one row more behind each sentence, the same one.
    end = [_("end row")] if request.causal else []
    drawn_pairs = [*pairs, *([(len(first), len(second))] if end else [])]
    draw = partial(
        moves_figure,
        [*token_labels(first), *end],
        [*token_labels(second), *end],
        drawn_pairs,
        names=(_("First"), _("Second")),
        theme=current_theme(),
        hover_text=_("{token}\nposition {position}, in the other sentence {other}"),
        alone_text=_("{token}\nposition {position}, not in the other sentence"),
    )
    alt = _("{pairs} tokens are in both sentences: {moved} at another position, {stayed} at the same.")
    chart(
        "moves",
        draw,
        alt=alt.format(**moves_alt(pairs)),
        table=lambda: moves_csv(first, second, pairs),
        name="word-order-moves",
        title=_("Where each token stands in both texts"),
    )
    if end:
        st.caption(
            _(
                "The end row is no token of yours: with the causal mask the encoder adds it, the same random row to "
                "both, and compares what comes out there."
            )
        )


def _origin(request: Request) -> str:
    """Say where the rows come from, and which tokens are told apart by nothing since they have one row."""
    if request.table == "random":
        return random_sentence(seed=request.seed, setting="cut")
    labels = [label for sentence in tokens_of(request) for label in token_labels(sentence)]
    told = trained_sentence(labels, trained_tokens(request), seed=request.seed)
    alike: dict[int, dict[str, None]] = {}
    for label, row in zip(labels, [row for sentence in row_names(request) for row in sentence], strict=True):
        alike.setdefault(row, {})[label] = None
    shared = [_(" and ").join(map(as_code, names)) for names in alike.values() if len(names) > 1]
    if not shared:
        return told
    return (
        told
        + " "
        + _(
            "Words were trained without case and without the space before them, so these have one row and count as the "
            "same token: {tokens}."
        ).format(tokens=", ".join(shared))
    )


def bag_sentence(n_first: int, n_second: int, pairs: list[tuple[int, int]]) -> str:
    """Say in one or two sentences what the two bags of tokens have in common."""
    moved = moves_alt(pairs)["moved"]
    if len(pairs) < max(n_first, n_second):
        return _(
            "The two do not hold the same tokens: {first} of the first and {second} of the second are not in the "
            "other. So their bags differ whatever the scheme does, and a changed output says nothing about order."
        ).format(first=n_first - len(pairs), second=n_second - len(pairs))
    if not moved:
        return _("The two are the same, token by token: nothing can tell them apart.")
    return _(
        "Both hold the same {count} tokens; {moved} stand at another position. Without positions the rows of the two "
        "are one bag of vectors."
    ).format(count=n_first, moved=moved)
