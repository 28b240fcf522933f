import numpy as np
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from embedlib.tokenizers.unicode import byte_offsets, byte_starts, graphemes


@given(st.text(st.sampled_from("ab \r\n\té\u0301\u200d👩👧हि्न🇫🇷\u0600ᄀ")))
def test_short_cuts_give_what_the_regular_expression_gives(text: str) -> None:
    assert graphemes(text) == regex.findall(r"\X", text)


@given(st.text(st.characters(codec="utf-8")))
@example("")
@example("\x7f\x80\u07ff\u0800\uffff\U00010000\U0010ffff")
def test_starts_are_where_each_character_and_each_code_point_begins_in_utf8(text: str) -> None:
    columns = graphemes(text)
    expected = [len("".join(columns[:n]).encode()) for n in range(len(columns) + 1)]
    np.testing.assert_array_equal(byte_starts(columns), expected)
    np.testing.assert_array_equal(byte_offsets(text), [len(text[:n].encode()) for n in range(len(text) + 1)])
