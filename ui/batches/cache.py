"""Cached computations of the batches page: a text's ids, the plan of its windows, the two tables."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import NamedTuple

import torch
from torch import Tensor

from embedlib.embedding import embedding_table
from embedlib.texts import WindowPlan, WindowUse, window_use
from embedlib.tokenizers import TokenSpans, token_label, token_spans, vocabulary_spellings
from ui import cache
from ui.cache.bounded import memo
from ui.shared.text.source import Source


@dataclass(frozen=True)
class TokenizedText:
    """A text cut into tokens."""

    data: bytes = field(repr=False)  # UTF-8
    spans: TokenSpans = field(repr=False)  # ids and places of all tokens
    vocab_size: int
    names: Mapping[int, str] = field(default_factory=dict, repr=False)  # as the vocabulary spells its tokens, by id

    @property
    def n_tokens(self) -> int:
        """Number of tokens."""
        return len(self.spans.ids)

    def label(self, place: int) -> str:
        """Show one token as a short text."""
        if self.names:
            return token_label(self.names[int(self.spans.ids[place])].encode())
        return token_label(self.data[int(self.spans.starts[place]) : int(self.spans.stops[place])])


_tokenizing = Lock()


@memo(
    400_000_000,
    size=lambda text: len(text.data) + 24 * text.n_tokens,
    key=lambda source, tokenizer: (source.key, tokenizer),
)
def tokenize_text(source: Source, tokenizer: str) -> TokenizedText:
    """Cut a text into tokens, one text at a time: 0.3 s for a million characters. ValueError where there are none."""
    with _tokenizing:
        encoder = cache.tokenizer_for(tokenizer, source.text)
        spans = token_spans(encoder, source.text)
        names = vocabulary_spellings(encoder, spans.ids.unique().tolist())  # type: ignore[no-untyped-call]
        return TokenizedText(source.text.encode(), spans, encoder.vocab_size, names)


class WindowSettings(NamedTuple):
    """Arguments of WindowPlan, in its order."""

    n_ids: int
    max_length: int
    stride: int
    batch_size: int
    shuffle: bool
    seed: int
    drop_last: bool


# A shuffled plan holds the order of all its windows.
@memo(200_000_000, size=lambda plan: 1_000 + 8 * plan.n_windows * plan.shuffle)
def window_plan(cut: WindowSettings) -> WindowPlan:
    """Return the plan of a text's windows; CodedError where no window or no batch fits."""
    return WindowPlan(*cut)


@memo()
def epoch_use(cut: WindowSettings) -> WindowUse:
    """Count how often an epoch reads a text's tokens."""
    return window_use(window_plan(cut))


def fresh_tables(vocab_size: int, d_model: int, seed: int, context_length: int) -> tuple[Tensor, Tensor]:
    """Return a random token table, and the position table drawn right after it, as a program draws the two."""
    state = _random_state_after(vocab_size, d_model, seed)
    return cache.random_table(vocab_size, d_model, seed), _draw_position_table(state, context_length, d_model)


def table_with_trained(source: Source, tokenizer: str, seed: int) -> tuple[Tensor, Tensor]:
    """Return a token table with the rows of trained words, and which of its rows these are; a file may be long."""
    return cache.partly_trained_table(tokenizer, source.text, seed, text_key=source.key)


@memo(1_000_000)
def _random_state_after(vocab_size: int, d_model: int, seed: int) -> bytes:
    """Return the state of a seed's random generator after the token table has been drawn from it."""
    generator = torch.Generator().manual_seed(seed)
    table = embedding_table(vocab_size, d_model, seed=generator, device=cache.device().device)
    cache.random_table.keep(table, vocab_size, d_model, seed)
    return generator.get_state().numpy().tobytes()


@memo()
def _draw_position_table(state: bytes, context_length: int, d_model: int) -> Tensor:
    generator = torch.Generator()
    generator.set_state(torch.frombuffer(bytearray(state), dtype=torch.uint8))
    return embedding_table(context_length, d_model, seed=generator, device=cache.device().device)
