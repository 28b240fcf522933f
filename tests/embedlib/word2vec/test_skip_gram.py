"""Skip-gram: its numbers against plain loops, pausing and resuming to the bit, and that rows find their meaning."""

import importlib
import math
from collections.abc import Iterator
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from embedlib.grammar import RELATIONS, grammar_text, pairs, word_kinds
from embedlib.word2vec.corpus import WordCorpus, word_corpus
from embedlib.word2vec.sampling import PairDrawer
from embedlib.word2vec.scores import analogy_scores, kind_score
from embedlib.word2vec.skip_gram import SkipGramConfig, SkipGramStep, resume_skip_gram, skip_gram

MODULE = importlib.import_module("embedlib.word2vec.skip_gram")  # its package has a function of this name
SMALL = SkipGramConfig(d_model=3, batch_size=8, negatives=2, steps=5, learning_rate=0.1, weight_decay=0.3, window=2)
Table = list[list[float]]


@pytest.fixture(scope="module")
def corpus() -> WordCorpus:
    return word_corpus(grammar_text(300), min_count=8)


def dot(a: list[float], b: list[float]) -> float:
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def looped_training(corpus: WordCorpus, config: SkipGramConfig) -> Iterator[tuple[float, Table]]:
    """The same draws, with loss, gradients, AdamW and the cosine written out number by number."""
    generator = torch.Generator().manual_seed(config.seed)
    drawer = PairDrawer(corpus, window=config.window, subsample=config.subsample)
    n_rows, width = len(corpus.words), config.d_model
    rows = (torch.empty(n_rows, width).normal_(generator=generator) / math.sqrt(width)).tolist()
    tables = [rows, [[0.0] * width for _ in range(n_rows)]]
    firsts, seconds = ([[[0.0] * width for _ in range(n_rows)] for _ in tables] for _ in range(2))
    for step in range(1, config.steps + 1):
        words, neighbours = (drawn.tolist() for drawn in drawer.pairs(config.batch_size, generator))
        noise = drawer.noise(MODULE._NOISE_WORDS, generator).tolist()
        gradients = [[[0.0] * width for _ in range(n_rows)] for _ in tables]
        loss = 0.0
        for word, neighbour in zip(words, neighbours, strict=True):
            described = [(neighbour, 1.0, 1.0)] + [(far, 0.0, config.negatives / len(noise)) for far in noise]
            for other, truth, weight in described:
                likely = sigmoid(dot(tables[0][word], tables[1][other]))
                loss -= weight / len(words) * math.log(likely if truth else 1 - likely)
                push = weight / len(words) * (likely - truth)
                for column in range(width):
                    gradients[0][word][column] += push * tables[1][other][column]
                    gradients[1][other][column] += push * tables[0][word][column]
        rate = config.learning_rate * (1 + math.cos(math.pi * (step - 1) / config.steps)) / 2
        for table, gradient, first, second in zip(tables, gradients, firsts, seconds, strict=True):
            for row in range(n_rows):
                for column in range(width):
                    slope = gradient[row][column]
                    first[row][column] = 0.9 * first[row][column] + 0.1 * slope
                    second[row][column] = 0.999 * second[row][column] + 0.001 * slope**2
                    table[row][column] *= 1 - rate * config.weight_decay
                    mean = first[row][column] / (1 - 0.9**step)
                    spread = math.sqrt(second[row][column] / (1 - 0.999**step))
                    table[row][column] -= rate * mean / (spread + 1e-8)
        yield loss, [list(row) for row in tables[0]]


def test_every_step_is_the_one_of_plain_loops(corpus: WordCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MODULE, "_NOISE_WORDS", 16)
    steps = skip_gram(corpus, SMALL)
    assert next(steps).step == 0
    for number, (step, (loss, rows)) in enumerate(zip(steps, looped_training(corpus, SMALL), strict=True), start=1):
        assert step.step == number
        assert step.loss == pytest.approx(loss, rel=1e-5)
        torch.testing.assert_close(step.rows, torch.tensor(rows), rtol=1e-3, atol=1e-4)


def rows_after(corpus: WordCorpus, config: SkipGramConfig) -> Tensor:
    *_, last = skip_gram(corpus, config)
    return last.rows


