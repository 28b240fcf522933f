"""Word vectors in half a second: co-occurrence counts, PPMI weights and a truncated SVD."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

# Contexts count by this power of their frequency, which keeps rare ones from looking too telling (§3.2 of the source).
_SMOOTHING = 0.75


@dataclass(frozen=True, eq=False, slots=True)
class CountedTable:
    """A table with one row per word.

    Attributes:
        vectors: (vocab_size, d_model) float32.
        words: of the rows, the most frequent first, equally frequent ones in order.
        counts: frequency of each.
    """

    vectors: Tensor
    words: list[str]
    counts: list[int]


def cooccurrence_table(words: Sequence[str], *, d_model: int = 64, window: int = 5, min_count: int = 5) -> CountedTable:
    """Compute a row for each word from the words beside it, by counting alone.

    Every pair of words within the window is counted; a pair's weight is the logarithm of its frequency over that of
    independent words, zero where it is negative (positive pointwise mutual information); the weights are compressed to
    d_model columns by the singular value decomposition, each column scaled by the root of its value. Nothing is random:
    the same words give the same rows, up to the rounding of another machine.

    `d_model` is less than the number of words kept. Words rarer than `min_count` are left out; they still stand between
    their neighbours.

    Source: Levy, Goldberg and Dagan 2015, Improving Distributional Similarity with Lessons Learned from Word
    Embeddings, §2 and §3, https://aclanthology.org/Q15-1016
    """
    for name, value in (("d_model", d_model), ("window", window), ("min_count", min_count)):
        if value < 1:
            raise ValueError(f"{name}={value} must be at least 1")
    counts = Counter(words)
    kept = sorted((word for word, n in counts.items() if n >= min_count), key=lambda word: (-counts[word], word))
    if len(kept) <= d_model:
        raise ValueError(
            f"d_model={d_model} must be less than the {len(kept)} words that were met min_count={min_count} times or "
            "more: give a longer text, or lower one of the two"
        )
    number = {word: index for index, word in enumerate(kept)}
    ids = np.array([number.get(word, -1) for word in words])  # (n_words,)
    weights = _mutual_information(_neighbour_counts(ids, len(kept), window))  # (vocab_size, vocab_size)
    vectors = _compress(weights, d_model)  # (vocab_size, d_model)
    return CountedTable(torch.from_numpy(vectors), kept, [counts[word] for word in kept])


def _neighbour_counts(ids: NDArray[np.int64], vocab_size: int, window: int) -> "csr_matrix[Any]":
    """Count pairs within the window, both ways, (vocab_size, vocab_size)."""
    from scipy.sparse import coo_matrix

    firsts, seconds = [], []
    for distance in range(1, window + 1):
        first, second = ids[:-distance], ids[distance:]
        known = (first >= 0) & (second >= 0)
        firsts.append(first[known])
        seconds.append(second[known])
    row, column = np.concatenate(firsts), np.concatenate(seconds)
    pair_counts = coo_matrix((np.ones(len(row)), (row, column)), shape=(vocab_size, vocab_size)).tocsr()
    return pair_counts + pair_counts.T


def _mutual_information(pair_counts: "csr_matrix[Any]") -> "csr_matrix[Any]":
    """Return log of P(word, context) over P(word) P(context) where it is positive; zeros elsewhere."""
    from scipy.sparse import csr_matrix

    pairs = pair_counts.tocoo()
    of_word = np.asarray(pair_counts.sum(axis=1)).ravel()  # (vocab_size,)
    context = of_word**_SMOOTHING
    context /= max(context.sum(), 1e-300)  # no pair at all: nothing is divided by it
    weight = np.log(pairs.data / of_word[pairs.row] / context[pairs.col])
    positive = weight > 0
    return csr_matrix((weight[positive], (pairs.row[positive], pairs.col[positive])), shape=pair_counts.shape)


def _compress(weights: "csr_matrix[Any]", d_model: int) -> NDArray[np.float32]:
    """Return U √S of the greatest singular values, (vocab_size, d_model), each column's largest entry positive."""
    from scipy.sparse.linalg import svds

    start = np.full(weights.shape[0], weights.shape[0] ** -0.5)  # ARPACK's own start would be random
    left, values, _ = svds(weights, k=d_model, v0=start)
    falling = np.argsort(-values)
    left, values = left[:, falling], values[falling]
    signs = np.sign(left[np.abs(left).argmax(axis=0), np.arange(d_model)])
    return np.ascontiguousarray(left * (signs * np.sqrt(values)), dtype=np.float32)
