"""Each lesson that ships is there in every language: the same stops, of which only the words differ."""

import pytest

from ui.i18n import NAMES, speak
from ui.lessons.lesson import FOLDER, Stop, shipped
from ui.lessons.settings import shipped_names


def structure(stop: Stop) -> tuple[object, ...]:
    """Return what of a stop is the same in every language."""
    question, answer = stop.question, None
    if question is not None:
        is_word = isinstance(question.answer, str) and question.answer in question.choices
        answer = question.choices.index(str(question.answer)) if is_word else question.answer
    return (
        *(stop.page, stop.settings, stop.light, bool(stop.attempt), answer),
        question and (len(question.choices), question.digits),
    )


@pytest.mark.parametrize("language", [code for code in NAMES if code != "en"])
@pytest.mark.parametrize("name", [*shipped_names(), "example"])
def test_a_lesson_differs_in_its_words_alone(name: str, language: str) -> None:
    assert (FOLDER / language / f"{name}.yaml").exists()
    speak("en")
    english = shipped(name)
    speak(language)
    try:
        lesson = shipped(name)
    finally:
        speak("en")
    assert lesson.title != english.title
    assert [structure(stop) for stop in lesson.stops] == [structure(stop) for stop in english.stops]
    assert all(one.say != other.say for one, other in zip(lesson.stops, english.stops, strict=True))
