"""The opened model of the context page, and its cached outputs."""

from collections.abc import Sequence

import torch
from torch import Tensor

from embedlib.contextual import Layers, Positions, TextTokens, sentence_vectors
from ui.cache.bounded import memo
from ui.settings import state
from ui.shared.model_choice import model_in_view
from ui.shared.opened_model import OpenedModel, is_opening, opened_model, running

MAX_TOKENS = 64  # of one text, special ones included
SHUFFLE_SEED = 0


def open_model() -> tuple[OpenedModel | None, bool]:
    """Return the model in view and whether it is still being opened; show progress, or why it cannot be opened."""
    chosen = model_in_view()
    if chosen is None:
        return None, False
    return opened_model(chosen, key="context-opening"), is_opening(chosen)


@memo(key=lambda opened, text: (opened.key, text))
def tokenize(opened: OpenedModel, text: str) -> TextTokens:
    """Cut a text into at most MAX_TOKENS tokens of the model."""
    return opened.model.tokens(text, limit=MAX_TOKENS)


def longest_shift(opened: OpenedModel, n_tokens: int) -> int:
    """Return by how many positions a text of so many tokens can be shifted."""
    return min(opened.model.max_seq_len - n_tokens, state.maximum("context_shift"))


@memo(64_000_000, key=lambda opened, text, positions=None: (opened.key, text, positions))
def run_layers(opened: OpenedModel, text: str, positions: Positions | None = None) -> Layers:
    """Run a text through the model, with its own positions or others."""
    with running:
        return opened.model.run(tokenize(opened, text).token_ids, positions or Positions())


@memo(key=lambda opened, word, sentence: (opened.key, word, sentence))
def word_vectors(opened: OpenedModel, word: str, sentence: str) -> tuple[tuple[int, ...], Tensor] | None:
    """Return the ids of a word's tokens and its vectors, the mean over its tokens: (1 + n_layers + 1, d_model).

    The first is its row of E, the second the input of the first layer. None where the sentence, as far as it is read,
    has no such word.
    """
    tokens = tokenize(opened, sentence)
    found = tokens.find(word)
    if not found:
        return None
    place = slice(found[0].first, found[0].stop)
    ids = tokens.token_ids[place]
    hidden = run_layers(opened, sentence).hidden[:, place]  # (n_layers + 1, n_tokens, d_model)
    rows = opened.model.token_rows(ids)  # (n_tokens, d_model)
    return tuple(ids), torch.cat([rows[None], hidden]).mean(dim=1)


@memo(key=lambda opened, sentences: (opened.key, tuple(sentences)))
def sentence_rows(opened: OpenedModel, sentences: Sequence[str]) -> Tensor:
    """Return each sentence's vector, of length 1."""
    with running:
        return sentence_vectors(opened.model, sentences)
