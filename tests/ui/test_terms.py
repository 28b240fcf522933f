"""The English of a term is told in the languages that have another word for it, as the glossary has it."""

import re
from pathlib import Path

import pytest

from ui.i18n import LOCALE_DIRECTORY, set_run_language
from ui.terms import english_terms

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("language", "form", "term"), [("fr", "jeton", "token"), ("zh", "词元", "token")])
def test_a_page_in_another_language_has_the_english_terms(language: str, form: str, term: str) -> None:
    set_run_language(language)
    try:
        found = english_terms()
    finally:
        set_run_language("en")
    assert found[form] == term
    assert not any(form.lower() == term.lower() or len(form) < 2 for form, term in found.items())
    assert english_terms() == {}


def test_the_terms_are_those_of_the_glossary() -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    rows = {
        tuple(re.sub(r" ?\([^)]*\)", "", cell).strip() for cell in line.strip("| ").split(" | "))
        for line in glossary.splitlines()
        if line.startswith("| ")
    }
    terms = (LOCALE_DIRECTORY / "terms.tsv").read_text(encoding="utf-8").splitlines()
    assert terms
    for line in terms:
        assert tuple(line.split("\t")) in rows, f"docs/glossary.md has no {line!r}"
