"""Pre-tokenization: words of a text by three rules, as starts and stops in characters."""

import re
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Spans = tuple[NDArray[np.int64], NDArray[np.int64]]  # (n_words,) starts and stops

SPACE = r"\s\x1c-\x1f"  # what str.isspace says, in regex's terms
# Letters, digits and marks in a row. Between two of them an apostrophe (don't) belongs to the word, and so do the
# joiners of Persian and Indic scripts.
_IN_WORD = r"[\p{L}\p{N}\p{M}]+"
_WORD = rf"{_IN_WORD}(?:['’\u200c\u200d]{_IN_WORD})*|[^{SPACE}]"
# For BERT all signs of ASCII are punctuation, also those that Unicode calls symbols, such as $ and +.
_ALONE = (
    r"!-/:-@\[-`{-~\p{P}\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002b73f"
    r"\U0002b740-\U0002b81f\U0002b820-\U0002ceaf\U0002f800-\U0002fa1f"
)
_BERT = rf"[{_ALONE}]|[^{SPACE}{_ALONE}]+"


def characters(text: str) -> Spans:
    """Return starts and stops of each code point."""
    starts = np.arange(len(text), dtype=np.int64)
    return starts, starts + 1


def words(text: str) -> Spans:
    """Return starts and stops of words as a reader sees them: "don't" is one, "'tis" a sign and a word."""
    import regex  # knows Unicode's categories, which the standard library's re does not

    return _spans(regex.finditer(_WORD, text))


def spaced_words(text: str) -> Spans:
    """Return starts and stops, in characters, of all text between white space; each (n_words,) int64."""
    return _spans(re.finditer(r"\S+", text))


def bert_words(text: str) -> Spans:
    """Return starts and stops, in characters, of words as BERT splits them before it looks for pieces.

    White space separates words; a punctuation mark or an ideograph is a word of its own.

    Source: `BasicTokenizer` of https://github.com/google-research/bert/blob/master/tokenization.py, without its changes
    of case, accents and control characters.
    """
    import regex

    return _spans(regex.finditer(_BERT, text))


def _spans(matches: Iterable["re.Match[str]"]) -> Spans:
    starts, stops = np.array([match.span() for match in matches], np.int64).reshape(-1, 2).T
    return starts, stops
