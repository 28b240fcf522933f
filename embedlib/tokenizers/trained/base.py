"""Tokenizers that cut a text into words and each word into pieces of a vocabulary."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embedlib.tokenizers.base import Token, checked_ids, utf8_bytes
from embedlib.tokenizers.pretokenize import Cuts
from embedlib.tokenizers.unicode import Codes, byte_offsets, code_points

Ints = NDArray[np.int64]


class PieceTokenizer(ABC):
    """What WordPiece and Unigram share: words, pieces inside them, and one id for what the vocabulary lacks.

    White space belongs to no token, but for the one character of it that Unigram's mark "▁" stands for. The bytes of a
    Token are the text's own; token_bytes gives what an id stands for wherever it is.

    Args:
        name: its key in TRAINED.
        pieces: the vocabulary's spelling of each id; the first is that of what is unknown.
        model: Hugging Face's model of these pieces, which cuts a word.
        asked: how many tokens were asked for.
        learned_from: how many characters the pieces were learned from.
    """

    unknown_id = 0

    def __init__(self, name: str, pieces: tuple[str, ...], model: Any, *, asked: int, learned_from: int) -> None:
        self.name = name
        self.pieces = pieces
        self.vocab_size = len(pieces)
        self.asked = asked
        self.learned_from = learned_from
        self._model = model

    @abstractmethod
    def _cuts(self, codes: Codes) -> Cuts:
        """Give starts and stops of the words, in characters."""

    @abstractmethod
    def _placed(self, token_ids: Ints, inside: tuple[Ints, Ints], at: tuple[Ints, Ints]) -> tuple[Ints, Ints, Ints]:
        """Place pieces in the text's bytes.

        Args:
            token_ids: (n_tokens,).
            inside: where each begins and ends in the bytes of its word as the model was given it.
            at: where each one's word begins in the text's bytes, and where the character before that does.

        Returns:
            Ids, starts and stops.
        """

    @abstractmethod
    def _given(self, word: str) -> str:
        """Write a word as the model knows it."""

    def span_arrays(self, text: str) -> tuple[Ints, Ints, Ints]:
        """Return ids, starts and stops of a text's tokens, (n_tokens,) int64 each; each distinct word is cut once.

        Raises:
            ValueError: text holds a lone surrogate.
        """
        utf8_bytes(text)
        codes = code_points(text)
        starts, stops = self._cuts(codes)
        numbers: dict[str, int] = {}  # word -> its number among the distinct ones
        which = np.fromiter(
            (
                numbers.setdefault(text[start:stop], len(numbers))
                for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)
            ),
            np.int64,
            len(starts),
        )
        cut = [self._model.tokenize(self._given(word)) for word in numbers]
        counts = np.fromiter(map(len, cut), np.int64, len(cut))
        found = np.array([(piece.id, *piece.offsets) for pieces in cut for piece in pieces], np.int64).reshape(
            -1, 3
        )  # (n_pieces of distinct words, 3)

        per_word = counts[which]
        firsts = (np.cumsum(counts) - counts)[which]  # where each word's pieces begin in found
        rank = np.arange(per_word.sum()) - np.repeat(np.cumsum(per_word) - per_word, per_word)
        token_ids, inner_starts, inner_stops = found[np.repeat(firsts, per_word) + rank].T
        offsets = byte_offsets(codes)
        at = np.repeat(offsets[starts], per_word), np.repeat(offsets[np.maximum(starts - 1, 0)], per_word)
        return self._placed(token_ids, (inner_starts, inner_stops), at)

    def encode(self, text: str) -> list[int]:
        """Return the id of each piece; what is not in the vocabulary has unknown_id.

        Raises:
            ValueError: text holds a lone surrogate.
        """
        token_ids: list[int] = self.span_arrays(text)[0].tolist()
        return token_ids

    def tokenize(self, text: str) -> list[Token]:
        """Return the pieces of a text, with the text's bytes that each covers.

        Raises:
            ValueError: text holds a lone surrogate.
        """
        data = utf8_bytes(text)
        spans = zip(*(array.tolist() for array in self.span_arrays(text)), strict=True)
        return [Token(token_id, data[start:stop], start, stop) for token_id, start, stop in spans]

    def piece(self, token_id: int) -> str:
        """Return the vocabulary's own spelling of an id.

        Raises:
            ValueError: the id is not in the vocabulary.
        """
        return self.pieces[checked_ids([token_id], self.vocab_size)[0]]

    @abstractmethod
    def token_bytes(self, token_id: int) -> bytes:
        """Return the bytes that an id stands for; the unknown's are its name.

        Raises:
            ValueError: the id is not in the vocabulary.
        """

    @abstractmethod
    def decode(self, token_ids: Iterable[int]) -> str:
        """Return the text that ids stand for, with one space between two words.

        Raises:
            ValueError: an id is not in the vocabulary.
        """
