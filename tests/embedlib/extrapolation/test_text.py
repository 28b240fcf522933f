"""Characters of a text: the windows, what is held out, and what is too short."""

import pickle

import pytest
import torch

from embedlib.errors import CodedError
from embedlib.extrapolation.tasks import Task, TextTask
from embedlib.random import stream

TEXT = "".join(chr(97 + (i * i + 3 * i) % 26) for i in range(900)) + "0123456789" * 10


def spelled(task: TextTask, ids: list[int]) -> str:
    return "".join(task.characters[token] for token in ids)


def test_ids_are_characters_in_the_order_of_their_code_points() -> None:
    task = TextTask("baobab, naïve 🙂" * 20, length=8)
    assert list(task.characters) == sorted(set(task.text))
    assert spelled(task, task.ids.tolist()) == task.text
    assert task.vocab_size == len(set(task.text)) + 1


def test_windows_are_stretches_of_the_part_to_train_on_and_ask_for_the_next_character() -> None:
    task = TextTask(TEXT, length=9)
    batch = task.batch(9, 2_000, generator=stream(0))
    assert batch.inputs.shape == batch.targets.shape == (2_000, 9)
    starts = set()
    for inputs, targets in zip(batch.inputs.tolist(), batch.targets.tolist(), strict=True):
        window = spelled(task, [*inputs, targets[-1]])
        assert spelled(task, targets) == window[1:]
        assert window in TEXT[:900]
        starts.add(window)
    assert TEXT[890:900] in starts  # the last window of all is drawn too


@pytest.mark.parametrize("length", [1, 9, 99])
def test_held_out_windows_are_spread_evenly_over_the_last_tenth(length: int) -> None:
    task = TextTask(TEXT, length=9)
    windows = task.held_out(length, 11, seed=5)
    text = TEXT[900:]
    for number, (inputs, targets) in enumerate(zip(windows.inputs.tolist(), windows.targets.tolist(), strict=True)):
        start = int(number * (100 - length - 1) / 10)
        assert spelled(task, inputs) == text[start : start + length]
        assert spelled(task, targets) == text[start + 1 : start + length + 1]


def test_what_is_trained_on_is_never_held_out() -> None:
    for n_characters in (650, 655, 1_009):
        task = TextTask("ab" * 600 + "c" * (n_characters - 600), length=20)
        assert task.n_training + len(task.text) // 10 == len(task.text)


def test_the_rarest_of_very_many_characters_share_an_id() -> None:
    often = "".join(chr(0x4E00 + i) for i in range(1_024))
    rare = "".join(chr(0x3400 + i) for i in range(10))
    task = TextTask(often * 3 + rare, length=4)
    assert task.characters == often
    assert task.vocab_size == 1_025
    assert task.ids.tolist() == [*list(range(1_024)) * 3, *[1_024] * 10]


def test_half_a_surrogate_pair_is_a_character_like_any_other() -> None:
    task = TextTask("\ud800ab" * 100, length=5)
    assert spelled(task, task.ids.tolist()) == task.text


def test_a_text_is_too_short_where_its_tenth_holds_no_window() -> None:
    assert TextTask("ab" * 330, length=65).longest_possible == 65
    with pytest.raises(CodedError, match=r"text has 659 characters: windows of length=65 need at least 660") as caught:
        TextTask(("ab" * 330)[:-1], length=65)
    error = pickle.loads(pickle.dumps(caught.value))  # our own bytes
    assert (error.code, error.values) == ("text_too_short", {"n_characters": 659, "least": 660, "length": 65})
    assert str(error) == str(caught.value)


def test_it_says_what_it_is() -> None:
    task = TextTask(TEXT, length=9)
    assert isinstance(task, Task)
    assert (task.shortest, task.longest, task.seq_len(7), task.longest_possible) == (9, 9, 7, 99)
    assert task == TextTask(TEXT, length=9)
    assert task != TextTask(TEXT + "a", length=9)
    assert TEXT not in repr(task)
    assert torch.equal(task.held_out(5, 3, seed=1).inputs, task.held_out(5, 3, seed=2).inputs)
