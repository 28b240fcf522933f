from itertools import accumulate

from hypothesis import example, given
from hypothesis import strategies as st

from embedlib.tokenizers import code_points
from embedlib.tokenizers.unicode import byte_offsets, distinct_codes, where_true

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@given(text=TEXTS)
@example(text="")
@example(text="\x7f\x80\u07ff\u0800\uffff\U00010000\U0010ffff")
def test_code_points_and_where_each_begins_in_utf8_are_those_of_each_character(text: str) -> None:
    codes = code_points(text)
    assert codes.tolist() == [ord(character) for character in text]
    assert byte_offsets(codes).tolist() == [0, *accumulate(len(character.encode()) for character in text)]
    assert distinct_codes(codes).tolist() == sorted(set(codes.tolist()))


@given(text=TEXTS)
def test_a_question_is_answered_for_every_character_and_asked_once_for_each_distinct_one(text: str) -> None:
    asked: list[str] = []

    def is_upper(character: str) -> bool:
        asked.append(character)
        return character.isupper()

    assert where_true(code_points(text), is_upper).tolist() == [character.isupper() for character in text]
    assert asked == sorted(set(text))
