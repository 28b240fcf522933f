from functools import cache
from itertools import chain

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from embedlib import Token, Tokenizer, get_tokenizer
from embedlib.tokenizers import CharacterView, byte_view, token_label
from embedlib.tokenizers.byte_view import character_name

TEXT = "a naïve 日本 👩‍👩‍👧 हिन्दी\n"


@cache
def gpt2() -> Tokenizer:
    return get_tokenizer("gpt2")


def one(character: str) -> CharacterView:
    (view,) = byte_view(character, gpt2().tokenize(character))
    return view


@settings(deadline=None)
@given(st.text(st.characters(codec="utf-8")))
def test_characters_code_points_and_bytes_are_those_of_the_text(text: str) -> None:
    views = byte_view(text, get_tokenizer("bytes").tokenize(text))
    assert [view.text for view in views] == regex.findall(r"\X", text)
    assert [view.column for view in views] == list(range(len(views)))
    points = list(chain.from_iterable(view.code_points for view in views))
    assert [point.code for point in points] == [f"U+{ord(character):04X}" for character in text]
    assert [point.label for point in points] == [token_label(character.encode()) for character in text]
    actual = list(chain.from_iterable(view.bytes for view in views))
    assert bytes(byte.value for byte in actual) == text.encode()
    assert [byte.offset for byte in actual] == list(range(len(actual)))
    assert [byte.token for byte in actual] == list(range(len(actual)))  # one token to a byte


@settings(deadline=None)
@given(st.characters(codec="utf-8"))
def test_the_bits_after_the_marks_are_the_code_point(character: str) -> None:
    point = one(character).code_points[0]
    assert int("".join(byte.bits[byte.mark :] for byte in point.bytes), 2) == ord(character)
    marks = [byte.bits[: byte.mark] for byte in point.bytes]
    n = len(character.encode())
    assert marks == (["0"] if n == 1 else ["1" * n + "0"] + ["10"] * (n - 1))
    assert [byte.role for byte in point.bytes] == (["single"] if n == 1 else ["lead"] + ["continuation"] * (n - 1))


@pytest.mark.parametrize(
    ("character", "name"),
    [
        ("ï", "LATIN SMALL LETTER I WITH DIAERESIS"),
        ("日", "CJK UNIFIED IDEOGRAPH-65E5"),
        ("\u200d", "ZERO WIDTH JOINER"),
        ("\n", "LINE FEED"),
        ("\t", "CHARACTER TABULATION"),
        ("\x01", "<control-0001>"),
        ("\ue000", "<private-use-E000>"),
        ("\U0010ffff", "<noncharacter-10FFFF>"),
        ("\ufdd0", "<noncharacter-FDD0>"),
        ("\u0378", "<reserved-0378>"),
    ],
)
def test_what_has_no_name_has_an_alias_or_a_label(character: str, name: str) -> None:
    assert character_name(character) == name


def test_the_i_with_two_dots_is_two_bytes_of_one_token() -> None:
    view = byte_view("naïve", gpt2().tokenize("naïve"))[2]
    assert [byte.hex for byte in view.bytes] == ["C3", "AF"]
    assert [byte.bits for byte in view.bytes] == ["11000011", "10101111"]
    assert [byte.mark for byte in view.bytes] == [3, 2]
    assert view.tokens == (1,)


def test_white_space_between_tokens_is_in_none() -> None:
    views = byte_view("a b", [Token(0, b"a", 0, 1), Token(1, b"b", 2, 3)])
    assert [byte.token for view in views for byte in view.bytes] == [0, None, 1]
    assert views[1].tokens == ()


@settings(deadline=None)
@given(st.integers(0, 30), st.integers(0, 30))
def test_a_stretch_is_that_part_of_the_whole(first: int, length: int) -> None:
    tokens = get_tokenizer("bytes").tokenize(TEXT)
    assert byte_view(TEXT, tokens, first=first, stop=first + length) == byte_view(TEXT, tokens)[first : first + length]


def test_a_stretch_that_ends_before_it_begins_is_refused() -> None:
    with pytest.raises(ValueError, match="first=3, stop=2: characters are counted from 0"):
        byte_view("abcd", [], first=3, stop=2)
    with pytest.raises(ValueError, match="first=-1, stop=None"):
        byte_view("abcd", [], first=-1)
