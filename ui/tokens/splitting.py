"""WordPiece and Unigram on a word of the reader's text: the longest match, and the scores of splits."""

from typing import cast

import numpy as np
import streamlit as st

from embedlib.tokenizers import bert_words, spaced_words, token_label
from embedlib.tokenizers.trained import (
    MAX_WORD_CHARACTERS,
    Split,
    UnigramTokenizer,
    WordPieceTokenizer,
    best_splits,
    longest_matches,
)
from ui.export import show_texts
from ui.i18n import _, number, separator
from ui.markdown import as_code
from ui.shared.page import section
from ui.tokens.cache import TokenizerSpec, align_tokens, train_shared
from ui.tokens.names import tokenizer_title
from ui.tokens.request import Request

TRIED_SHOWN = 4  # of the pieces that WordPiece looks up for one step


def splits_by_rule(spec: TokenizerSpec) -> bool:
    """Return whether a tokenizer splits without merges, so that `explain_split` applies."""
    return not (spec.is_encoding or spec.is_from_model or spec.name == "bpe")


def split_title(spec: TokenizerSpec) -> str:
    """Return the section's heading."""
    return _("How {name} splits text").format(name=tokenizer_title(spec.name))


@section("tokens-splitting", lambda request, _chosen: split_title(request.closely))
def explain_split(request: Request, chosen: int | None) -> None:
    """Show how the chosen tokenizer splits the word under the chosen character."""
    spec = request.closely
    if spec.name in ("wordpiece", "unigram"):
        word = word_in_view(request, chosen)
        if word is None:
            st.write(_("The text has no word to split: type one above."))
        elif spec.name == "wordpiece":
            _show_longest_match(spec, word)
        else:
            _show_scores(spec, word)
        return
    st.write(
        {
            "words": _("The text is cut at white space and punctuation; each word is a token with an id of its own."),
            "characters": _("Each single character (code point) is a token."),
            "bytes": _("Each byte of the text is a token; its value, 0 to 255, is its id."),
        }[spec.name]
    )


def word_in_view(request: Request, chosen: int | None) -> str | None:
    """Return the word that the chosen character is in or follows, else the longest that is not too long to cut."""
    words = bert_words if request.closely.name == "wordpiece" else spaced_words
    starts, stops = words(request.text)
    if not len(starts):
        return None
    if chosen is None:
        lengths = np.where(stops - starts <= MAX_WORD_CHARACTERS, stops - starts, 0)
        index = int(lengths.argmax())
    else:
        columns = align_tokens(request.specs, request.text, request.specials).columns
        at = sum(map(len, columns[:chosen]))
        index = max(0, int(np.searchsorted(starts, at, side="right")) - 1)
    return request.text[starts[index] : stops[index]]


def _show_longest_match(spec: TokenizerSpec, word: str) -> None:
    st.write(
        _(
            "WordPiece takes the longest entry of its vocabulary with which {word} begins, then the longest "
            "one that continues it (marked ##), and so on."
        ).format(word=_piece_code(word))
    )
    if len(word) > MAX_WORD_CHARACTERS:
        st.caption(_("Words of more than {most} characters become the unknown token.").format(most=MAX_WORD_CHARACTERS))
        return
    matches = longest_matches(cast(WordPieceTokenizer, train_shared(spec)), word)
    tried = [
        " ".join(map(_piece_code, match.tried[: -1 if match.piece else None][:TRIED_SHOWN]))
        + (_remaining_sentence(len(match.tried) - (match.piece is not None) - TRIED_SHOWN))
        for match in matches
    ]
    show_texts(
        "wordpiece-steps",
        {
            _("Step"): [str(index) for index in range(1, len(matches) + 1)],
            _("Tried, not in the vocabulary"): [words or "–" for words in tried],
            _("Taken"): [_piece_code(match.piece) if match.piece else _("nothing") for match in matches],
        },
        alt=split_title(spec),
    )
    if matches[-1].piece is None:
        st.caption(_("No entry fits the rest of the word, so the whole word becomes the unknown token [UNK]."))


def _remaining_sentence(count: int) -> str:
    return "" if count <= 0 else separator(" ") + _("and {count} more").format(count=count)


def _show_scores(spec: TokenizerSpec, word: str) -> None:
    st.write(
        _(
            "Unigram gives each entry of its vocabulary a score, the logarithm of how probable it is. Of all "
            "ways to split {word} it takes the one with the highest sum."
        ).format(word=_piece_code(word))
    )
    splits = best_splits(cast(UnigramTokenizer, train_shared(spec)), word)
    if not splits:
        st.caption(_("Characters that are not in the vocabulary become the unknown token."))
        return
    show_texts(
        "unigram-splits",
        {
            "": [_("best"), _("second best")][: len(splits)],
            _("Pieces and scores"): [_score_line(split) for split in splits],
            _("Sum"): [_number(split.score) for split in splits],
        },
        alt=split_title(spec),
    )


def _score_line(split: Split) -> str:
    return " ".join(
        f"{_piece_code(piece)} {_number(score)}" for piece, score in zip(split.pieces, split.scores, strict=True)
    )


def _number(score: float) -> str:
    return number(score, ".2f").replace("-", "−")


def _piece_code(text: str) -> str:
    return as_code(token_label(text.encode()))
