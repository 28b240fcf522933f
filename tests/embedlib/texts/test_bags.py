import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from embedlib.texts import matched_tokens, shared_rows

IDS = st.lists(st.integers(0, 4), max_size=8)


def test_two_words_that_change_places_are_paired_crosswise() -> None:
    the, cat, sat, mat = range(4)
    assert matched_tokens([the, cat, sat, mat], [the, mat, sat, cat]) == [(0, 0), (1, 3), (2, 2), (3, 1)]


def test_a_token_that_stays_is_paired_with_itself_before_an_earlier_equal_one() -> None:
    assert matched_tokens([7, 5, 7], [5, 9, 7]) == [(1, 0), (2, 2)]


@given(IDS, IDS)
def test_as_many_tokens_are_paired_as_both_bags_hold(first: list[int], second: list[int]) -> None:
    pairs = matched_tokens(first, second)
    assert len(pairs) == sum(min(first.count(token), second.count(token)) for token in set(first))
    assert all(first[left] == second[right] for left, right in pairs)
    assert len({left for left, _ in pairs}) == len({right for _, right in pairs}) == len(pairs)


def test_rows_are_counted_as_often_as_both_hold_them_in_any_order() -> None:
    first = torch.tensor([[1.0, 2.0], [1.0, 2.0], [3.0, 0.0]])
    assert shared_rows(first, first.flip(0)) == 3
    assert shared_rows(first, torch.tensor([[3.0, -0.0], [1.0, 2.0], [4.0, 4.0]])) == 2
    assert shared_rows(first, first + 1e-3) == 0


def test_rows_of_different_widths_are_refused() -> None:
    with pytest.raises(ValueError, match="one width"):
        shared_rows(torch.zeros(2, 3), torch.zeros(2, 4))
