"""Sentences are found by their English msgid or its beginning, and one that is not there is never found."""

import re

import pytest

from tests.messages import all_messages, value_in, whole, wording
from ui.shared.text.tokens import token_limit_notice

SHOWN = "Shown: {limit:,} of {total:,} tokens."


def test_a_sentence_is_told_from_the_same_with_another_value() -> None:
    said = token_limit_notice(3_000, 2_000)
    assert said is not None
    assert wording(SHOWN, limit="2,000").search(said)
    assert whole(wording(SHOWN, total="3,000", limit="2,000")).search(said)
    assert not wording(SHOWN, total="3,001").search(said)
    assert not whole(wording(SHOWN)).search(f"{said} And more.")


def test_a_value_is_read_out_of_the_sentence_that_holds_it() -> None:
    said = token_limit_notice(3_000, 2_000)
    assert said is not None
    assert value_in(f"First. {said}", SHOWN, "total") == "3,000"
    assert value_in(said, SHOWN, "limit") == "2,000"
    assert value_in("3,000 tokens", SHOWN, "total") is None


@pytest.mark.parametrize("msgid", ["Shown: {limit:,} of", "No such sentence…", "{file}…"])
def test_no_sentence_or_several_is_an_error(msgid: str) -> None:
    with pytest.raises(LookupError, match=re.escape(msgid)):
        wording(msgid)


def test_a_value_that_the_sentence_does_not_have_is_an_error() -> None:
    with pytest.raises(LookupError, match="no such sentence"):
        wording(SHOWN, colour="red")


def test_the_screen_has_one_apostrophe() -> None:
    straight = [form for forms in all_messages() for form in forms if "'" in form]
    assert not straight, f"write ’ as the sentences around do: {straight}"
