"""Whether two sentences hold the same tokens, and where each has moved to."""

from functools import partial

import streamlit as st

from embedlib.figures import moves_alt, moves_figure
from ui.export import chart, source_is
from ui.i18n import _, between
from ui.markdown import as_code
from ui.shared.page import current_theme
from ui.shared.rows import minilm_sentence, random_sentence, rows_source, trained_sentence
from ui.word_order.request import Request
from ui.word_order.results import labels_of, matched, moves_csv, row_names, tokens_of, trained_tokens


def token_positions(request: Request) -> None:
    """Draw each token's position in both sentences, and say whether they hold the same tokens."""
    source_is(rows_source(request.table, seed=request.seed))
    first, second = tokens_of(request)
    labels = labels_of(request)
    pairs = matched(request)
    st.header(_("Token positions"))
    st.write(bag_sentence(len(first), len(second), pairs))
    # Under the mask the encoder reads one row more behind each sentence, the same one.
    end = [_("end row")] if request.causal else []
    draw = partial(
        moves_figure,
        [*labels[0], *end],
        [*labels[1], *end],
        [*pairs, *([(len(first), len(second))] if end else [])],
        names=(_("First"), _("Second")),
        theme=current_theme(),
        hover_text=_("{token}\npositions {position}, {other}"),
        alone_text=_("{token}\nposition {position}, only here"),
    )
    chart(
        "moves",
        draw,
        alt=bag_sentence(len(first), len(second), pairs),
        table=lambda: moves_csv(first, second, pairs),
        name="word-order-moves",
        title=_("Token positions"),
    )
    if end:
        st.caption(_("With the mask, the same random row follows both sentences."))
    st.caption(_origin(request))


def _origin(request: Request) -> str:
    """Say where the rows come from, and which tokens share one row."""
    if request.table == "minilm":
        return minilm_sentence()
    if request.table == "random":
        return random_sentence(seed=request.seed, setting="cut")
    labels = [label for sentence in labels_of(request) for label in sentence]
    sentence = trained_sentence(labels, trained_tokens(request), seed=request.seed)
    alike: dict[int, dict[str, None]] = {}
    for label, row in zip(labels, [row for rows in row_names(request) for row in rows], strict=True):
        alike.setdefault(row, {})[label] = None
    shared = [_(" and ").join(map(as_code, names)) for names in alike.values() if len(names) > 1]
    if shared:
        same = _("Equal rows: {tokens}; training ignored case and spaces.")
        sentence += between(" ") + same.format(tokens=between(", ").join(shared))
    return sentence


def bag_sentence(n_first: int, n_second: int, pairs: list[tuple[int, int]]) -> str:
    """Say what tokens the sentences have in common."""
    moved = moves_alt(pairs)["moved"]
    if len(pairs) < max(n_first, n_second):
        return _("Only in the first: {first} tokens; only in the second: {second}.").format(
            first=n_first - len(pairs), second=n_second - len(pairs)
        )
    if not moved:
        return _("Both sentences are the same.")
    return _("Both sentences have the same {count} tokens; {moved} move.").format(count=n_first, moved=moved)
