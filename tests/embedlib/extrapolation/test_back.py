"""Looking back: what is drawn and what is asked for, position by position."""

import pytest
import torch

from embedlib.extrapolation.tasks import TASKS, BackTask, Task
from embedlib.random import stream

TASK = BackTask(n_values=5, back=3, shortest=6, longest=9)


@pytest.mark.parametrize("length", [4, 6, 9, 30])
def test_each_scored_position_asks_for_the_value_some_positions_before(length: int) -> None:
    batch = TASK.batch(length, 20, generator=stream(0))
    assert batch.inputs.shape == (20, TASK.seq_len(length)) == (20, length)
    assert batch.targets.shape == (20, length - 3)
    for inputs, targets in zip(batch.inputs.tolist(), batch.targets.tolist(), strict=True):
        assert all(0 <= value < 5 for value in inputs)
        for scored, target in enumerate(targets):
            position = length - len(targets) + scored
            assert target == inputs[position - 3]


def test_every_value_is_drawn_about_as_often() -> None:
    counts = torch.bincount(TASK.batch(50, 400, generator=stream(1)).inputs.flatten(), minlength=5)
    assert counts.min() > 3_700
    assert counts.max() < 4_300


def test_held_out_sequences_depend_on_the_seed_and_the_length_alone() -> None:
    one, same, other = (TASK.held_out(9, 20, seed=seed).inputs for seed in (3, 3, 4))
    assert torch.equal(one, same)
    assert not torch.equal(one, other)


def test_it_says_what_it_is() -> None:
    assert isinstance(TASK, Task)
    assert (TASK.vocab_size, TASK.longest_possible, TASK.shortest, TASK.longest) == (5, None, 6, 9)
    assert TASKS["k_back"] is BackTask


@pytest.mark.parametrize(
    ("numbers", "match"),
    [
        ({"n_values": 1}, "n_values=1 must be a whole number, at least 2"),
        ({"back": 0}, "back=0 must be a whole number, at least 1"),
        ({"back": 8}, "shortest=8 must be a whole number, at least 9"),
        ({"longest": 7}, "longest=7 must be a whole number, at least 8"),
    ],
)
def test_numbers_out_of_range_are_refused(numbers: dict[str, int], match: str) -> None:
    with pytest.raises(ValueError, match=match):
        BackTask(**numbers)


def test_a_length_without_a_scored_position_is_refused() -> None:
    with pytest.raises(ValueError, match="length=3 must be a whole number, at least 4"):
        TASK.batch(3, 4, generator=stream(0))
