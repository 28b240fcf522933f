"""Sentences are found by where they are said, and one that is not there is never found."""

import pytest

from tests.messages import all_messages, value_in, whole, wording
from ui.shared.text.prepared import token_limit_notice

# Of all messages in English, with each plural form: what pages say and label, what refuses with its
# remedy, lecture halls, own schemes and the doctor. A text that is longer is not read.
MOST_WORDS = 10_000


def test_a_sentence_is_told_from_the_same_with_another_value() -> None:
    said = token_limit_notice(3_000, 2_000)
    assert said is not None
    assert wording("ui.shared:token_limit_notice", limit="2,000").search(said)
    assert whole(wording("ui.shared:token_limit_notice", total="3,000", limit="2,000")).search(said)
    assert not wording("ui.shared:token_limit_notice", total="3,001").search(said)
    assert not whole(wording("ui.shared:token_limit_notice")).search(f"{said} And more.")


def test_a_value_is_read_out_of_the_sentence_that_holds_it() -> None:
    said = token_limit_notice(3_000, 2_000)
    assert said is not None
    assert value_in(f"First. {said}", "ui.shared:token_limit_notice", "total") == "3,000"
    assert value_in(said, "ui.shared:token_limit_notice", "limit") == "2,000"
    assert value_in("3,000 tokens", "ui.shared:token_limit_notice", "total") is None


@pytest.mark.parametrize("place", ["ui.shared:no_such_function", "ui.shared", "ui.shared:prepare.append.format#9"])
def test_a_place_without_a_sentence_or_with_several_is_an_error(place: str) -> None:
    with pytest.raises(LookupError, match=place):
        wording(place)


def test_a_value_that_the_sentence_does_not_have_is_an_error() -> None:
    with pytest.raises(LookupError, match="no such sentence"):
        wording("ui.shared:token_limit_notice", colour="red")


def test_the_screen_has_few_words() -> None:
    words = sum(len(form.split()) for forms in all_messages() for form in forms)
    assert words <= MOST_WORDS, f"{words} words on the screen, at most {MOST_WORDS}: say as much in fewer"


def test_the_screen_has_one_apostrophe() -> None:
    straight = [form for forms in all_messages() for form in forms if "'" in form]
    assert not straight, f"write ’ as the sentences around do: {straight}"
