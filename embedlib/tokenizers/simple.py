"""Bytes, characters, words: tokenizers whose whole vocabulary can be read."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator

from embedlib.tokenizers.base import Token, checked_ids, utf8_bytes, whole_text

# Between two letters these hold a word together: apostrophes (don't), and the joiners of Persian and Indic scripts.
INNER = frozenset("'’\u200c\u200d")


class ByteTokenizer:
    """One token per UTF-8 byte; the id is the byte. Needs no vocabulary and knows every text."""

    name = "bytes"
    vocab_size = 256

    def encode(self, text: str) -> list[int]:
        """Return the text's UTF-8 bytes as ids."""
        return list(utf8_bytes(text))

    def decode(self, token_ids: Iterable[int]) -> str:
        """Return the text of these bytes."""
        return whole_text(bytes(checked_ids(token_ids, self.vocab_size)))

    def token_bytes(self, token_id: int) -> bytes:
        """Return the one byte of an id."""
        return bytes(checked_ids([token_id], self.vocab_size))

    def tokenize(self, text: str) -> list[Token]:
        """Return one token per byte."""
        data = utf8_bytes(text)
        return [Token(byte, data[start : start + 1], start, start + 1) for start, byte in enumerate(data)]


class ListTokenizer:
    """Looks each piece of a text up in a list made from a text of one's own.

    Args:
        name: "characters" or "words".
        cut: gives the (start, stop) of each piece of a text, in characters.
        between: what decode puts between two pieces.
        text: where the vocabulary comes from: its distinct pieces, sorted as in a dictionary (by casefold).

    Raises:
        ValueError: text holds a lone surrogate, or no piece at all.
    """

    def __init__(self, name: str, cut: Callable[[str], Iterator[tuple[int, int]]], *, between: str, text: str) -> None:
        utf8_bytes(text)
        pieces = {text[start:stop] for start, stop in cut(text)}
        if not pieces:
            raise ValueError(f"text={text[:40]!r} holds no {name} to make a vocabulary from: give at least one")
        self.name = name
        self.vocabulary = tuple(sorted(pieces, key=lambda piece: (piece.casefold(), piece)))
        self.vocab_size = len(self.vocabulary)
        self._cut = cut
        self._between = between
        self._ids = {piece: token_id for token_id, piece in enumerate(self.vocabulary)}

    def encode(self, text: str) -> list[int]:
        """Return the id of each piece."""
        return [token.id for token in self.tokenize(text)]

    def decode(self, token_ids: Iterable[int]) -> str:
        """Return the pieces joined: characters as they were, words with one space between."""
        return self._between.join(self.vocabulary[token_id] for token_id in checked_ids(token_ids, self.vocab_size))

    def token_bytes(self, token_id: int) -> bytes:
        """Return the UTF-8 bytes of a piece."""
        return self.vocabulary[checked_ids([token_id], self.vocab_size)[0]].encode()

    def tokenize(self, text: str) -> list[Token]:
        """Return one token per piece; white space that is no piece lies between tokens."""
        utf8_bytes(text)
        tokens = []
        seen, offset = 0, 0  # characters and bytes up to here
        for start, stop in self._cut(text):
            piece = text[start:stop]
            if piece not in self._ids:
                raise ValueError(
                    f"text holds {piece!r} at character {start}, which is not among the {self.vocab_size} {self.name} "
                    "of this vocabulary: make the tokenizer from a text that holds it"
                )
            offset += len(text[seen:start].encode())
            data = piece.encode()
            tokens.append(Token(self._ids[piece], data, offset, offset + len(data)))
            seen, offset = stop, offset + len(data)
        return tokens


def cut_characters(text: str) -> Iterator[tuple[int, int]]:
    """Give the (start, stop) of each code point."""
    return ((start, start + 1) for start in range(len(text)))


def cut_words(text: str) -> Iterator[tuple[int, int]]:
    """Give the (start, stop) of each word: letters, digits and marks in a row, or one other sign; white space is none.

    An apostrophe inside a word belongs to it: "don't" is one word, "'tis" a sign and a word.
    """
    start = 0
    while start < len(text):
        stop = start + 1
        if _in_word(text[start]):
            while stop < len(text) and (
                _in_word(text[stop]) or (text[stop] in INNER and stop + 1 < len(text) and _in_word(text[stop + 1]))
            ):
                stop += 1
        if not text[start].isspace():
            yield start, stop
        start = stop


def _in_word(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNM"
