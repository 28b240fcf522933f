from collections.abc import Callable
from typing import Any

import pytest
import torch
from hypothesis import example, given, reject, settings
from hypothesis import strategies as st
from torch.utils.data import DataLoader, Dataset

from embedlib.errors import CodedError
from embedlib.texts import WindowPlan, WindowUse, sliding_windows, window_use


@settings(deadline=None)
@given(ids=st.lists(st.integers(0, 50256), max_size=60), max_length=st.integers(1, 9), stride=st.integers(1, 12))
@example(ids=[7, 8, 9], max_length=2, stride=2)
@example(ids=list(range(9)), max_length=2, stride=3)
@example(ids=list(range(8)), max_length=4, stride=1)
def test_windows_are_those_of_a_plain_loop(ids: list[int], max_length: int, stride: int) -> None:
    expected = [
        (ids[start : start + max_length], ids[start + 1 : start + max_length + 1])
        for start in range(0, len(ids) - max_length, stride)
    ]
    if not expected:
        with pytest.raises(ValueError, match=f"n_ids={len(ids)}: a window of max_length={max_length} and its"):
            sliding_windows(ids, max_length=max_length, stride=stride)
        return
    inputs, targets = sliding_windows(ids, max_length=max_length, stride=stride)
    assert inputs.tolist() == [window for window, _ in expected]
    assert targets.tolist() == [window for _, window in expected]


def test_windows_share_no_memory_with_the_ids_or_each_other() -> None:
    ids = torch.arange(6)
    inputs, targets = sliding_windows(ids, max_length=2, stride=1)
    inputs += 100
    targets -= 100
    assert ids.tolist() == [0, 1, 2, 3, 4, 5]
    assert inputs.tolist() == [[100, 101], [101, 102], [102, 103], [103, 104]]
    assert targets.tolist() == [[-99, -98], [-98, -97], [-97, -96], [-96, -95]]


@st.composite
def plans(draw: st.DrawFn) -> WindowPlan:
    """Any plan of up to 70 ids that has a batch."""
    sizes = [draw(st.integers(least, most)) for least, most in ((2, 70), (1, 9), (1, 12), (1, 7))]
    try:
        return WindowPlan(*sizes, shuffle=draw(st.booleans()), seed=4, drop_last=draw(st.booleans()))
    except CodedError:
        reject()


class Windows(Dataset[tuple[torch.Tensor, torch.Tensor]]):
    """A data set as courses write it: every window cut in a loop before the first is asked for."""

    def __init__(self, ids: list[int], max_length: int, stride: int) -> None:
        starts = range(0, len(ids) - max_length, stride)
        self.inputs = [torch.tensor(ids[start : start + max_length]) for start in starts]
        self.targets = [torch.tensor(ids[start + 1 : start + max_length + 1]) for start in starts]

    def __len__(self) -> int:
        return len(self.inputs)

    def __getitem__(self, window: int) -> tuple[torch.Tensor, torch.Tensor]:
        return self.inputs[window], self.targets[window]


@settings(deadline=None, max_examples=150)
@given(
    ids=st.lists(st.integers(0, 50_256), min_size=2, max_size=90),
    max_length=st.integers(1, 9),
    stride=st.integers(1, 12),
    batch_size=st.integers(1, 11),
    shuffle=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
    drop_last=st.booleans(),
)
def test_the_batches_are_those_of_a_real_data_loader(
    ids: list[int], max_length: int, stride: int, batch_size: int, shuffle: bool, seed: int, drop_last: bool
) -> None:
    windows = Windows(ids, max_length, stride)
    expected = []
    if len(windows):
        generator = torch.Generator().manual_seed(seed)
        expected = list(
            DataLoader(windows, batch_size=batch_size, shuffle=shuffle, drop_last=drop_last, generator=generator)
        )
    if not expected:
        with pytest.raises(CodedError):
            WindowPlan(len(ids), max_length, stride, batch_size, shuffle, seed, drop_last)
        return
    plan = WindowPlan(len(ids), max_length, stride, batch_size, shuffle, seed, drop_last)
    assert plan.n_windows == len(windows)
    assert plan.n_batches == len(expected)
    assert plan.n_dropped == len(windows) - sum(len(inputs) for inputs, _ in expected)
    for number, (inputs, targets) in enumerate(expected):
        actual = plan.batch(torch.tensor(ids), number)
        assert actual[0].tolist() == inputs.tolist()
        assert actual[1].tolist() == targets.tolist()
        assert [ids[start] for start in (plan.windows(number) * stride).tolist()] == inputs[:, 0].tolist()


