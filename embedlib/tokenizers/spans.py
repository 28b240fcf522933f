"""Tokens of a long text as arrays instead of one object per token."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from embedlib.tokenizers.base import ArrayTokenizer, Tokenizer


@dataclass(frozen=True, slots=True, eq=False)
class TokenSpans:
    """The tokens of a text, in order.

    Attributes:
        ids: (n_tokens,) int64, the row of each in the embedding matrix.
        starts: (n_tokens,) int64, first byte of each in the text's UTF-8 bytes.
        stops: (n_tokens,) int64, one past the last byte of each.

    >>> from embedlib import get_tokenizer, token_spans
    >>> len(token_spans(get_tokenizer("bytes"), "the cat"))
    7
    """

    ids: Tensor
    starts: Tensor
    stops: Tensor

    def __len__(self) -> int:
        return len(self.ids)


def token_spans(tokenizer: Tokenizer, text: str) -> TokenSpans:
    """Return ids, starts and stops of ``tokenizer.tokenize(text)`` as arrays, for long texts.

    Args:
        tokenizer: any; one without arrays of its own makes its tokens one by one.
        text: any text that it knows.

    Returns:
        Ids, starts and stops of all tokens, on the CPU.

    Raises:
        ValueError: as ``tokenizer.encode``.

    >>> from embedlib import get_tokenizer, token_spans
    >>> spans = token_spans(get_tokenizer("gpt2"), "the cat")
    >>> spans.starts.tolist(), spans.stops.tolist()
    ([0, 3], [3, 7])
    """
    if isinstance(tokenizer, ArrayTokenizer):
        return TokenSpans(*map(torch.from_numpy, tokenizer.span_arrays(text)))
    spans = [(token.id, token.start, token.stop) for token in tokenizer.tokenize(text)]
    return TokenSpans(*torch.from_numpy(np.array(spans, np.int64).reshape(-1, 3)).T.contiguous())
