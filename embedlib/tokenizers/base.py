"""Interface of all tokenizers."""

import builtins
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from operator import index
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
SpanArrays = tuple[Ints, Ints, Ints]  # ids, and starts and stops in the text's UTF-8 bytes, (n_tokens,) each


@dataclass(frozen=True, slots=True)
class Token:
    """One token of a text.

    Attributes:
        id: its row in the embedding matrix, 0 … vocab_size - 1.
        bytes: its bytes, not always whole characters.
        start: first byte in the text's UTF-8 bytes.
        stop: one past its last byte; ``text.encode()[start:stop] == bytes``.

    >>> from embedlib import get_tokenizer
    >>> get_tokenizer("gpt2").tokenize("the cat")[1]
    Token(id=3797, bytes=b' cat', start=3, stop=7)
    """

    id: int
    bytes: builtins.bytes
    start: int
    stop: int


class Tokenizer(Protocol):
    """Converts text to ids, and ids to text."""

    @property
    def name(self) -> str:
        """Its key in TOKENIZERS."""

    @property
    def vocab_size(self) -> int:
        """One more than the largest id: the number of rows that the embedding matrix needs."""

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text, in order."""

    def decode(self, token_ids: Iterable[int]) -> str:
        """Return the text of some ids."""

    def token_bytes(self, token_id: int) -> bytes:
        """Return the bytes of an id."""

    def tokenize(self, text: str) -> list[Token]:
        """Return the tokens of a text, with their bytes and where they lie."""


class ArrayTokenizer(ABC):
    """A tokenizer that finds all tokens of a text at once, as arrays."""

    @abstractmethod
    def span_arrays(self, text: str) -> SpanArrays:
        """Return ids, starts and stops of a text's tokens; errors as in Tokenizer.encode."""

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text, in order."""
        token_ids: list[int] = self.span_arrays(text)[0].tolist()
        return token_ids

    def tokenize(self, text: str) -> list[Token]:
        """Return the tokens of a text, with their bytes and where they lie."""
        data = utf8_bytes(text)
        spans = zip(*(array.tolist() for array in self.span_arrays(text)), strict=True)
        return [Token(token_id, data[start:stop], start, stop) for token_id, start, stop in spans]


def utf8_bytes(text: str) -> bytes:
    """Encode a text; a ValueError names a lone surrogate and its place."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(
            f"text holds a lone surrogate, U+{ord(text[error.start]):04X}, at character {error.start}: it is half of a "
            "character and has no UTF-8; delete it, or type the whole character"
        ) from None


def decode_utf8(token_bytes: bytes) -> str:
    """Decode the bytes of some tokens; a ValueError says where a character's first or last token is missing."""
    try:
        return token_bytes.decode("utf-8")
    except UnicodeDecodeError as error:
        broken = token_bytes[error.start : error.end].hex(" ").upper()
        raise ValueError(
            f"token_ids give bytes that are no character ({broken} at byte {error.start}): give all the tokens "
            "of the character, or use token_bytes"
        ) from None


def checked_ids(token_ids: Iterable[int], vocab_size: int) -> list[int]:
    """Return ids, of a list or a tensor, as plain integers; a ValueError names one outside 0 … vocab_size - 1."""
    ids = [index(token_id) for token_id in token_ids]
    for token_id in ids:
        if not 0 <= token_id < vocab_size:
            raise ValueError(f"token_id={token_id} is not in this vocabulary: ids are 0 … {vocab_size - 1}")
    return ids
