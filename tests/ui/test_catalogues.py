"""Every language has every message, whole, with its values and marks, in the terms of the glossary."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from tests.messages import ROOT, all_messages
from ui.i18n import LOCALE_DIRECTORY, NAMES, set_run_language
from ui.lessons.lesson import shipped_lesson
from ui.settings import shipped_names

LANGUAGES = [code for code in NAMES if code != "en"]
VALUE = re.compile(r"\{[^{}]*\}")
MARKS = ("`", "**", "\n", ":material/", "$", "](")
# What is no English: code, values, names of files, modules and models.
NAMES_AND_CODE = re.compile(
    r"`[^`]*`|\{[^{}]*\}|[\w-]+\.(?:png|tsv|json|npz|safetensors)\b|torch\.nn\.\w+"
    r"|Transformer-XL|(?:Music|LeX) Transformer|Transformer \(2017\)"
)
# Words of the table that mean something else in a message, or that it says in another way, by how the message begins.
OTHERWISE = {
    "run": (
        "{source} needs permission",
        "{file} cannot be opened as",
        "{file} is only a Git LFS",
        "UMAP is not installed",
    ),  # a program
    "key": (
        "Keys",
        "Drag or use",
        "{batch} × ",
        "{rows} tokens ×",
        "{tokens} one-hot",
        "Tokens by tokenizer",
        "Characters and",
    ),
    "step": ("Step / mean", "+ and − zoom", "Pages with steps"),
    "id": ("{source} is no", "Or a Hugging Face id"),  # a model's name
    "rank": ("Random weights", "man and woman", "Rank correlation", "Rows: centred"),
    "row": ("shortest to", "rows: added"),
    "bias": ("{schemes}: adds", "bias: added", "All schemes act on the same"),
    "merge": ("✕ neighbours", "✓ no neighbours"),  # become equal
    "sample": ("Drawn:",),
    "settings": ("Stops have",),  # a key of the file
    "stride": ("stride", "Set stride", "Set the stride"),  # the parameter
    "lesson": ("A first lesson of my own",),
    "dimension": ("{file} has shape",),  # of an array
    "median": ("Rows: centred",),
    "embedding": ("Decoder:",),
    "trained length": ("Not learned:",),
    "input": ("Text to input embeddings",),  # a short title
}


@cache
def terms() -> list[tuple[str, dict[str, list[str]]]]:
    """Read the glossary: each term with its forms by language, the longest first."""
    rows = re.findall(r"^\| (?!English|-)(.+) \|$", (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"), re.M)
    found = []
    for row in rows:
        english, *others = (re.sub(r" ?\([^)]*\)", "", cell) for cell in row.split(" | "))
        found.append((english, {code: cell.split(" / ") for code, cell in zip(LANGUAGES, others, strict=True)}))
    return sorted(found, key=lambda term: -len(term[0]))


@cache
def catalogue(language: str) -> Catalog:
    with (LOCALE_DIRECTORY / language / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, language, abort_invalid=True)


def said(language: str) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield the forms of each message, in English and in a language."""
    for message in catalogue(language):
        if message.id:
            yield forms(message.id), forms(message.string)


