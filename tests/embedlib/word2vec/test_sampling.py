"""Pairs and noise come as often as plain loops over the text say."""

import math

import pytest
import torch

from embedlib.word2vec.corpus import WordCorpus
from embedlib.word2vec.sampling import PairDrawer

N_DRAWN = 100_000


def corpus(sentences: list[list[int]], n_rows: int) -> WordCorpus:
    ids = torch.tensor([row for sentence in sentences for row in sentence])
    number = torch.tensor([place for place, sentence in enumerate(sentences) for _ in sentence])
    return WordCorpus(tuple(map(str, range(n_rows))), torch.bincount(ids, minlength=n_rows), ids, number)


SENTENCES = [[0, 1, 0, 2, 3, 0], [4], [3, 4], [0, 0, 1, 2, 4, 1, 0]]
TEXT = corpus(SENTENCES, 5)


def looped_shares(window: int, subsample: float) -> dict[tuple[int, int], float]:
    """How often each pair should come: all pairs of the text, each with its weight."""
    total = sum(map(len, SENTENCES))
    kept = [min(1.0, math.sqrt(subsample * total / count)) for count in TEXT.counts.tolist()]
    weights: dict[tuple[int, int], float] = {}
    for sentence in SENTENCES:
        for i, centre in enumerate(sentence):
            for j, other in enumerate(sentence):
                if i != j and abs(i - j) <= window:
                    weight = (window + 1 - abs(i - j)) * kept[centre] * kept[other]
                    weights[centre, other] = weights.get((centre, other), 0.0) + weight
    return {pair: weight / sum(weights.values()) for pair, weight in weights.items()}


@pytest.mark.parametrize(("window", "subsample"), [(1, 1.0), (3, 1.0), (3, 0.1)])
def test_pairs_come_as_often_as_their_weights_say(window: int, subsample: float) -> None:
    drawer = PairDrawer(TEXT, window=window, subsample=subsample)
    centres, neighbours = drawer.pairs(N_DRAWN, torch.Generator().manual_seed(1))
    assert centres.shape == neighbours.shape == (N_DRAWN,)
    met = torch.bincount(5 * centres + neighbours, minlength=25).reshape(5, 5) / N_DRAWN
    expected = looped_shares(window, subsample)
    for centre in range(5):
        for other in range(5):
            share = expected.get((centre, other), 0.0)
            far = 5 * math.sqrt(share * (1 - share) / N_DRAWN)
            assert float(met[centre, other]) == pytest.approx(share, abs=far), (centre, other)


def test_noise_comes_by_the_smoothed_counts() -> None:
    drawn = PairDrawer(TEXT, window=1, subsample=1.0).noise(N_DRAWN, torch.Generator().manual_seed(1))
    met = torch.bincount(drawn, minlength=5) / N_DRAWN
    smoothed = [count**0.75 for count in TEXT.counts.tolist()]
    for row in range(5):
        assert float(met[row]) == pytest.approx(smoothed[row] / sum(smoothed), abs=0.01)


def test_the_generator_decides_what_is_drawn_and_the_global_one_is_left_alone() -> None:
    drawer = PairDrawer(TEXT, window=2, subsample=0.5)
    before = torch.get_rng_state()
    once, again = (drawer.pairs(100, torch.Generator().manual_seed(7)) for _ in range(2))
    assert torch.equal(once[0], again[0])
    assert torch.equal(once[1], again[1])
    assert torch.equal(torch.get_rng_state(), before)
