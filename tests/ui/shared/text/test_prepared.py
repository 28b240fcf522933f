import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.messages import wording
from ui.shared.text.prepared import MAX_CHARACTERS, prepare
from ui.shared.text.tokens import token_limit_notice


def test_a_sound_text_stays_as_it_is() -> None:
    prepared = prepare("two\nlines, 日本語, \t and <b>tags</b>")
    assert prepared.text == "two\nlines, 日本語, \t and <b>tags</b>"
    assert prepared.notices == []


def test_a_megabyte_is_cut_and_said() -> None:
    prepared = prepare("x" * (MAX_CHARACTERS + 1), total_characters=1_000_000)
    assert prepared.text == "x" * MAX_CHARACTERS
    (notice,) = prepared.notices
    assert wording("Used: {limit:,} of {total:,}…", total="1,000,000", limit="20,000").fullmatch(notice)


@pytest.mark.parametrize(
    ("text", "kept", "count"),
    [("a\ud800b", "ab", "1"), ("\udfff\ud800", "", "2")],
)
def test_halves_of_surrogate_pairs_are_left_out_and_said(text: str, kept: str, count: str) -> None:
    prepared = prepare(text)
    assert prepared.text == kept
    (notice,) = prepared.notices
    assert wording("Halves of surrogate pairs left…", count=count).fullmatch(notice)


@given(st.text(st.characters()))
def test_what_is_prepared_always_has_a_utf8_form(text: str) -> None:
    prepared = prepare(text)
    prepared.text.encode("utf-8")
    assert (prepared.text == text) == (not prepared.notices)


def test_the_token_limit_is_said_only_past_it() -> None:
    assert token_limit_notice(2_000, 2_000) is None
    assert wording("Shown: {limit:,} of {total:,}…", total="2,001", limit="2,000").fullmatch(
        token_limit_notice(2_001, 2_000)
    )
