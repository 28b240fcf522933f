"""Each lesson that ships is there in every language: the same stops, of which only the words and examples differ."""

import pytest

from embedlib.examples import EXAMPLES, in_language
from embedlib.tokenizers import get_tokenizer
from ui.i18n import NAMES, speak
from ui.lessons.lesson import FOLDER, Stop, shipped
from ui.lessons.settings import shipped_names


def structure(stop: Stop, language: str) -> tuple[object, ...]:
    """Return what of a stop is the same in every language, with its English examples as that language has them."""
    settings = {name: in_language(value, language) for name, value in stop.settings.items()}
    question, answer = stop.question, None
    if question is not None:
        is_word = isinstance(question.answer, str) and question.answer in question.choices
        answer = question.choices.index(str(question.answer)) if is_word else question.answer
    return (
        *(stop.page, settings, stop.light, bool(stop.attempt), answer),
        question and (len(question.choices), question.digits),
    )


@pytest.mark.parametrize("language", [code for code in NAMES if code != "en"])
@pytest.mark.parametrize("name", [*shipped_names(), "example"])
def test_a_lesson_differs_in_its_words_and_examples_alone(name: str, language: str) -> None:
    assert (FOLDER / language / f"{name}.yaml").exists()
    speak("en")
    english = shipped(name)
    speak(language)
    try:
        lesson = shipped(name)
    finally:
        speak("en")
    assert lesson.title != english.title
    assert [structure(stop, "en") for stop in lesson.stops] == [structure(stop, language) for stop in english.stops]
    assert all(one.say != other.say for one, other in zip(lesson.stops, english.stops, strict=True))


@pytest.mark.parametrize("language", NAMES)
def test_what_a_lesson_says_of_its_examples_is_so_in_every_language(language: str) -> None:
    speak(language)
    try:
        layer, batches = shipped("embedding_layer").stops, shipped("batches_and_positions").stops
    finally:
        speak("en")
    text = in_language(EXAMPLES["fox"].text, language)
    words = sorted(text.split(), key=str.casefold)
    assert " ".join(words[number] for number in (2, 3, 5, 1)) in layer[2].say
    assert words[4] in layer[1].say
    n_tokens = len(get_tokenizer("gpt2").encode(in_language(EXAMPLES["long"].text, language)))
    assert str(n_tokens) in batches[0].say
