"""Train short, test long: the same numbers as by hand, progress, and scaling at test time."""

import math
from itertools import pairwise

import pytest
import torch

from embedlib.extrapolation import extrapolation, length_scores, new_run, rope_scaling_scores, train
from embedlib.extrapolation.sweep import HELD_OUT_SEED
from embedlib.positional import make_scheme
from embedlib.positional.rope_scaling import SCALINGS
from tests.embedlib.extrapolation.small import SMALL, small

LENGTHS = (2, 4, 7)


def test_it_is_each_seed_trained_and_scored_by_hand() -> None:
    actual = extrapolation(SMALL, lengths=LENGTHS, seeds=(5, 2), n_sequences=16)
    assert (actual.config, actual.lengths, actual.seeds) == (SMALL, LENGTHS, (5, 2))
    for seed, scores in zip((5, 2), actual.scores, strict=True):
        run = new_run(small(seed=seed))
        list(train(run))
        assert scores == length_scores(run.decoder, SMALL.task, LENGTHS, seed=HELD_OUT_SEED, n_sequences=16)


def test_values_are_the_scores_seed_by_seed_and_undefined_ones_are_no_number() -> None:
    actual = extrapolation(small(scheme="learned", max_seq_len=8), lengths=LENGTHS, seeds=(0, 1), n_sequences=8)
    for measure in ("loss", "perplexity", "accuracy", "exact"):
        values = actual.values(measure)
        assert values.shape == (2, 3)
        assert values.dtype == torch.float64
        for row, scores in zip(values.tolist(), actual.scores, strict=True):
            assert row[:2] == [getattr(score, measure) for score in scores[:2]]
            assert math.isnan(row[2])


def test_progress_rises_to_1_with_every_step_and_stops_the_work() -> None:
    shares: list[float] = []
    extrapolation(SMALL, lengths=LENGTHS, seeds=(0, 1), n_sequences=8, progress=shares.append)
    assert len(shares) >= 2 * (SMALL.n_steps + 1)
    assert all(0 < a <= b for a, b in pairwise(shares))
    assert shares[-1] == pytest.approx(1)

    class Stopped(Exception):
        pass

    def stop_at_the_third(share: float) -> None:
        calls.append(share)
        if len(calls) == 3:
            raise Stopped

    calls: list[float] = []
    with pytest.raises(Stopped):
        extrapolation(SMALL, lengths=LENGTHS, progress=stop_at_the_third)
    assert len(calls) == 3


def test_what_cannot_be_is_refused_before_anything_is_trained() -> None:
    calls: list[float] = []
    with pytest.raises(ValueError, match="seeds is empty"):
        extrapolation(SMALL, lengths=LENGTHS, seeds=(), progress=calls.append)
    with pytest.raises(ValueError, match="n_sequences=0 must be a whole number, at least 1"):
        extrapolation(SMALL, lengths=LENGTHS, n_sequences=0, progress=calls.append)
    with pytest.raises(ValueError, match="length=10 must be"):
        extrapolation(SMALL, lengths=(3, 10), progress=calls.append)
    assert calls == []


ROPE = small(scheme="rope", parameters={"base": 300.0}, d_model=16)


def test_scaling_at_test_time_scores_the_same_weights_under_another_rotation() -> None:
    run = new_run(ROPE)
    list(train(run))
    actual = rope_scaling_scores(run, LENGTHS, n_sequences=16)
    assert tuple(actual) == SCALINGS
    assert actual["none"] == length_scores(run.decoder, ROPE.task, LENGTHS, seed=HELD_OUT_SEED, n_sequences=16)
    for scaling in SCALINGS:
        # 8 positions in training: 4 values, the separator and 3 of the answer; 14 for 7 values.
        scheme = make_scheme(
            "rope", d_model=16, n_heads=2, base=300.0, scaling=scaling, factor=14 / 8, original_max_seq_len=8
        )
        (expected,) = length_scores(run.decoder.with_scheme(scheme), ROPE.task, [7], seed=HELD_OUT_SEED, n_sequences=16)
        assert actual[scaling][2] == expected
        if scaling != "none":
            assert actual[scaling][2].loss != actual["none"][2].loss


def test_up_to_the_trained_length_no_scaling_changes_anything_unless_it_is_told_to() -> None:
    run = new_run(ROPE)
    for scores in rope_scaling_scores(run, (2, 4), n_sequences=8).values():
        plain = length_scores(run.decoder, ROPE.task, (2, 4), seed=HELD_OUT_SEED, n_sequences=8)
        assert [score.loss for score in scores] == pytest.approx([score.loss for score in plain], abs=1e-6)
    described = rope_scaling_scores(run, (4,), scalings=("none", "linear", "dynamic_ntk"), factor=4.0, n_sequences=8)
    assert described["linear"][0].loss != described["none"][0].loss
    assert described["dynamic_ntk"][0].loss == described["none"][0].loss


def test_scaling_leaves_the_run_as_it_was_and_tells_its_progress() -> None:
    run, shares = new_run(ROPE), []
    before, scheme = run.decoder.rows.detach().clone(), run.decoder.scheme
    rope_scaling_scores(run, LENGTHS, n_sequences=8, progress=shares.append)
    assert run.decoder.scheme is scheme
    assert torch.equal(run.decoder.rows, before)
    assert all(0 < a <= b for a, b in pairwise(shares))
    assert shares[-1] == pytest.approx(1)


def test_an_unknown_scaling_is_refused() -> None:
    calls: list[float] = []
    with pytest.raises(ValueError, match="scaling='magic' must be one of"):
        rope_scaling_scores(new_run(ROPE), LENGTHS, scalings=["none", "magic"], progress=calls.append)
    assert calls == []
