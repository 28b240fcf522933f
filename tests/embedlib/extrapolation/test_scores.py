"""Scores by length: the numbers as loops, what a length is to a scheme, and passes of bounded size."""

import math
from itertools import pairwise

import pytest
import torch

from embedlib.extrapolation import LengthScore, length_scores, new_run
from embedlib.extrapolation.tasks import BackTask, Task, TextTask
from embedlib.transformer.decoder import Decoder
from tests.embedlib.extrapolation.small import SMALL, small

TASK = SMALL.task


def decoder_of(task: Task = TASK, scheme: str = "alibi", **changes: int) -> Decoder:
    return new_run(small(task=task, scheme=scheme, **changes)).decoder


@pytest.mark.parametrize(
    ("task", "length"), [(TASK, 6), (BackTask(4, 1, 2, 6), 7), (TextTask("to be or not to be" * 8, length=5), 11)]
)
def test_the_three_numbers_are_the_formulas_written_as_loops(task: Task, length: int) -> None:
    decoder = decoder_of(task)
    (score,) = length_scores(decoder, task, [length], seed=4, n_sequences=20)
    batch = task.held_out(length, 20, seed=4)
    losses, right, exact = [], 0, 0
    for inputs, targets in zip(batch.inputs, batch.targets.tolist(), strict=True):
        logits = decoder(inputs[None])[0, -len(targets) :].tolist()
        hits = [scores.index(max(scores)) == target for scores, target in zip(logits, targets, strict=True)]
        for scores, target in zip(logits, targets, strict=True):
            losses.append(math.log(sum(math.exp(number) for number in scores)) - scores[target])
        right, exact = right + sum(hits), exact + all(hits)
    assert score.loss == pytest.approx(sum(losses) / len(losses), abs=1e-5)
    assert score.perplexity == pytest.approx(math.exp(sum(losses) / len(losses)), rel=1e-5)
    assert score.accuracy == right / len(losses)
    assert score.exact == exact / 20
    assert (score.length, score.seq_len, score.n_sequences) == (length, task.seq_len(length), 20)


@pytest.mark.parametrize("most", [1, 300, 10_000])
def test_the_size_of_a_pass_makes_no_difference(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    decoder = decoder_of()
    whole = length_scores(decoder, TASK, [2, 5, 9], seed=0, n_sequences=30)
    monkeypatch.setattr("embedlib.extrapolation.scores.MAX_SCORES", most)
    for one, other in zip(whole, length_scores(decoder, TASK, [2, 5, 9], seed=0, n_sequences=30), strict=True):
        assert one.loss == pytest.approx(other.loss, abs=1e-5)
        assert (one.accuracy, one.exact) == (other.accuracy, other.exact)


def test_a_pass_reads_no_more_sequences_than_its_size_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    decoder, seen = decoder_of(), []
    forward = Decoder.forward

    def noted(self: Decoder, token_ids: torch.Tensor, *, n_scored: int | None = None) -> torch.Tensor:
        seen.append(tuple(token_ids.shape))
        return forward(self, token_ids, n_scored=n_scored)

    monkeypatch.setattr(Decoder, "forward", noted)
    monkeypatch.setattr("embedlib.extrapolation.scores.MAX_SCORES", 2 * 12**2 * 7)  # 2 heads, 12 positions, 7 sequences
    length_scores(decoder, TASK, [6], seed=0, n_sequences=16)
    assert seen == [(7, 12), (7, 12), (2, 12)]


@pytest.mark.parametrize(
    ("scheme", "state"), [("none", "longer"), ("sinusoidal", "longer"), ("learned", "untrained_rows")]
)
def test_a_length_is_trained_or_longer_or_has_rows_that_were_never_trained(scheme: str, state: str) -> None:
    scores = length_scores(decoder_of(scheme=scheme, max_seq_len=16), TASK, [1, 4, 5, 8], seed=0, n_sequences=4)
    assert [score.state for score in scores] == ["trained", "trained", state, state]
    assert all(score.loss is not None for score in scores)


def test_past_its_table_learned_is_undefined_and_has_no_number() -> None:
    (score,) = length_scores(decoder_of(scheme="learned", max_seq_len=16), TASK, [9], seed=0, n_sequences=4)
    assert score == LengthScore(9, 18, "undefined", None, None, None, 4)
    assert score.perplexity is None


def test_a_loss_past_what_a_float_can_hold_is_an_infinite_perplexity() -> None:
    assert LengthScore(1, 1, "longer", 800.0, 0.0, 0.0, 1).perplexity == math.inf


def test_progress_rises_to_1_and_stops_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("embedlib.extrapolation.scores.MAX_SCORES", 500)
    shares: list[float] = []
    decoder = decoder_of(scheme="learned", max_seq_len=16)
    length_scores(decoder, TASK, [4, 9, 2, 8], seed=0, n_sequences=10, progress=shares.append)
    assert len(shares) > 4
    assert all(0 < a <= b for a, b in pairwise(shares))
    assert shares[-1] == pytest.approx(1)

    class Stopped(Exception):
        pass

    def stop(share: float) -> None:
        calls.append(share)
        raise Stopped

    calls: list[float] = []
    with pytest.raises(Stopped):
        length_scores(decoder, TASK, [4, 8], seed=0, n_sequences=10, progress=stop)
    assert len(calls) == 1


def test_a_length_that_the_task_lacks_is_refused_before_anything_is_scored() -> None:
    calls: list[float] = []
    with pytest.raises(ValueError, match="length=10 must be"):
        length_scores(decoder_of(), TASK, [4, 10], seed=0, progress=calls.append)
    assert calls == []
