"""Defaults of a training config, and the learning rate of each step."""

import math

import pytest

from embedlib.extrapolation import TrainConfig
from embedlib.extrapolation.tasks import BackTask, SortTask


def test_the_rate_rises_in_a_straight_line_and_falls_by_a_cosine() -> None:
    config = TrainConfig(n_steps=40, warm_up=0.25, learning_rate=0.02)
    for step in range(10):
        assert config.learning_rate_at(step) == pytest.approx(0.02 * (step + 1) / 11)
    for step in range(10, 40):
        expected = 0.02 * (1 + math.cos(math.pi * (step - 10) / 30)) / 2
        assert config.learning_rate_at(step) == pytest.approx(expected)
    assert max(config.learning_rate_at(step) for step in range(40)) == 0.02


def test_a_scheme_takes_the_runs_seed_unless_it_is_given_its_own() -> None:
    assert TrainConfig(scheme="learned", seed=5).make_scheme().parameter_values["seed"] == 5
    assert TrainConfig(scheme="learned", seed=5, parameters={"seed": 2}).make_scheme().parameter_values["seed"] == 2
    assert TrainConfig(scheme="rope", seed=5).make_scheme().parameter_values["base"] == 10_000


def test_t5_has_the_buckets_of_a_decoder_unless_it_is_told_otherwise() -> None:
    assert TrainConfig(scheme="t5").make_scheme().parameter_values["bidirectional"] is False
    both = TrainConfig(scheme="t5", parameters={"bidirectional": True})
    assert both.make_scheme().parameter_values["bidirectional"] is True


def test_learned_rows_begin_at_half_of_torchs_spread_unless_they_are_told_otherwise() -> None:
    assert TrainConfig(scheme="learned").make_scheme().parameter_values["std"] == 0.5
    assert TrainConfig(scheme="learned", parameters={"std": 1.0}).make_scheme().parameter_values["std"] == 1.0


def test_a_table_may_end_where_training_ends_and_other_schemes_need_none() -> None:
    assert TrainConfig(SortTask(longest=10), "learned", max_seq_len=20).max_seq_len == 20
    assert TrainConfig(BackTask(), "rope", max_seq_len=1).max_seq_len == 1
