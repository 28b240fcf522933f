import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

from embedlib.texts import sliding_windows
from embedlib.tokenizers import get_tokenizer


def test_a_text_in_gpt2s_encoding_gives_the_batch_of_the_lesson() -> None:
    ids = get_tokenizer("gpt2").encode("The cat sat on the mat. " * 6)
    inputs, targets = sliding_windows(ids, max_length=4, stride=4)
    assert inputs[:8].shape == targets[:8].shape == (8, 4)
    assert inputs[0].tolist() == [464, 3797, 3332, 319]
    assert targets[0].tolist() == [3797, 3332, 319, 262]
    assert inputs[1].tolist() == ids[4:8]
    assert inputs.dtype == targets.dtype == torch.int64


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
        with pytest.raises(ValueError, match=f"token_ids has {len(ids)} ids: a window of max_length={max_length}"):
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


def test_small_integer_types_become_int64() -> None:
    inputs, targets = sliding_windows(torch.arange(4, dtype=torch.uint8), max_length=2, stride=1)
    assert inputs.dtype == targets.dtype == torch.int64


@pytest.mark.parametrize(
    ("ids", "arguments", "message"),
    [
        ([1, 2, 3, 4], {"max_length": 4, "stride": 1}, "max_length=4 and its targets need 5; give a longer text"),
        ([], {"max_length": 1, "stride": 1}, "token_ids has 0 ids"),
        ([1, 2], {"max_length": 0, "stride": 1}, "max_length=0 must be at least 1"),
        ([1, 2], {"max_length": 1, "stride": 0}, "stride=0 must be at least 1"),
        ([[1, 2], [3, 4]], {"max_length": 1, "stride": 1}, r"token_ids.shape=\(2, 2\) must be \(n_ids,\)"),
        ([1.0, 2.0], {"max_length": 1, "stride": 1}, "token_ids.dtype=torch.float32 must be an integer type"),
        ([True, False], {"max_length": 1, "stride": 1}, "token_ids.dtype=torch.bool must be an integer type"),
    ],
)
def test_what_cannot_be_cut_is_refused_with_the_remedy(ids: list[int], arguments: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sliding_windows(ids, **arguments)
