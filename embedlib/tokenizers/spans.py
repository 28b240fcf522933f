"""Where all tokens of a long text lie, as arrays instead of one object per token."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from embedlib.tokenizers.base import Token, Tokenizer, utf8_bytes
from embedlib.tokenizers.bpe import BytePairTokenizer
from embedlib.tokenizers.labels import token_label
from embedlib.tokenizers.pretokenize import character_cuts, word_cuts
from embedlib.tokenizers.simple import ByteTokenizer, ListTokenizer
from embedlib.tokenizers.unicode import byte_offsets, code_points

Ints = NDArray[np.int64]
CUTS = {"characters": character_cuts, "words": word_cuts}  # name of a ListTokenizer -> all its cuts at once


@dataclass(frozen=True, slots=True, eq=False)
class TokenSpans:
    """The tokens of a text, in order.

    Attributes:
        ids: (n_tokens,) int64, the row of each in the embedding matrix.
        starts: (n_tokens,) int64, where each begins in the text's UTF-8 bytes.
        stops: (n_tokens,) int64, where each ends there.
    """

    ids: Tensor
    starts: Tensor
    stops: Tensor

    def __len__(self) -> int:
        return len(self.ids)


@runtime_checkable
class GivesSpans(Protocol):
    """A tokenizer that finds all its spans at once."""

    def span_arrays(self, text: str) -> tuple[Ints, Ints, Ints]:
        """Return ids, starts and stops of a text's tokens, (n_tokens,) int64 each."""


def token_spans(tokenizer: Tokenizer, text: str) -> TokenSpans:
    """Cut a text into tokens: the ids and places of ``tokenizer.tokenize(text)``, for long texts.

    Args:
        tokenizer: any; one that is not of this package is asked for its tokens one by one.
        text: any text that it knows.

    Returns:
        Ids and places of all tokens, on the CPU.

    Raises:
        ValueError: as ``tokenizer.encode``.
    """
    return TokenSpans(*(torch.from_numpy(array) for array in _span_arrays(tokenizer, text)))


def span_tokens(text: str, spans: TokenSpans, first: int, last: int) -> list[Token]:
    """Return a stretch of a text's tokens, as ``tokenizer.tokenize(text)[first:last]`` would.

    Args:
        text: the text that the spans are of.
        spans: of all its tokens.
        first: index of the first token wanted.
        last: one more than the index of the last, cut off at the end of the text.

    Returns:
        The tokens.

    Raises:
        ValueError: not 0 <= first <= last.
    """
    if not 0 <= first <= last:
        raise ValueError(f"first={first}, last={last} must be a stretch of tokens: 0 <= first <= last")
    data = utf8_bytes(text)
    stretch = zip(*(array[first:last].tolist() for array in (spans.ids, spans.starts, spans.stops)), strict=True)
    return [Token(token_id, data[start:stop], start, stop) for token_id, start, stop in stretch]


def span_texts(text: str, spans: TokenSpans, first: int, last: int) -> list[str]:
    """Show a stretch of a text's tokens, each as a short text.

    Args:
        text: the text that the spans are of.
        spans: of all its tokens.
        first: index of the first token wanted.
        last: one more than the index of the last, cut off at the end of the text.

    Returns:
        One labels.token_label per token.

    Raises:
        ValueError: not 0 <= first <= last.
    """
    return [token_label(token.bytes) for token in span_tokens(text, spans, first, last)]


def _span_arrays(tokenizer: Tokenizer, text: str) -> tuple[Ints, Ints, Ints]:
    if isinstance(tokenizer, GivesSpans):
        return tokenizer.span_arrays(text)
    if isinstance(tokenizer, BytePairTokenizer):
        return _tiled(tokenizer, tokenizer.encode_to_numpy(text))
    if isinstance(tokenizer, ByteTokenizer):
        ids = np.frombuffer(utf8_bytes(text), np.uint8).astype(np.int64)
        starts = np.arange(len(ids), dtype=np.int64)
        return ids, starts, starts + 1
    if isinstance(tokenizer, ListTokenizer) and tokenizer.name in CUTS:
        return _listed(tokenizer, text)
    tokens = tokenizer.tokenize(text)
    found = np.array([(token.id, token.start, token.stop) for token in tokens], np.int64).reshape(-1, 3)
    ids, starts, stops = np.ascontiguousarray(found.T)
    return ids, starts, stops


def _tiled(tokenizer: BytePairTokenizer, ids: Ints) -> tuple[Ints, Ints, Ints]:
    """Lay tokens end to end; only those that occur are asked for their length."""
    lengths = np.zeros(tokenizer.vocab_size, np.int64)
    occurring = np.flatnonzero(np.bincount(ids, minlength=1))
    lengths[occurring] = [len(tokenizer.token_bytes(token_id)) for token_id in occurring.tolist()]
    stops = np.cumsum(lengths[ids])
    return ids, stops - lengths[ids], stops


def _listed(tokenizer: ListTokenizer, text: str) -> tuple[Ints, Ints, Ints]:
    utf8_bytes(text)
    codes = code_points(text)
    starts, stops = CUTS[tokenizer.name](codes)
    known = {piece: token_id for token_id, piece in enumerate(tokenizer.vocabulary)}
    try:
        pieces = (known[text[start:stop]] for start, stop in zip(starts.tolist(), stops.tolist(), strict=True))
        ids = np.fromiter(pieces, np.int64, len(starts))
    except KeyError:
        tokenizer.tokenize(text)  # says which piece is unknown, and where
        raise
    offsets = byte_offsets(codes)
    return ids, offsets[starts], offsets[stops]
