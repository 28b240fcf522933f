"""A text as an array of its code points, and what is true of each.

Characters as they are read: what a reader takes for one sign, whatever number of code points it has.
"""

import sys
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint32]
_END = sys.maxunicode + 1


def code_points(text: str) -> Codes:
    """Give the code points of a text.

    Args:
        text: any text without lone surrogates.

    Returns:
        (n_characters,) uint32.
    """
    return np.frombuffer(text.encode("utf-32-le"), np.dtype("<u4"))


def byte_offsets(codes: Codes) -> NDArray[np.int64]:
    """Tell where each character begins in the text's UTF-8 bytes.

    Args:
        codes: the text's code points, (n_characters,).

    Returns:
        (n_characters + 1,) int64; the last is the number of all bytes.

    Source: RFC 3629, §3, https://www.rfc-editor.org/rfc/rfc3629#section-3
    """
    offsets = np.zeros(len(codes) + 1, np.int64)
    widths = 1 + (codes >= 0x80).astype(np.int64) + (codes >= 0x800) + (codes >= 0x10000)
    np.cumsum(widths, out=offsets[1:])
    return offsets


def where_true(codes: Codes, is_so: Callable[[str], bool]) -> NDArray[np.bool_]:
    """Ask the same of every character; each distinct one is asked once.

    Args:
        codes: a text's code points, (n_characters,).
        is_so: the question.

    Returns:
        (n_characters,) bool.
    """
    distinct = distinct_codes(codes)
    table = np.zeros(_END, np.bool_)
    table[distinct] = [is_so(chr(code)) for code in distinct.tolist()]
    return table[codes]


def distinct_codes(codes: Codes) -> NDArray[np.int64]:
    """Give the distinct code points of a text, sorted; faster than sorting them all."""
    present = np.zeros(_END, np.bool_)
    present[codes] = True
    return np.flatnonzero(present)


def graphemes(text: str) -> list[str]:
    r"""Cut a text into the characters that a reader sees.

    Args:
        text: any text.

    Returns:
        Its extended grapheme clusters, in order; joined they are the text. A family emoji is one, and so are a letter
        with its accents, a Devanagari syllable, and a carriage return with its line feed.

    Source: Unicode Standard Annex 29, https://www.unicode.org/reports/tr29/, as the regex module's \X reads it.
    """
    if text.isascii() and "\r" not in text:  # each is its own; twenty times faster
        return list(text)
    import regex  # knows \X, which the standard library's re does not

    found: list[str] = regex.findall(r"\X", text)
    return found


def byte_starts(columns: list[str]) -> NDArray[np.int64]:
    """Tell where each character begins in the text's UTF-8 bytes.

    Args:
        columns: all the characters of a text, as graphemes gives them.

    Returns:
        (n_columns + 1,) int64 offsets, the last of them the number of bytes.

    Raises:
        UnicodeEncodeError: a lone surrogate; every tokenizer refuses such a text before.
    """
    lengths = np.fromiter((len(column.encode()) for column in columns), np.int64, len(columns))
    return np.concatenate(([0], lengths.cumsum()))
