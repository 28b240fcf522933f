"""Characters as they are read: what a reader takes for one sign, whatever number of code points it has."""

import numpy as np
from numpy.typing import NDArray


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
