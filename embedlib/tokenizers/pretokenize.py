"""Where a long text is cut into characters or words: all cuts at once."""

import unicodedata

import numpy as np
from numpy.typing import NDArray

from embedlib.tokenizers.simple import INNER
from embedlib.tokenizers.unicode import Codes, where_true

Cuts = tuple[NDArray[np.int64], NDArray[np.int64]]


def character_cuts(codes: Codes) -> Cuts:
    """Give starts and stops of each code point, in characters, as small_tokenizers.cut_characters does."""
    starts = np.arange(len(codes), dtype=np.int64)
    return starts, starts + 1


def word_cuts(codes: Codes) -> Cuts:
    """Give starts and stops of each word, in characters, as small_tokenizers.cut_words does.

    Args:
        codes: the text's code points, (n_characters,).

    Returns:
        Twice (n_words,) int64.
    """
    in_word = where_true(codes, lambda character: unicodedata.category(character)[0] in "LNM")
    inner = where_true(codes, INNER.__contains__)
    inner[:1] = inner[-1:] = False
    inner[1:-1] &= in_word[:-2] & in_word[2:]
    return _runs(in_word | inner, where_true(codes, str.isspace))


def spaced_cuts(codes: Codes) -> Cuts:
    """Give starts and stops, in characters, of all that lies between white space.

    Args:
        codes: the text's code points, (n_characters,).

    Returns:
        Twice (n_words,) int64.
    """
    space = where_true(codes, str.isspace)
    return _runs(~space, space)


def bert_cuts(codes: Codes) -> Cuts:
    """Give starts and stops, in characters, of words as BERT cuts them before it looks for pieces.

    White space separates words; a punctuation mark or an ideograph is a word of its own.

    Args:
        codes: the text's code points, (n_characters,).

    Returns:
        Twice (n_words,) int64.

    Source: `BasicTokenizer` of https://github.com/google-research/bert/blob/master/tokenization.py, without its changes
    of case, accents and control characters.
    """
    space = where_true(codes, str.isspace)
    alone = where_true(codes, _is_punctuation) | _is_ideograph(codes)
    return _runs(~space & ~alone, space)


def _runs(joined: NDArray[np.bool_], space: NDArray[np.bool_]) -> Cuts:
    """Cut into runs of what is joined, and single characters of what is neither that nor white space."""
    before = np.concatenate([[False], joined[:-1]])[: len(joined)]
    after = np.concatenate([joined[1:], [False]])[: len(joined)]
    alone = ~joined & ~space
    starts = np.flatnonzero(alone | (joined & ~before))
    stops = np.flatnonzero(alone | (joined & ~after)) + 1
    return starts, stops


def _is_punctuation(character: str) -> bool:
    """All signs of ASCII count, also those that Unicode calls symbols, such as $ and +."""
    if character.isascii():
        return character.isprintable() and not character.isalnum() and character != " "
    return unicodedata.category(character)[0] == "P"


def _is_ideograph(codes: Codes) -> NDArray[np.bool_]:
    blocks = (
        *((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F)),
        *((0x2B740, 0x2B81F), (0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F)),
    )
    found = np.zeros(len(codes), np.bool_)
    if len(codes) and codes.max() >= 0x3400:
        for first, last in blocks:
            found |= (codes >= first) & (codes <= last)
    return found
