"""Positions of each token in both sentences, and whether these hold the same tokens."""

import streamlit as st

from embedlib.figures import moves_alt, moves_figure
from embedlib.tokenizers import Token
from ui.embed import embeddable
from ui.export import Drawing, Lines, decode_token, figure_drawing, set_data_source, show
from ui.i18n import _, separator
from ui.markdown import as_code
from ui.shared.origin import Origin, trained_sentence
from ui.word_order.request import Request
from ui.word_order.results import matched_pairs, row_names, sentence_tokens, token_labels, trained_tokens


@embeddable("order-positions")
def token_positions(request: Request) -> None:
    """Draw each token's position in both sentences, and say whether they hold the same tokens."""
    set_data_source(Origin(request.table, request.seed).in_files)
    st.header(_("Token positions"))
    st.write(bag_sentence(request))
    show(token_moves, request)
    if request.causal:
        st.caption(_("With the mask the same random row is put behind both sentences, to read them."))
    st.caption(_origin(request))


def token_moves(request: Request) -> Drawing:
    """Draw each token's position in both sentences; in the files one line per token, empty where it is not there."""
    first, second = sentence_tokens(request)
    pairs, labels = matched_pairs(request), token_labels(request)
    # Under the mask the encoder reads one row more behind each sentence, the same one.
    end = [_("end row")] if request.causal else []
    there = dict(pairs)
    lines = [[*_token_cells(token), position, there.get(position)] for position, token in enumerate(first)]
    lines += [
        [*_token_cells(token), None, position]
        for position, token in enumerate(second)
        if position not in there.values()
    ]
    return figure_drawing(
        "word-order-moves",
        _("Token positions"),
        Lines(["token_id", "token", "bytes", "first", "second"], lines),
        moves_figure,
        [*labels[0], *end],
        [*labels[1], *end],
        [*pairs, *([(len(first), len(second))] if end else [])],
        key="moves",
        alt=bag_sentence(request),
        names=(_("First"), _("Second")),
        hover_text=_("{token}\npositions {position}, {other}"),
        alone_text=_("{token}\nposition {position}, only here"),
    )


def _token_cells(token: Token) -> list[object]:
    """Return a token's id, text, and bytes in hex."""
    return [token.id, decode_token(token.bytes), token.bytes.hex(" ").upper()]


def _origin(request: Request) -> str:
    """Return sentences on the source of the rows, and which tokens share one."""
    return Origin(request.table, request.seed).sentence(trained=lambda: _trained_rows_sentence(request), setting="cut")


def _trained_rows_sentence(request: Request) -> str:
    labels = [label for sentence in token_labels(request) for label in sentence]
    sentence = trained_sentence(labels, trained_tokens(request), seed=request.seed)
    alike: dict[int, dict[str, None]] = {}
    for label, row in zip(labels, [row for rows in row_names(request) for row in rows], strict=True):
        alike.setdefault(row, {})[label] = None
    shared = [_(" and ").join(map(as_code, names)) for names in alike.values() if len(names) > 1]
    if shared:
        same = _("These tokens have equal rows, because training ignored case and spaces: {tokens}.")
        sentence += separator(" ") + same.format(tokens=separator(", ").join(shared))
    return sentence


def bag_sentence(request: Request) -> str:
    """Return a sentence on the tokens that both sentences have."""
    pairs, (n_first, n_second) = matched_pairs(request), map(len, sentence_tokens(request))
    moved = moves_alt(pairs)["moved"]
    if len(pairs) < max(n_first, n_second):
        return _("Tokens in the first sentence only: {first}; in the second only: {second}.").format(
            first=n_first - len(pairs), second=n_second - len(pairs)
        )
    if not moved:
        return _("Both sentences are the same.")
    return _("Both sentences have the same {count} tokens; {moved} of them stand elsewhere.").format(
        count=n_first, moved=moved
    )
