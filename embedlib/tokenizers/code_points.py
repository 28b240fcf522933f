"""A text as an array of its code points, and what is true of each."""

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