@settings(deadline=None)
@given(plan=plans())
def test_coverage_counts_the_windows_over_each_id_apart_for_those_that_are_dropped(plan: WindowPlan) -> None:
    n_ids, max_length, stride = plan.n_ids, plan.max_length, plan.stride
    kept = [window for batch in range(plan.n_batches) for window in plan.windows(batch).tolist()]
    assert sorted(kept + plan.dropped_windows.tolist()) == list(range(plan.n_windows))
    for windows, counted in ((kept, plan.coverage), (plan.dropped_windows.tolist(), plan.dropped_coverage)):
        counts = [0] * n_ids
        for window in windows:
            for place in range(window * stride, window * stride + max_length):
                counts[place] += 1
        assert counted().tolist() == counts
        assert counted(n_ids // 3, n_ids - 1).tolist() == counts[n_ids // 3 : n_ids - 1]
    assert plan.n_left_over == n_ids - 1 - max(window * stride + max_length for window in range(plan.n_windows)), (
        "the last target is the last id that is used"
    )


@settings(deadline=None)
@given(plan=plans())
def test_the_batches_with_an_id_are_those_whose_inputs_hold_its_place(plan: WindowPlan) -> None:
    n_ids = plan.n_ids
    inputs = [plan.batch(torch.arange(n_ids), batch)[0].flatten().tolist() for batch in range(plan.n_batches)]
    for place in range(n_ids):
        assert plan.batches_containing(place) == [batch for batch, places in enumerate(inputs) if place in places]


def test_the_global_random_state_is_left_alone() -> None:
    torch.manual_seed(1)
    expected = torch.rand(3)
    torch.manual_seed(1)
    WindowPlan(100, 4, 4, 8, shuffle=True, seed=5).windows(0)
    assert torch.equal(torch.rand(3), expected)


@settings(deadline=None, max_examples=150)
@given(plan=plans())
def test_every_id_is_counted_once_by_what_the_windows_of_an_epoch_make_of_it(plan: WindowPlan) -> None:
    n_ids, max_length, stride = plan.n_ids, plan.max_length, plan.stride
    kept = [window for batch in range(plan.n_batches) for window in plan.windows(batch).tolist()]
    actual = dict.fromkeys(("inputs", "repeated", "target_only", "dropped_only", "between", "left_over"), 0)
    for place in range(n_ids):
        times = sum(window * stride <= place < window * stride + max_length for window in kept)
        windows = {w for w in range(plan.n_windows) if w * stride <= place <= w * stride + max_length}
        if times:
            actual["inputs"] += 1
            actual["repeated"] += times > 1
        elif windows & set(kept):
            actual["target_only"] += 1
        elif windows:
            actual["dropped_only"] += 1
        else:
            actual["between" if place < (plan.n_windows - 1) * stride else "left_over"] += 1
    assert window_use(plan) == WindowUse(**actual)
    assert sum(actual.values()) - actual["repeated"] == n_ids


@pytest.mark.parametrize(
    ("arguments", "code", "values", "message"),
    [
        ((4, 4, 1, 1), "too_short", {"n_ids": 4, "max_length": 4}, "n_ids=4: a window .* need 5; give a longer text"),
        ((13, 4, 4, 8, False, 0, True), "no_batch", {"n_windows": 3, "batch_size": 8}, "batch_size=8 is more than the"),
    ],
)
def test_a_plan_without_a_batch_is_refused_with_its_numbers(
    arguments: tuple[Any, ...], code: str, values: dict[str, int], message: str
) -> None:
    with pytest.raises(CodedError, match=message) as caught:
        WindowPlan(*arguments)
    assert (caught.value.code, caught.value.values) == (code, values)


PLAN = WindowPlan(13, 4, 4, 2)
REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: sliding_windows([[1, 2], [3, 4]], max_length=1, stride=1), r"token_ids.shape=\(2, 2\) must be \(n_ids,\)"),
    (lambda: sliding_windows([1.0, 2.0], max_length=1, stride=1), "dtype=torch.float32 must be an integer type"),
    (lambda: WindowPlan(9, 0, 4, 2), "max_length=0 must be at least 1"),
    (lambda: WindowPlan(9, 4, 0, 2), "stride=0 must be at least 1"),
    (lambda: WindowPlan(9, 4, 4, 0), "batch_size=0 must be at least 1"),
    (lambda: WindowPlan(9, 4, 4, 2, seed=-1), r"seed=-1 must be in 0 … 2\^63 - 1"),
    (lambda: PLAN.batches_containing(-1), "position=-1 must be in 0 … 12"),
    (lambda: PLAN.batches_containing(13), "position=13 must be in 0 … 12"),
    (lambda: PLAN.windows(-1), "batch=-1 must be in 0 … 1"),
    (lambda: PLAN.windows(2), "batch=2 must be in 0 … 1"),
    (lambda: PLAN.batch(torch.arange(5), 0), r"token_ids.shape=\(5,\) must be \(13,\), as planned"),
    (lambda: PLAN.batch(torch.zeros(13, dtype=torch.bool), 0), "dtype=torch.bool must be an integer type"),
    (lambda: PLAN.coverage(-1, 3), "first=-1, last=3 must be 0 ≤ first ≤ last ≤ 13"),
    (lambda: PLAN.coverage(4, 3), "first=4, last=3 must be"),
    (lambda: PLAN.dropped_coverage(0, 14), "first=0, last=14 must be"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_what_lies_outside_its_range_is_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
