"""Each lesson that ships is there in every language: the same stops, with their words and examples in it."""

import pytest

from embedlib.examples import EXAMPLES, in_language
from embedlib.tokenizers import get_tokenizer
from ui.i18n import NAMES, set_run_language
from ui.lessons.lesson import Stop, read_lesson, shipped_lesson, shipped_source
from ui.settings import shipped_names


def words_of(stop: Stop) -> dict[str, str]:
    """Return what a stop says, by what it is."""
    question = stop.question
    asked = {"ask": question.ask, "why": question.why, "hint": question.hint} if question else {}
    return {"title": stop.title, "say": stop.say, "try": stop.attempt, "notes": stop.notes} | asked


@pytest.mark.parametrize("language", [code for code in NAMES if code != "en"])
@pytest.mark.parametrize("name", [*shipped_names(), "example"])
def test_a_lesson_says_all_that_it_says_in_every_language(name: str, language: str) -> None:
    english, lesson = (read_lesson(shipped_source(name, code)) for code in ("en", language))
    assert (lesson.title != english.title, lesson.summary != english.summary) == (True, True)
    assert bool(english.level) == (lesson.level != english.level)
    for one, other in zip(english.stops, lesson.stops, strict=True):
        settings = {setting: in_language(value, language) for setting, value in one.settings.items()}
        assert (other.page, other.light, other.settings) == (one.page, one.light, settings)
        said, written = words_of(one), words_of(other)
        assert [what for what in said if said[what] and said[what] == written[what]] == []
        if one.question and one.question.choices:
            assert other.question is not None
            assert len(one.question.choices) == len(other.question.choices)


@pytest.mark.parametrize("language", NAMES)
def test_what_a_lesson_says_of_its_examples_is_so_in_every_language(language: str) -> None:
    set_run_language(language)
    try:
        layer, batches = shipped_lesson("embedding_layer").stops, shipped_lesson("batches_and_positions").stops
    finally:
        set_run_language("en")
    text = in_language(EXAMPLES["fox"].text, language)
    words = sorted(text.split(), key=str.casefold)
    assert " ".join(words[number] for number in (2, 3, 5, 1)) in layer[2].say
    assert words[4] in layer[1].say
    n_tokens = len(get_tokenizer("gpt2").encode(in_language(EXAMPLES["long"].text, language)))
    assert str(n_tokens) in batches[0].say
