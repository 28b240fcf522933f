"""Tokenizers of bytes, characters and words, whose whole vocabulary can be read."""

from collections.abc import Callable, Iterable

import numpy as np

from embedlib.tokenizers.base import ArrayTokenizer, SpanArrays, checked_ids, decode_utf8, utf8_bytes
from embedlib.tokenizers.pretokenize import Spans
from embedlib.tokenizers.unicode import byte_offsets


class ByteTokenizer(ArrayTokenizer):
    """One token per UTF-8 byte; the id is the byte. It needs no vocabulary and encodes every text."""

    name = "bytes"
    vocab_size = 256

    def span_arrays(self, text: str) -> SpanArrays:
        """Return each byte as its id, with its start and stop."""
        token_ids = np.frombuffer(utf8_bytes(text), np.uint8).astype(np.int64)
        starts = np.arange(len(token_ids), dtype=np.int64)
        return token_ids, starts, starts + 1

    def decode(self, token_ids: Iterable[int]) -> str:
        """Return the text of these bytes."""
        return decode_utf8(bytes(checked_ids(token_ids, self.vocab_size)))

    def token_bytes(self, token_id: int) -> bytes:
        """Return the one byte of an id."""
        return bytes(checked_ids([token_id], self.vocab_size))


class ListTokenizer(ArrayTokenizer):
    """Looks up each piece of a text in a list made from another text; white space that is no piece has no token.

    `split` gives starts and stops of the pieces, in characters. The vocabulary has the distinct pieces of `text`,
    sorted as in a dictionary (by casefold).
    """

    def __init__(self, name: str, split: Callable[[str], Spans], *, between: str, text: str) -> None:
        self._split = split
        pieces = set(self._pieces(text)[0])
        if not pieces:
            raise ValueError(f"text={text[:40]!r} holds no {name} to make a vocabulary from: give at least one")
        self.name = name
        self.vocabulary = tuple(sorted(pieces, key=lambda piece: (piece.casefold(), piece)))
        self.vocab_size = len(self.vocabulary)
        self._between = between
        self._ids = {piece: token_id for token_id, piece in enumerate(self.vocabulary)}

    def _pieces(self, text: str) -> tuple[list[str], Spans]:
        utf8_bytes(text)
        starts, stops = self._split(text)
        return [text[start:stop] for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)], (starts, stops)

    def span_arrays(self, text: str) -> SpanArrays:
        """Return id, start and stop of each piece."""
        pieces, (starts, stops) = self._pieces(text)
        token_ids = np.fromiter((self._ids.get(piece, -1) for piece in pieces), np.int64, len(pieces))
        if (token_ids < 0).any():
            first = int(np.argmax(token_ids < 0))
            raise ValueError(
                f"text holds {pieces[first]!r} at character {starts[first]}, which is not among the {self.vocab_size} "
                f"{self.name} of this vocabulary: make the tokenizer from a text that holds it"
            )
        offsets = byte_offsets(text)
        return token_ids, offsets[starts], offsets[stops]

    def decode(self, token_ids: Iterable[int]) -> str:
        """Return the pieces joined: characters as they were, words with one space between."""
        return self._between.join(self.vocabulary[token_id] for token_id in checked_ids(token_ids, self.vocab_size))

    def token_bytes(self, token_id: int) -> bytes:
        """Return the UTF-8 bytes of a piece."""
        return self.vocabulary[checked_ids([token_id], self.vocab_size)[0]].encode()
