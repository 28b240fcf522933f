"""What a training leaves: which steps are kept, and that they are those of the training to the bit."""

import itertools
import math

import pytest
import torch

from embedlib.grammar import grammar_text
from embedlib.word2vec.corpus import word_corpus
from embedlib.word2vec.history import AHEAD, BUDGET, MAX_STORED, RowHistory, axes_step, row_changes, steps_to_store
from embedlib.word2vec.skip_gram import SkipGramConfig, skip_gram


@pytest.mark.parametrize("steps", [1, 5, 10, 50, 119, 120, 121, 300, 1_000, 5_000])
@pytest.mark.parametrize("vocab_size", [12, 688, 10_000])
def test_kept_steps_begin_at_the_start_hold_the_look_ahead_and_end_at_the_end(steps: int, vocab_size: int) -> None:
    config = SkipGramConfig(steps=steps, d_model=256)
    kept = steps_to_store(config, vocab_size)
    assert list(kept) == sorted(set(kept))
    assert (kept[0], kept[-1]) == (0, steps)
    assert axes_step(config) in kept
    assert len(kept) <= MAX_STORED
    if len(kept) > 11:
        assert len(kept) * vocab_size * 256 * 4 <= BUDGET


def test_every_step_is_kept_of_a_short_training_and_the_first_ten_of_a_long_one() -> None:
    assert steps_to_store(SkipGramConfig(steps=60), 688) == tuple(range(61))
    kept = steps_to_store(SkipGramConfig(), 688)
    assert kept[:11] == tuple(range(11))
    gaps = [after - before for before, after in itertools.pairwise(kept)]
    assert max(gaps[: kept.index(AHEAD)]) < 8
    assert max(gaps) < 25
    assert len(kept) > 90


def test_a_history_holds_the_losses_of_all_steps_and_the_rows_of_kept_ones() -> None:
    corpus = word_corpus(grammar_text(300), min_count=8)
    config = SkipGramConfig(d_model=3, batch_size=8, steps=6)
    history = RowHistory(corpus.words, corpus.counts, config)
    expected = {}
    for step in skip_gram(corpus, config):
        history.add(step.step, step.loss, step.rows if step.step in (0, 2, 6) else None)
        expected[step.step] = (step.loss, step.rows.clone())
    assert history.steps == (0, 2, 6)
    assert history.last == 6
    assert history.losses.tolist() == torch.tensor([loss for loss, _ in expected.values()]).tolist()
    for step in history.steps:
        assert torch.equal(history.rows(step), expected[step][1])
    with pytest.raises(KeyError):
        history.rows(1)
    assert history.nbytes == 3 * len(corpus.words) * 3 * 4


def test_rows_of_a_step_before_are_kept_in_their_place() -> None:
    history = RowHistory(("a", "b"), torch.tensor([2, 1]), SkipGramConfig(d_model=2, steps=5))
    for step in (0, 1, 2, 3):
        history.add(step, 1.0, torch.full((2, 2), float(step)) if step in (0, 3) else None)
    history.add_rows(2, torch.full((2, 2), 2.0))
    history.add_rows(0, torch.ones(2, 2))
    assert history.steps == (0, 2, 3)
    assert [float(history.rows(step)[0, 0]) for step in history.steps] == [0.0, 2.0, 3.0]


def test_steps_that_were_taken_elsewhere_have_no_loss() -> None:
    history = RowHistory(("a", "b"), torch.tensor([2, 1]), SkipGramConfig(d_model=2, steps=5))
    rows = torch.ones(2, 2)
    history.add(0, 4.0, rows)
    history.add(3, 2.0)
    assert history.losses.isnan().tolist() == [False, True, True, False]
    rows.zero_()
    assert history.rows(0).tolist() == [[1.0, 1.0], [1.0, 1.0]], "a copy"


def test_a_move_is_the_length_of_the_way() -> None:
    before, after = (torch.randn(20, 3, generator=torch.Generator().manual_seed(n)) for n in (1, 2))
    after[4] = before[4]
    actual = row_changes(before, after)
    for row in range(20):
        way = [float(a) - float(b) for a, b in zip(after[row], before[row], strict=True)]
        assert float(actual.moves[row]) == pytest.approx(math.hypot(*way))
    assert actual.moves[4] == 0
    assert actual.order.tolist() == sorted(range(20), key=lambda row: -float(actual.moves[row]))


def test_rows_that_moved_equally_far_keep_their_order() -> None:
    assert row_changes(torch.zeros(4, 2), torch.ones(4, 2)).order.tolist() == [0, 1, 2, 3]
