import re
import string

import pytest

from embedlib.tables import TABLE_ERRORS, TABLE_NOTES, TableError, TableNote
from tests.messages import wording
from tests.ui.marked import speak_marked
from ui.projection.tables import error_sentence, note_sentence

HOSTILE = "`<b>x</b>` [l](http://x) $a$ :red[y] *z*"
# As CommonMark reads it: from a run of backticks to the next run that is as long.
CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)")


def values_of(template: str) -> dict[str, object]:
    """Fill every name: numbers where the sentence formats one, hostile text elsewhere."""
    fields = [(name, form) for _, name, form, _ in string.Formatter().parse(template) if name]
    return {
        name: 12345 if form else (HOSTILE, "b") if name in {"choices", "names", "known"} else HOSTILE
        for name, form in fields
    }


@pytest.mark.parametrize("code", TABLE_ERRORS)
def test_every_error_has_a_translated_sentence_with_foreign_text_as_code(
    code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    speak_marked(monkeypatch)
    found = error_sentence(TableError(code, **values_of(TABLE_ERRORS[code])))
    assert found.startswith("⟦")
    assert found.endswith(".⟧")
    outside = CODE_SPAN.sub("", found)
    assert not re.search(r"[<>\[\]$*{}]|:red", outside)


@pytest.mark.parametrize("code", TABLE_NOTES)
def test_every_note_has_a_translated_sentence(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    speak_marked(monkeypatch)
    found = note_sentence(TableNote(code, values_of(TABLE_NOTES[code])))
    assert found.startswith("⟦")
    assert not re.search(r"[<>\[\]$*{}]|:red", CODE_SPAN.sub("", found))


def test_a_long_name_is_cut_and_numbers_are_grouped() -> None:
    error = TableError("labels", file="n" * 300 + ".tsv", labels=50258, rows=50257)
    assert wording(TABLE_ERRORS["labels"], labels="50,258", rows="50,257").fullmatch(error_sentence(error))
    assert len(error_sentence(error)) < 300
