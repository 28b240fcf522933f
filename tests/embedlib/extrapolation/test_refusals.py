"""Arguments of training, scoring and comparing that are out of range, and the rule that each message states."""

import math
from collections.abc import Callable
from functools import partial

import pytest
import torch

from embedlib.extrapolation import (
    BackTask,
    SortTask,
    TextTask,
    TrainConfig,
    Unit,
    classify_line,
    experiment_units,
    length_scores,
    new_run,
    rope_scaling_scores,
    seed_spread,
)
from embedlib.random import stream
from tests.embedlib.extrapolation.small import SMALL, small

WHOLE = "must be a whole number"
config = TrainConfig
unit = partial(Unit, experiment="sort", scheme="none")
REFUSED: list[tuple[Callable[..., object], str]] = [
    (partial(config, n_layers=0), f"n_layers=0 {WHOLE}, at least 1 and at most 48"),
    (partial(config, n_heads=65), f"n_heads=65 {WHOLE}"),
    (partial(config, d_model=4_096), f"d_model=4096 {WHOLE}"),
    (partial(config, d_model=62), "n_heads=4"),
    (partial(config, batch_size=0), "batch_size=0 must be"),
    (partial(config, n_steps=0), "n_steps=0 must be"),
    (partial(config, seed=-1), "seed=-1 must be"),
    (partial(config, learning_rate=0.0), "learning_rate=0.0 must be above 0 and at most 100"),
    (partial(config, learning_rate=math.nan), "learning_rate=nan must be above 0"),
    (partial(config, learning_rate=math.inf), "learning_rate=inf must be above 0"),
    (partial(config, warm_up=1.0), "warm_up=1.0 must be at least 0 and below 1"),
    (partial(config, weight_decay=1.5), "weight_decay=1.5 must be at least 0 and at most 1"),
    (partial(config, scheme="ropes"), "scheme='ropes' is unknown"),
    (partial(config, scheme="none", parameters={"base": 2.0}), "base=2.0 is not a parameter of scheme 'none'"),
    (partial(config, scheme="sinusoidal", d_model=7, n_heads=1), "d_model=7 must be even"),
    (partial(config, scheme="learned", max_seq_len=19), "max_seq_len=19 must be at least 20 for scheme='learned'"),
    (partial(unit, experiment="chess"), "experiment='chess' is unknown: choose among sort, back, text, scaling"),
    (partial(unit, scheme="ropes"), "scheme='ropes' is not in 'sort': choose among none"),
    (partial(unit, size="huge"), "size='huge' is unknown"),
    (partial(unit, source="manual"), "source='manual' does not fit 'sort': leave it out"),
    (partial(unit, experiment="text"), "source='' does not fit 'text': give one"),
    (partial(unit, experiment="scaling", scheme="t5", source="manual"), "choose among rope"),
    (partial(unit, n_steps=-1), "n_steps=-1"),
    (partial(unit, seed=-1), "seed=-1"),
    (partial(unit, learning_rate=-0.5), "learning_rate=-0.5 must be above 0"),
    (partial(unit, learning_rate=math.nan), "learning_rate=nan must be above 0"),
    (partial(experiment_units, "chess"), "experiment='chess' is unknown"),
    (partial(SortTask, n_values=1), f"n_values=1 {WHOLE}, at least 2"),
    (partial(SortTask, shortest=0), f"shortest=0 {WHOLE}, at least 1"),
    (partial(SortTask, longest=65), f"longest=65 {WHOLE}, at least 1 and at most 64"),
    (partial(SortTask, shortest=7, longest=6), f"longest=6 {WHOLE}, at least 7"),
    (partial(SortTask, longest=9.5), f"longest=9.5 {WHOLE}"),
    (partial(SortTask, n_values=True), f"n_values=True {WHOLE}"),
    *((partial(SortTask(12).batch, n, 4, generator=stream(0)), f"length={n} {WHOLE}, at least 1 a") for n in (0, 13)),
    (partial(BackTask, n_values=1), f"n_values=1 {WHOLE}, at least 2"),
    (partial(BackTask, back=0), f"back=0 {WHOLE}, at least 1"),
    (partial(BackTask, back=8), f"shortest=8 {WHOLE}, at least 9"),
    (partial(BackTask, longest=7), f"longest=7 {WHOLE}, at least 8"),
    (partial(BackTask().batch, 3, 4, generator=stream(0)), f"length=3 {WHOLE}, at least 4"),
    (partial(TextTask, "", length=1), "text has 0 characters"),
    *((partial(TextTask, "a" * 99, length=n), f"length={n} {WHOLE}") for n in (0, 8_193, 2.0)),
    (partial(TextTask("a" * 1_000, length=9).held_out, 100, 4), "length=100 need at least 1010"),
    (
        lambda: length_scores(new_run(SMALL).decoder, SMALL.task, [4], seed=0, n_sequences=0),
        "n_sequences=0 must be at least 1",
    ),
    (lambda: rope_scaling_scores(new_run(small(scheme="alibi")), [4]), "cannot be scaled at test time: train"),
    (
        lambda: rope_scaling_scores(new_run(small(scheme="rope", parameters={"scaling": "linear"})), [4]),
        "cannot be scaled at test time: train",
    ),
    (partial(seed_spread, torch.zeros(3)), r"values has shape \(3,\): it must be \(…, n_seeds, n_lengths\)"),
    (
        partial(classify_line, "x", torch.ones(1, 2), [4, 8], 5, measure="exact"),
        r"trained=5 must be one of lengths=\[4, 8\]",
    ),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_what_cannot_be_is_refused_with_the_rule(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
