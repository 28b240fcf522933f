"""Base class of tokenizers with pieces inside words, and checks of their training text."""

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any

import numpy as np

from embedlib.errors import CodedError
from embedlib.tokenizers.base import ArrayTokenizer, Ints, SpanArrays, checked_ids, utf8_bytes
from embedlib.tokenizers.pretokenize import Spans
from embedlib.tokenizers.unicode import byte_offsets


def check_vocab_size(vocab_size: int, least: int, alphabet: str) -> None:
    """Refuse a vocabulary smaller than its alphabet, which is named in the message."""
    if vocab_size < least:
        sentence = f"vocab_size={vocab_size} is smaller than {alphabet}: choose at least {least}"
        raise CodedError("vocabulary_too_small", sentence, least=least)


def check_words(n_words: int, words: str) -> None:
    """Refuse a text without a word to learn from; `words` says in the message what counts as one."""
    if not n_words:
        raise CodedError("text_too_short", f"text holds no {words} to learn from: give at least one", least=1)


class PieceTokenizer(ArrayTokenizer):
    """Base of WordPiece and Unigram: words, pieces inside them, and one id for unknown text.

    White space belongs to no token, but for the one character of it that Unigram's mark "▁" stands for. The bytes of a
    Token are the text's own; token_bytes gives those of an id anywhere.

    Args:
        pieces: the vocabulary's spelling of each id, the unknown token first.
        model: Hugging Face's model of these pieces, which splits a word.
    """

    unknown_id = 0
    is_spelled_by_bytes = False

    def __init__(
        self, name: str, pieces: tuple[str, ...], model: Any, *, requested_size: int, learned_from: int
    ) -> None:
        self.name = name
        self.pieces = pieces
        self.vocab_size = len(pieces)
        self.requested_size = requested_size
        self.learned_from = learned_from
        self._model = model

    @abstractmethod
    def _words(self, text: str) -> Spans:
        """Return starts and stops of the words, in characters."""

    @abstractmethod
    def _byte_spans(self, token_ids: Ints, inside: tuple[Ints, Ints], at: tuple[Ints, Ints]) -> SpanArrays:
        """Place pieces in the text's bytes.

        `inside` has the starts and stops in the bytes of the word as the model reads it, `at` the starts in the text's
        bytes of the word and of the character before it; (n_tokens,) each.
        """

    @abstractmethod
    def _spelling(self, word: str) -> str:
        """Return a word in the model's spelling."""

    def span_arrays(self, text: str) -> SpanArrays:
        """Return ids, starts and stops of a text's tokens; each distinct word is split once."""
        utf8_bytes(text)
        starts, stops = self._words(text)
        numbers: dict[str, int] = {}  # word -> its number among the distinct ones
        words = (text[start:stop] for start, stop in zip(starts.tolist(), stops.tolist(), strict=True))
        which = np.fromiter((numbers.setdefault(word, len(numbers)) for word in words), np.int64, len(starts))
        split = [self._model.tokenize(self._spelling(word)) for word in numbers]
        counts = np.fromiter(map(len, split), np.int64, len(split))
        pieces = [(piece.id, *piece.offsets) for word in split for piece in word]
        table = np.array(pieces, np.int64).reshape(-1, 3)  # (n_pieces of distinct words, 3)

        per_word = counts[which]
        firsts = (np.cumsum(counts) - counts)[which]  # where each word's pieces begin in the table
        rank = np.arange(per_word.sum()) - np.repeat(np.cumsum(per_word) - per_word, per_word)
        token_ids, inner_starts, inner_stops = table[np.repeat(firsts, per_word) + rank].T
        offsets = byte_offsets(text)
        at = np.repeat(offsets[starts], per_word), np.repeat(offsets[np.maximum(starts - 1, 0)], per_word)
        return self._byte_spans(token_ids, (inner_starts, inner_stops), at)

    def piece(self, token_id: int) -> str:
        """Return the vocabulary's own spelling of an id."""
        return self.pieces[checked_ids([token_id], self.vocab_size)[0]]

    @abstractmethod
    def token_bytes(self, token_id: int) -> bytes:
        """Return the bytes of an id; the unknown token's are its name."""

    @abstractmethod
    def decode(self, token_ids: Iterable[int]) -> str:
        """Return the text of some ids, with one space between two words."""
