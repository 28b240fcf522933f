"""The share of held-out windows that training has seen, against a search by hand."""

import random

import pytest

from embedlib.texts import repeated_share


def by_hand(text: str, n_training: int, length: int) -> float:
    known, held_out = text[:n_training], text[n_training:]
    windows = [held_out[start : start + length] for start in range(len(held_out) - length + 1)]
    return sum(window in known for window in windows) / len(windows)


@pytest.mark.parametrize("length", [1, 3, 8])
def test_it_is_the_share_that_a_search_finds(length: int) -> None:
    draw = random.Random(length)
    text = "".join(draw.choice("abc\N{GRINNING FACE}") for _ in range(400))
    assert repeated_share(text, 360, length=length) == pytest.approx(by_hand(text, 360, length), abs=1e-12)


def test_a_text_that_repeats_itself_is_all_known_and_another_one_is_not() -> None:
    assert repeated_share("the same again. " * 400, 5_760) == 1
    assert repeated_share("".join(map(chr, range(256, 2_256))), 1_800) == 0


def test_parts_shorter_than_a_window_repeat_nothing() -> None:
    assert repeated_share("abcabc", 3, length=4) == 0


def test_parts_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="n_training=7 from 0 to 6"):
        repeated_share("abcabc", 7)