def forms(text: str | list[str] | tuple[str, ...] | None) -> tuple[str, ...]:
    return (text or "",) if isinstance(text, str | None) else tuple(text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_translated_whole_and_none_is_there_that_nobody_says(language: str) -> None:
    read = catalogue(language)
    wanted = {forms[0]: forms for forms in all_messages()}
    there = {english[0]: others for english, others in said(language)}
    assert sorted(wanted.keys() - there.keys()) == [], f"{language}: missing; bin/catalogues takes them up"
    assert sorted(there.keys() - wanted.keys()) == [], f"{language}: said nowhere; bin/catalogues drops them"
    assert sorted(read.obsolete) == [], f"{language}: left from before"
    assert [message.id for message in read if message.id and message.fuzzy] == [], f"{language}: fuzzy"
    for message, others in there.items():
        count = read.num_plurals if len(wanted[message]) == 2 else 1
        assert (len(others), all(others)) == (count, True), f"{language}: {message!r} has {others}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_has_the_values_the_marks_and_the_ends_of_its_message(language: str) -> None:
    wrong = [
        f"{language}: {english[-1]!r} and {other!r}"
        for english, others in said(language)
        for other in others
        if differs(english[-1], other) and not (other != others[-1] and not differs(english[0], other))
    ]
    assert wrong == []
    # French sets its signs off by a space at which no line may break.
    others = [other for _english, others in said(language) for other in others if language == "fr"]
    assert [other for other in others if re.search(r"\S [:;?!»]|« ", other)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_columns_that_have_two_names_in_english_have_two_in_a_translation(language: str) -> None:
    said_as = {english[0]: other[0] for english, other in said(language)}
    for place, columns in translated_columns():
        names = [said_as[column] for column in columns]
        assert len(set(names)) == len(names), f"{place}: {names}"


@cache
def translated_columns() -> list[tuple[str, list[str]]]:
    """List each dictionary of the interface whose keys are messages: where it stands, and these."""
    found = []
    for file in (ROOT / "ui").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Dict):
                keys = [ast.unparse(key) for key in node.keys if isinstance(key, ast.Call)]
                columns = [ast.literal_eval(key[2:-1]) for key in keys if re.fullmatch(r"_\('[^']*'\)", key)]
                found.append((f"{file}:{node.lineno}", columns))
    assert any(columns for _place, columns in found)
    return found


def differs(english: str, other: str) -> bool:
    """Tell whether a translation has other values, marks or spaces at its ends than its message."""
    values = {tuple(sorted(set(VALUE.findall(text)))) for text in (english, other)}
    marks = {tuple(text.count(mark) for mark in MARKS) for text in (english, other)}
    ends = {(text[:1] == " ", text[-1:] == " ") for text in (english, other)}
    return len(values) > 1 or len(marks) > 1 or len(ends) > 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_has_the_terms_of_the_glossary(language: str) -> None:
    wrong = [
        f"{language}: {term!r} in {english!r} is not {expected} in {other!r}"
        for english, other in [*((english[-1], others[-1]) for english, others in said(language)), *taught(language)]
        for term, expected in missing_terms(english, other, language)
    ]
    assert wrong == [], f"{len(wrong)}"


def taught(language: str) -> Iterator[tuple[str, str]]:
    """Yield each text of the lessons that ship, in English and in a language."""
    for name in [*shipped_names(), "example"]:
        yield from zip(texts_of(name, "en"), texts_of(name, language), strict=True)


def texts_of(name: str, language: str) -> list[str]:
    set_run_language(language)
    try:
        lesson = shipped_lesson(name)
    finally:
        set_run_language("en")
    texts = [lesson.title, lesson.summary]
    for stop in lesson.stops:
        question = stop.question
        asked = " ".join([question.ask, *question.choices, question.why]) if question is not None else ""
        texts += [stop.title, stop.say, stop.attempt, asked, stop.notes]
    return texts


def missing_terms(english: str, other: str, language: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the terms of an English text whose forms a translation lacks."""
    left = NAMES_AND_CODE.sub(" ", english)
    for term, expected in terms():
        word = whole(term, "en")
        if not word.search(left):
            continue
        left = word.sub(" ", left)
        is_meant = not english.startswith(OTHERWISE.get(term, ("\0",)))
        if is_meant and not any(whole(form, language).search(other) for form in expected[language]):
            yield term, expected[language]


@cache
def whole(form: str, language: str) -> re.Pattern[str]:
    """Return the pattern of a term as whole words, in the singular or plural; Chinese has neither."""
    if language == "zh":
        return re.compile(re.escape(form), re.IGNORECASE)
    ending = "(?:e?s|x|e)?" if language == "fr" else "(?:e?s)?"
    words = r"\s+".join(re.escape(word) + ending for word in form.split(" "))
    return re.compile(rf"(?<![\w-]){words}(?!\w)", re.IGNORECASE)


def test_the_checks_can_fail(tmp_path: Path) -> None:
    assert differs("{count:,} of `x`", "{count} de `x`")
    assert differs("{count:,} of `x`", "{count:,} de x")
    assert not differs("**Rows:** {rows}", "**Lignes :** {rows}")
    assert list(missing_terms("Each token picks a row", "Chaque mot choisit une ligne", "fr")) == [("token", ["jeton"])]
    assert list(missing_terms("Embedding matrix", "嵌入", "zh")) == [("embedding matrix", ["嵌入矩阵"])]
    assert not list(missing_terms("The `token` of tokenizer.json", "x", "fr"))
