"""Rows from counts: every number against plain loops, and neighbours that a reader of the manual expects."""

import math

import numpy as np

from embedlib.texts import words
from embedlib.word2vec.ppmi import cooccurrence_table

TEXT = (
    "the old king rules the land and the old queen rules the land while the young prince and the young princess play "
    "in the garden of the old king and the old queen until the young prince rules the land"
).split()


def looped_weights(text: list[str], kept: list[str], window: int) -> np.ndarray:
    """Count and weigh pair by pair."""
    met = {(a, b): 0 for a in kept for b in kept}
    for i, a in enumerate(text):
        for j, b in enumerate(text):
            if i != j and abs(i - j) <= window and a in kept and b in kept:
                met[a, b] += 1
    of_word = {a: sum(met[a, b] for b in kept) for a in kept}
    smoothed = sum(n**0.75 for n in of_word.values())
    total = sum(of_word.values())
    actual = np.zeros((len(kept), len(kept)))
    for i, a in enumerate(kept):
        for j, b in enumerate(kept):
            if met[a, b]:
                both = met[a, b] / total
                actual[i, j] = max(0.0, math.log(both / (of_word[a] / total) / (of_word[b] ** 0.75 / smoothed)))
    return actual


def test_rows_are_the_compressed_weights_of_plain_loops() -> None:
    actual = cooccurrence_table(TEXT, d_model=4, window=2, min_count=2)
    weights = looped_weights(TEXT, actual.words, 2)
    left, values, _ = np.linalg.svd(weights)
    expected = left[:, :4] * np.sqrt(values[:4])
    expected *= np.sign(expected[np.abs(expected).argmax(axis=0), range(4)])
    np.testing.assert_allclose(actual.vectors.numpy(), expected, atol=1e-5)


def test_words_stand_by_frequency_and_then_in_order() -> None:
    actual = cooccurrence_table(["b", "a", "c", "b", "a", "c", "c", "d"], d_model=2, window=1, min_count=2)
    assert actual.words == ["c", "a", "b"]
    assert actual.counts == [3, 2, 2]


def test_words_keep_inner_apostrophes_and_leave_digits_and_signs() -> None:
    assert words("It’s Don't x_1 2.5 naïve -- ÉTÉ") == ["it’s", "don't", "x", "naïve", "été"]
