"""What every tokenizer gives and promises."""

import builtins
from collections.abc import Iterable
from dataclasses import dataclass
from operator import index
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Token:
    """One token of a text.

    Attributes:
        id: its row in the embedding matrix, 0 … vocab_size - 1.
        bytes: the bytes it stands for, not always whole characters.
        start: where it begins in the text's UTF-8 bytes.
        stop: where it ends there; ``text.encode()[start:stop] == bytes``.
    """

    id: int
    bytes: builtins.bytes
    start: int
    stop: int


class Tokenizer(Protocol):
    """Turns text into ids, and ids into text."""

    @property
    def name(self) -> str:
        """Its key in TOKENIZERS."""

    @property
    def vocab_size(self) -> int:
        """One more than the largest id: the number of rows that the embedding matrix needs."""

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text, in order.

        Raises:
            ValueError: text holds a lone surrogate, or something that is not in the vocabulary.
        """

    def decode(self, token_ids: Iterable[int]) -> str:
        """Return the text that ids stand for.

        Raises:
            ValueError: an id is not in the vocabulary, or the ids end or begin inside a character.
        """

    def token_bytes(self, token_id: int) -> bytes:
        """Return the bytes that an id stands for.

        Raises:
            ValueError: the id is not in the vocabulary.
        """

    def tokenize(self, text: str) -> list[Token]:
        """Return the tokens of a text, with their bytes and where they lie.

        Raises:
            ValueError: as encode.
        """


def utf8_bytes(text: str) -> bytes:
    """Encode a text, and say plainly what cannot be encoded.

    Args:
        text: any string.

    Returns:
        Its UTF-8 bytes.

    Raises:
        ValueError: text holds half of a surrogate pair, which is no character; it names which and where.
    """
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(
            f"text holds a lone surrogate, U+{ord(text[error.start]):04X}, at character {error.start}: it is half of a "
            "character and has no UTF-8; delete it, or type the whole character"
        ) from None


def whole_text(token_bytes: bytes) -> str:
    """Decode the bytes of some tokens, and say plainly when they are not whole characters.

    Args:
        token_bytes: the tokens' bytes, joined.

    Returns:
        The text.

    Raises:
        ValueError: the bytes are not UTF-8, as when a character's first or last token is missing.
    """
    try:
        return token_bytes.decode("utf-8")
    except UnicodeDecodeError as error:
        broken = token_bytes[error.start : error.end].hex(" ").upper()
        raise ValueError(
            f"token_ids give bytes that are no character ({broken} at byte {error.start}): give all the tokens "
            "of the character, or use token_bytes"
        ) from None


def checked_ids(token_ids: Iterable[int], vocab_size: int) -> list[int]:
    """Give ids as plain integers that are rows of the embedding matrix.

    Args:
        token_ids: integers, or a one-dimensional integer tensor.
        vocab_size: one more than the largest allowed.

    Returns:
        The same ids.

    Raises:
        ValueError: an id is not in 0 … vocab_size - 1.
    """
    ids = [index(token_id) for token_id in token_ids]
    for token_id in ids:
        if not 0 <= token_id < vocab_size:
            raise ValueError(f"token_id={token_id} is not in this vocabulary: ids are 0 … {vocab_size - 1}")
    return ids
