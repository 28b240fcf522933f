"""Attention by distance, changes of each layer under other positions, and vectors of words and sentences."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import cosine_similarity

from embedlib.contextual.model import ContextModel, Layers
from embedlib.contextual.positions import Positions
from embedlib.contextual.text import Word

AS_TRAINED = Positions()


def attention_by_distance(attention: Tensor) -> Tensor:
    """Return the mean weight of all pairs with |i - j| = delta: (…, seq_len, seq_len), row = query, to (…, seq_len).

    Of causal attention, whose weights of later keys are all 0, over the pairs with i - j = delta.
    """
    seq_len = attention.shape[-1]
    position = torch.arange(seq_len)
    causal = not bool(attention.triu(1).any())
    distance = position[:, None] - position  # (seq_len, seq_len)
    seen = distance >= 0 if causal else torch.ones_like(distance, dtype=torch.bool)
    index = distance.abs()[seen]  # (n_pairs,)
    sums = attention.new_zeros(*attention.shape[:-2], seq_len).index_add(-1, index, attention[..., seen])
    return sums / index.bincount(minlength=seq_len)


@dataclass(frozen=True, eq=False, slots=True)
class LayerChanges:
    """Differences between two runs over the same tokens.

    Attributes:
        cosine: (n_layers + 1, seq_len) of each token's two vectors.
        relative: (n_layers + 1, seq_len), the distance of the two over the length of the first.
        sentence_cosine: of the sentence's two vectors.
    """

    cosine: Tensor
    relative: Tensor
    sentence_cosine: float


def layer_changes(before: Layers, after: Layers) -> LayerChanges:
    """Compare two runs of one model over one text, layer by layer and token by token."""
    if before.token_ids != after.token_ids or before.hidden.shape != after.hidden.shape:
        raise ValueError("before and after must be runs of one model over the same tokens")
    first, second = before.hidden.double(), after.hidden.double()
    relative = torch.linalg.vector_norm(first - second, dim=-1) / torch.linalg.vector_norm(first, dim=-1)
    cosine = cosine_similarity(first, second, dim=-1)
    return LayerChanges(cosine.float(), relative.float(), _cosine(before.sentence, after.sentence))


@dataclass(frozen=True, eq=False, slots=True)
class WordUse:
    """One use of a word.

    Attributes:
        sentence: index of the sentence.
        word: in the sentence's tokens.
        vectors: (n_layers + 1, d_model), the mean over its tokens.
    """

    sentence: int
    word: Word
    vectors: Tensor


def find_uses(
    model: ContextModel, word: str, sentences: Sequence[str], positions: Positions = AS_TRAINED
) -> list[WordUse]:
    """Find a word in sentences, ignoring case, and return its vectors after each layer, use by use."""
    tokenized = [(index, model.tokens(sentence)) for index, sentence in enumerate(sentences)]
    matches = [(index, tokens, tokens.find(word)) for index, tokens in tokenized if tokens.find(word)]
    runs = model.run_many([tokens.token_ids for _index, tokens, _uses in matches], positions)
    return [
        WordUse(index, use, layers.hidden[:, use.first : use.stop].mean(1))
        for (index, _tokens, uses), layers in zip(matches, runs, strict=True)
        for use in uses
    ]


def sentence_vectors(model: ContextModel, sentences: Sequence[str], positions: Positions = AS_TRAINED) -> Tensor:
    """Return a vector of length 1 for each sentence, (n_sentences, d_model) float32; long sentences are cut."""
    return model.pooled_vectors([model.tokens(sentence).token_ids for sentence in sentences], positions)


def order_cosine(model: ContextModel, first: str, second: str, positions: Positions = AS_TRAINED) -> float:
    """Return the cosine of two sentences' vectors.

    Of two orders of the same tokens it is 1 without positions, up to rounding, unless the model is causal.
    """
    a, b = sentence_vectors(model, [first, second], positions)
    return _cosine(a, b)


def _cosine(a: Tensor, b: Tensor) -> float:
    return float(cosine_similarity(a.double(), b.double(), dim=0))