def test_the_seed_decides_every_bit_and_the_global_one_is_left_alone(corpus: WordCorpus) -> None:
    before = torch.get_rng_state()
    once, again, other = (rows_after(corpus, replace(SMALL, seed=seed)) for seed in (4, 4, 5))
    assert torch.equal(once, again)
    assert not torch.equal(once, other)
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize("left_at", [0, 2, 5])
def test_a_training_gone_on_with_comes_to_the_same_bits(corpus: WordCorpus, left_at: int) -> None:
    whole = list(skip_gram(corpus, SMALL))
    expected = whole[-1].rows.clone()
    for step in skip_gram(corpus, SMALL):
        if step.step == left_at:
            state = step.state()
            break
    rest = list(resume_skip_gram(corpus, state))
    assert [step.step for step in rest] == list(range(left_at + 1, 6))
    assert [step.loss for step in rest] == [step.loss for step in whole[left_at + 1 :]]
    assert torch.equal(rest[-1].rows if rest else state.tensors["rows"], expected)


def test_a_state_stays_as_it_was_while_training_goes_on(corpus: WordCorpus) -> None:
    steps = skip_gram(corpus, SMALL)
    next(steps)
    state, rows = next(steps).state(), next(steps).rows
    kept = {name: tensor.clone() for name, tensor in state.tensors.items()}
    list(steps)
    list(resume_skip_gram(corpus, state))
    assert not torch.equal(kept["rows"], rows)
    for name, tensor in state.tensors.items():
        assert torch.equal(tensor, kept[name]), name


def test_a_training_moves_its_rows_when_a_step_is_asked_for_and_no_more_once_it_is_closed(corpus: WordCorpus) -> None:
    steps = skip_gram(corpus, SMALL)
    start = next(steps)
    rows = [start.rows.clone(), *(next(steps).rows.clone() for _ in range(2))]
    assert not torch.equal(rows[0], rows[1])
    assert not torch.equal(rows[1], rows[2])
    steps.close()  # type: ignore[attr-defined]
    assert list(steps) == []
    assert torch.equal(start.rows, rows[2]), "the rows of every step are those of the training"


@pytest.mark.parametrize("learning_rate", [2.0, 1e3, 1e30])
def test_too_high_a_learning_rate_is_said_and_sound_rows_are_kept(corpus: WordCorpus, learning_rate: float) -> None:
    steps: list[SkipGramStep] = []
    before: dict[int, Tensor] = {}
    for step in skip_gram(corpus, replace(SMALL, d_model=64, steps=200, learning_rate=learning_rate)):
        steps.append(step)
        before[step.step] = step.rows.clone()
    last = steps[-1]
    assert last.diverged
    assert not any(step.diverged for step in steps[:-1])
    assert last.step < 200
    limit = 2 * 3 * math.log(2)
    sound = max(step.step for step in steps[1:] if step.loss <= limit)
    assert last.rows_step == sound - 1
    assert torch.equal(last.rows, before[sound - 1]), "those with which the last good loss was measured"
    assert bool(last.rows.isfinite().all())
    with pytest.raises(ValueError, match=r"has diverged .* lower learning rate"):
        next(resume_skip_gram(corpus, last.state()))


def test_a_loss_that_is_no_number_stops_at_once(corpus: WordCorpus) -> None:
    *_, last = skip_gram(corpus, replace(SMALL, steps=50, learning_rate=1e30))
    assert not math.isfinite(last.loss)
    assert last.step <= 4


def test_a_single_high_loss_stops_nothing(corpus: WordCorpus) -> None:
    losses = list(skip_gram(corpus, SkipGramConfig(batch_size=1, steps=200, learning_rate=0.1)))
    assert max(step.loss for step in losses) > 2 * 6 * math.log(2)
    assert losses[-1].step == 200
    assert not losses[-1].diverged


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in (1, 2))])
def test_rows_find_their_meaning_from_chance_up(seed: int) -> None:
    """The outcome all this is for, in a fifth of the steps that a page does: about .025, then .90."""
    text = word_corpus(grammar_text(12_000, seed=seed))
    kinds = word_kinds(text.words)
    relations = {name: pairs(name) for name in RELATIONS}
    config = SkipGramConfig(steps=200, seed=seed)
    for step in skip_gram(text, config):
        if step.step == 0:
            start = kind_score(step.rows, kinds)
            guessed = analogy_scores(step.rows, text.words, relations)
    end, answered = kind_score(step.rows, kinds), analogy_scores(step.rows, text.words, relations)
    assert start.score == pytest.approx(start.chance, abs=0.02)
    assert end.score >= 0.80
    assert step.loss < 0.4 * config.chance_loss
    for name, score in answered.items():
        assert guessed[name].right < 0.05
        assert score.right > 0.2, name
    assert sum(score.right for score in answered.values()) / len(answered) > 0.5
