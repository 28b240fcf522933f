"""A lesson's file: read whole, or refused with what is wrong and its line."""

import pytest

from tests.messages import message
from ui.lessons.lesson import MOST_CHARACTERS, LessonError, format_setting, read_lesson

WHOLE = """\
lesson: 1
title: A lesson
stops:
  - page: tokens
    title: One stop
    say: Two sentences.
"""


def problems(source: str) -> list[tuple[int, str]]:
    with pytest.raises(LessonError) as error:
        read_lesson(source)
    return [(problem.line, problem.sentence) for problem in error.value.problems]


def test_a_whole_file_is_read_as_it_stands() -> None:
    lesson = read_lesson(
        WHOLE
        + """\
    try: Look.
    light: token-rows
    control: live-text
    settings: {tokenizers: [words, gpt2], pieces: 500, closely: bytes}
    question: {ask: "How many?", choices: [one, two], answer: two, why: Count., hint: Look.}
    notes: Wait.
  - page: ""
    title: Two
    say: Words.
    settings: {scale: true, layer_rate: 0.5}
    question: {ask: Of, answer: 1.5, digits: 1}
"""
    )
    assert (lesson.title, lesson.summary, lesson.language) == ("A lesson", "", "en")
    first, second = lesson.stops
    assert (first.page, first.title, first.say, first.attempt) == ("tokens", "One stop", "Two sentences.", "Look.")
    assert first.settings == {"tokenizers": "words,gpt2", "pieces": "500", "closely": "bytes"}
    assert first.question is not None
    assert (first.question.choices, first.question.answer, first.question.digits) == (("one", "two"), "two", 0)
    assert (first.light, first.control, first.notes) == ("token-rows", "live-text", "Wait.")
    assert (first.question.why, first.question.hint) == ("Count.", "Look.")
    assert second.settings == {"scale": "1", "layer_rate": "0.5"}
    assert second.question is not None
    assert (second.question.answer, second.question.digits, second.question.choices) == (1.5, 1, ())


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("", 1),
        ("a lesson", 1),
        ("[1, 2]", 1),
        (WHOLE.replace("lesson: 1", "lesson: 2"), 1),
        (WHOLE.replace("title: A lesson\n", ""), 1),
        (WHOLE.replace("A lesson", "[a, b]"), 2),
        (WHOLE.replace("A lesson", "2026-11-24\nextra: 1"), 3),
        (WHOLE.replace("A lesson", "x" * 81), 2),
        (WHOLE + "    sayy: wrong\n", 7),
        (WHOLE + "    light: a.b > c\n", 7),
        (WHOLE + "    light: token-row\n", 7),
        (WHOLE + "    light: vector-sum\n", 7),  # of another page
        (WHOLE + "    control: vector-sum\n", 7),
        (WHOLE.replace("    say: Two sentences.\n", ""), 4),
        (WHOLE.replace("page: tokens", "page: nowhere"), 4),
        (WHOLE + "    settings: {}\n    question:\n      ask: Why?\n", 8),
        (WHOLE + "    settings:\n      tokenizers: [words]\n      closely: nobody\n", 9),
        (WHOLE + "    settings: {stop: 3}\n", 7),
        (WHOLE + "    settings: {d_model: 1.5}\n", 7),
        (WHOLE + "    settings: {text: {deep: 1}}\n", 7),
        (WHOLE + "    question: {ask: Why?, answer: =nobody}\n", 7),
        (WHOLE + "    question: {ask: Why?, answer: because}\n", 7),
        (WHOLE + "    question: {ask: Why?, answer: .nan}\n", 7),
        (WHOLE + "    question: {ask: Why?, answer: 3, choices: [one, two]}\n", 7),
        (WHOLE + "    question: {ask: Why?, answer: 1, digits: 7}\n", 7),
        (WHOLE + "    title: Again\n", 7),
        (WHOLE + "    step: -1\n", 7),
        (WHOLE.replace("page: tokens", "page: compare") + "    step: 1\n", 7),
        (WHOLE.replace("page: tokens", 'page: ""') + "    step: 5\n", 7),
        (WHOLE + "    try: &a [x]\n    notes: *a\n", 8),
        (WHOLE + "    try: " + "[" * 20 + "]" * 20 + "\n", 7),
        (WHOLE + "  - [\n", 8),
        (WHOLE + "    say: !!python/object/apply:os.system [ls]\n", 7),
        (WHOLE + "---\nlesson: 1\n", 7),
        (WHOLE + '    try: "\x07"\n', 1),
        ("\t" + WHOLE, 1),
        ("lesson: 1\n? [a, b]\n: c\n", 1),
    ],
)
def test_a_file_that_is_no_lesson_is_refused_with_the_line_of_what_is_wrong(source: str, line: int) -> None:
    found = problems(source)
    assert line in [at for at, _sentence in found]
    assert all(sentence and len(sentence) < 1_500 for _at, sentence in found)


def test_sentences_name_what_is_missing_unknown_or_twice() -> None:
    said = {
        WHOLE.replace("title: A lesson\n", ""): message("“{name}” is missing.", name="title"),
        WHOLE + "    title: Again\n": message("“{key}” is there twice.", key="title"),
        WHOLE.replace("lesson: 1", "lesson: 2"): message("Set “{key}” to {version}.", key="lesson", version=1),
        WHOLE + "    settings: {nothing: 3}\n": message("No setting “{name}”.", name="nothing"),
    }
    for source, sentence in said.items():
        assert sentence in [found for _line, found in problems(source)]
    missing = [message("“{name}” is missing.", name=name) for name in ("lesson", "stops")]
    assert [sentence for _line, sentence in problems("title: A lesson")] == missing


def test_a_step_is_one_of_the_pages_player_in_the_link() -> None:
    (stop,) = read_lesson(WHOLE + "    step: 3\n    settings: {closely: gpt2}\n").stops
    assert stop.settings == {"closely": "gpt2", "look": "1~merge-player.step!3"}


def test_what_breaks_the_format_hides_nothing_of_other_stops() -> None:
    source = WHOLE + "    sayy: wrong\n  - {page: nowhere, title: T, say: S}\n"
    assert [line for line, _sentence in problems(source)] == [7, 8]


def test_problems_come_by_line_and_at_most_ten() -> None:
    many = WHOLE + "  - {page: nowhere, title: T, say: S}\n" * 30
    lines = [line for line, _sentence in problems(many)]
    assert lines == list(range(7, 17))


def test_a_file_of_a_million_aliases_or_brackets_is_refused_before_it_grows() -> None:
    laughs = "a: &a [x, x]\nb: &b [*a, *a]\n"
    assert [line for line, _sentence in problems(laughs)] == [2]
    assert [line for line, _sentence in problems("[" * (MOST_CHARACTERS - 1))] == [1]
    assert [line for line, _sentence in problems("x" * (MOST_CHARACTERS + 1))] == [1]


def test_dates_and_numbers_of_bases_are_text_or_refused_and_never_break() -> None:
    assert read_lesson(WHOLE.replace("title: A lesson", "title: 2026-11-24")).title == "2026-11-24"
    assert problems(WHOLE.replace("title: A lesson", "title: 2026-13-45"))
    assert problems(WHOLE + "    question: {ask: Why?, answer: " + "9" * 5_000 + "}\n")


@pytest.mark.parametrize(
    ("value", "text"), [(True, "1"), (False, "0"), (None, ""), (["a", 1], "a,1"), (0.5, "0.5"), (3, "3"), ("x", "x")]
)
def test_values_are_written_as_links_have_them(value: object, text: str) -> None:
    assert format_setting(value) == text
