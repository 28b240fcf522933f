"""How a tokenizer that merges nothing cuts a word of the reader's text: what it tries, what it weighs."""

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
from ui.i18n import _, ngettext
from ui.shared.markdown import as_code
from ui.tokens.cache import TokenizerSpec, alignment_of, trained
from ui.tokens.names import title_of
from ui.tokens.request import Request

TRIED_SHOWN = 4  # of the pieces that WordPiece looks up for one step


def how_it_cuts(request: Request, chosen: int | None) -> None:
    """Show with the word under the chosen character how the tokenizer looked at decides, where that is no merging."""
    spec = request.closely
    if spec.is_encoding or spec.name == "bpe":
        return
    st.header(_("How {name} cuts").format(name=title_of(spec.name)))
    if spec.name in ("wordpiece", "unigram"):
        word = word_in_view(request, chosen)
        if word is None:
            st.write(_("The text holds no word to cut."))
        elif spec.name == "wordpiece":
            _by_longest_match(spec, word)
        else:
            _by_score(spec, word)
        return
    st.write(
        {
            "words": _(
                "White space separates words, a punctuation mark is a word of its own, and each different word of your "
                "text is one id. Nothing is weighed, and a word that is not in the text has no id at all."
            ),
            "characters": _(
                "Each code point of the text is one token, and each different one has an id. Nothing is weighed."
            ),
            "bytes": _("Each byte of the text in UTF-8 is one token, and its id is the byte itself, 0 to 255."),
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
        columns = alignment_of(request.specs, request.text, request.specials).columns
        at = sum(map(len, columns[:chosen]))
        index = max(0, int(np.searchsorted(starts, at, side="right")) - 1)
    return request.text[starts[index] : stops[index]]


def _by_longest_match(spec: TokenizerSpec, word: str) -> None:
    st.write(
        _(
            "WordPiece takes the longest piece of its vocabulary that {word} begins with, then the longest that the "
            "rest begins with, now spelled with ## in front."
        ).format(word=_coded(word))
    )
    if len(word) > MAX_WORD_CHARACTERS:
        st.caption(
            _("A word of more than {most} characters is one unknown token, and nothing is tried.").format(
                most=MAX_WORD_CHARACTERS
            )
        )
        return
    matches = longest_matches(cast(WordPieceTokenizer, trained(spec)), word)
    tried = [
        " ".join(map(_coded, match.tried[: -1 if match.piece else None][:TRIED_SHOWN]))
        + (_more(len(match.tried) - (match.piece is not None) - TRIED_SHOWN))
        for match in matches
    ]
    st.table(
        {
            _("Step"): [str(index) for index in range(1, len(matches) + 1)],
            _("Tried, and not in the vocabulary"): [words or "–" for words in tried],
            _("Taken"): [_coded(match.piece) if match.piece else _("nothing") for match in matches],
        },
        border="horizontal",
        hide_index=True,
        alt=_("The pieces that were looked up, step by step."),
    )
    if matches[-1].piece is None:
        st.caption(_("Nothing fits what is left, so the word as a whole becomes one unknown token, [UNK]."))


def _more(count: int) -> str:
    return "" if count <= 0 else " " + ngettext("and {count} more", "and {count} more", count).format(count=count)


def _by_score(spec: TokenizerSpec, word: str) -> None:
    st.write(
        _(
            "Unigram gives each piece a score, the logarithm of its probability, and cuts {word} where the sum is "
            "highest. A sum of fewer pieces is often higher, for every score is below 0."
        ).format(word=_coded(word))
    )
    splits = best_splits(cast(UnigramTokenizer, trained(spec)), word)
    if not splits:
        st.caption(_("It holds a character that is not in the vocabulary, and that becomes an unknown token."))
        return
    st.table(
        {
            "": [_("taken"), _("next best")][: len(splits)],
            _("Pieces and their scores"): [_scored(split) for split in splits],
            _("Sum"): [_number(split.score) for split in splits],
        },
        border="horizontal",
        hide_index=True,
        alt=_("The two cuts with the highest sums."),
    )


def _scored(split: Split) -> str:
    return " ".join(
        f"{_coded(piece)} {_number(score)}" for piece, score in zip(split.pieces, split.scores, strict=True)
    )


def _number(score: float) -> str:
    return f"{score:.2f}".replace("-", "−")


def _coded(text: str) -> str:
    return as_code(token_label(text.encode()))
