"""Sorting: what is drawn and what is asked for, sequence by sequence."""

import pytest
import torch

from embedlib.extrapolation.tasks import TASKS, SortTask, Task
from embedlib.random import stream

TASK = SortTask(n_values=12, shortest=2, longest=5)


@pytest.mark.parametrize("length", [1, 2, 5, 12])
def test_a_sequence_is_values_separator_and_answer(length: int) -> None:
    batch = TASK.batch(length, 30, generator=stream(0))
    assert batch.inputs.shape == (30, TASK.seq_len(length))
    assert batch.targets.shape == (30, length)
    for inputs, targets in zip(batch.inputs.tolist(), batch.targets.tolist(), strict=True):
        values = inputs[:length]
        assert len(set(values)) == length
        assert all(0 <= value < 12 for value in values)
        assert targets == sorted(values)
        assert inputs[length:] == [12, *targets[:-1]]


def test_every_value_comes_first_about_as_often() -> None:
    first = TASK.batch(3, 12_000, generator=stream(1)).inputs[:, 0]
    counts = torch.bincount(first, minlength=12)
    assert counts.min() > 850
    assert counts.max() < 1150


def test_held_out_sequences_depend_on_the_seed_and_the_length_alone() -> None:
    one, same, other = (TASK.held_out(5, 20, seed=seed).inputs for seed in (3, 3, 4))
    assert torch.equal(one, same)
    assert not torch.equal(one, other)


def test_held_out_sequences_are_no_batch_of_training() -> None:
    held_out = {tuple(row) for row in TASK.held_out(5, 50, seed=0).inputs.tolist()}
    trained = {tuple(row) for row in TASK.batch(5, 50, generator=stream(0, "batch", 0)).inputs.tolist()}
    assert not held_out & trained


def test_it_says_what_it_is() -> None:
    assert isinstance(TASK, Task)
    assert (TASK.vocab_size, TASK.longest_possible, TASK.shortest, TASK.longest) == (13, 12, 2, 5)
    assert TASKS["sort"] is SortTask


@pytest.mark.parametrize(
    ("numbers", "match"),
    [
        ({"n_values": 1}, "n_values=1 must be a whole number, at least 2"),
        ({"shortest": 0}, "shortest=0 must be a whole number, at least 1"),
        ({"longest": 65}, "longest=65 must be a whole number, at least 1 and at most 64"),
        ({"shortest": 7, "longest": 6}, "longest=6 must be a whole number, at least 7"),
        ({"longest": 9.5}, "longest=9.5 must be a whole number"),
        ({"n_values": True}, "n_values=True must be a whole number"),
    ],
)
def test_numbers_out_of_range_are_refused(numbers: dict[str, int], match: str) -> None:
    with pytest.raises(ValueError, match=match):
        SortTask(**numbers)


@pytest.mark.parametrize("length", [0, 13])
def test_a_length_without_sequences_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match=f"length={length} must be a whole number, at least 1 and at most 12"):
        TASK.batch(length, 4, generator=stream(0))
