"""Sorting and looking back: what is drawn and what is asked for, sequence by sequence."""

import pytest
import torch

from embedlib.extrapolation.tasks import BackTask, SortTask, Task
from embedlib.random import stream

SORT = SortTask(n_values=12, shortest=2, longest=5)
BACK = BackTask(n_values=5, back=3, shortest=6, longest=9)
BOTH = pytest.mark.parametrize("task", [SORT, BACK], ids=["sort", "k_back"])


@pytest.mark.parametrize("length", [1, 2, 5, 12])
def test_sorting_is_values_separator_and_answer(length: int) -> None:
    batch = SORT.batch(length, 30, generator=stream(0))
    assert batch.inputs.shape == (30, SORT.seq_len(length))
    assert batch.targets.shape == (30, length)
    for inputs, targets in zip(batch.inputs.tolist(), batch.targets.tolist(), strict=True):
        values = inputs[:length]
        assert len(set(values)) == length
        assert all(0 <= value < 12 for value in values)
        assert targets == sorted(values)
        assert inputs[length:] == [12, *targets[:-1]]


@pytest.mark.parametrize("length", [4, 6, 9, 30])
def test_looking_back_asks_for_the_value_some_positions_before(length: int) -> None:
    batch = BACK.batch(length, 20, generator=stream(0))
    assert batch.inputs.shape == (20, BACK.seq_len(length)) == (20, length)
    assert batch.targets.shape == (20, length - 3)
    for inputs, targets in zip(batch.inputs.tolist(), batch.targets.tolist(), strict=True):
        assert all(0 <= value < 5 for value in inputs)
        for scored, target in enumerate(targets):
            position = length - len(targets) + scored
            assert target == inputs[position - 3]


@BOTH
def test_every_value_is_drawn_about_as_often(task: SortTask | BackTask) -> None:
    first = task.batch(4, 12_000, generator=stream(1)).inputs[:, 0]  # sorting draws none twice
    share = torch.bincount(first, minlength=task.n_values) * task.n_values / len(first)
    assert len(share) == task.n_values
    assert (share - 1).abs().max() < 0.15


@BOTH
def test_held_out_sequences_depend_on_the_seed_and_the_length_alone_and_are_no_batch(task: SortTask | BackTask) -> None:
    one, same, other = (task.held_out(task.longest, 50, seed=seed).inputs for seed in (0, 0, 4))
    assert torch.equal(one, same)
    assert not torch.equal(one, other)
    trained = task.batch(task.longest, 50, generator=stream(0, "batch", 0)).inputs
    assert not {tuple(row) for row in one.tolist()} & {tuple(row) for row in trained.tolist()}


@pytest.mark.parametrize(("task", "expected"), [(SORT, (13, 12, 2, 5)), (BACK, (5, None, 6, 9))])
def test_a_task_says_what_it_is(task: Task, expected: tuple[int | None, ...]) -> None:
    assert isinstance(task, Task)
    assert (task.vocab_size, task.longest_possible, task.shortest, task.longest) == expected
