"""Where the tokens of one tokenizer lie over the characters of a text."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from embedlib.tokenizers.base import Token
from embedlib.tokenizers.spans import TokenSpans

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class AlignedRow:
    """Where the tokens of one tokenizer lie, in columns; token i is the i-th of them.

    A token covers the columns first[i] … last[i]. Its first and its last column it may share with its neighbours, which
    happens where a character is cut into pieces; those in between are its own.

    Attributes:
        first: (n_tokens,) the column in which each token begins.
        last: (n_tokens,) the column in which it ends, itself included.
        first_part: (n_tokens,) which of the tokens that share the first column it is, from 0.
        first_parts: (n_tokens,) how many share the first column, 1 where it is the token's own.
        last_part: (n_tokens,) as first_part, for the last column.
        last_parts: (n_tokens,) as first_parts, for the last column.
        from_token: (n_columns,) index of the first token that touches each column.
        to_token: (n_columns,) one more than the index of the last; equal to from_token where no token does.
    """

    first: Ints
    last: Ints
    first_part: Ints
    first_parts: Ints
    last_part: Ints
    last_parts: Ints
    from_token: Ints
    to_token: Ints

    @property
    def left(self) -> NDArray[np.float64]:
        """Where each token begins, in columns: tokens that share a column divide it evenly. (n_tokens,) float64."""
        return self.first + self.first_part / self.first_parts

    @property
    def right(self) -> NDArray[np.float64]:
        """Where each token ends, in columns; the next one begins there, or further right. (n_tokens,) float64."""
        return self.last + (self.last_part + 1) / self.last_parts

    @property
    def covered(self) -> NDArray[np.bool_]:
        """Whether any token touches each column: white space may lie between tokens. (n_columns,) bool."""
        return self.to_token > self.from_token

    def tokens_at(self, column: int) -> range:
        """Give the indices of the tokens that touch a column, none where it lies between tokens."""
        return range(int(self.from_token[column]), int(self.to_token[column]))


def aligned_row(name: str, tokens: Sequence[Token] | TokenSpans, column_of_byte: Ints, n_columns: int) -> AlignedRow:
    """Find the columns of some tokens.

    Args:
        name: of their tokenizer, for the error.
        tokens: all those of a text, in order.
        column_of_byte: (n_bytes,) the column that each byte of the text is in.
        n_columns: how many there are.

    Returns:
        Where the tokens lie.

    Raises:
        ValueError: tokens that lie outside the text or are not in its order.
    """
    starts, stops = _offsets(tokens)
    n_bytes = len(column_of_byte)
    if len(tokens) and (
        starts[0] < 0 or stops.max() > n_bytes or (stops < starts).any() or (np.diff(starts) < 0).any()
        or (np.diff(stops) < 0).any()
    ):  # fmt: skip
        raise ValueError(
            f"tokens of {name!r} are not in order within the text's {n_bytes} bytes: give the tokens of this very text"
        )
    if not n_columns:
        starts = stops = starts[:0]
        first = last = starts
    else:
        first = column_of_byte[np.minimum(starts, n_bytes - 1)]
        last = np.maximum(first, column_of_byte[np.maximum(stops, 1) - 1])  # a token without bytes stays in its column
    from_token = np.concatenate(([0], np.bincount(last, minlength=n_columns).cumsum()[:-1]))[:n_columns]
    to_token = np.bincount(first, minlength=n_columns).cumsum()[:n_columns]
    shared, index = to_token - from_token, np.arange(len(first))
    return AlignedRow(
        first=first,
        last=last,
        first_part=index - from_token[first],
        first_parts=shared[first],
        last_part=index - from_token[last],
        last_parts=shared[last],
        from_token=from_token,
        to_token=to_token,
    )


def _offsets(tokens: Sequence[Token] | TokenSpans) -> tuple[Ints, Ints]:
    if isinstance(tokens, TokenSpans):
        return tokens.starts.numpy(), tokens.stops.numpy()
    starts, stops = map(attrgetter("start"), tokens), map(attrgetter("stop"), tokens)
    return np.fromiter(starts, np.int64, len(tokens)), np.fromiter(stops, np.int64, len(tokens))
