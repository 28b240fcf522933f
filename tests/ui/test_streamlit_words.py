"""The words that are written over are those that Streamlit says."""

import re
from pathlib import Path

import pytest
from streamlit import file_util

from tests.ui.marked import OPEN, speak_marked
from ui.i18n import set_run_language
from ui.streamlit_words import OURS, WORDS, streamlit_words


def test_streamlit_says_these_words() -> None:
    scripts = Path(file_util.get_static_dir(), "static", "js").glob("*.js")
    said = "".join(path.read_text(encoding="utf-8") for path in scripts)
    words = [
        word.replace("Enter to apply", "Enter to ").replace("MB per", " per").replace("MB or", " or")
        for word in (*WORDS, *OURS)
    ]
    words = [re.sub("^(AxiosError|Error)?: |413$", "", word) for word in words]
    parts = {part for word in words for part in re.split(r"\{\w+\}", word)}
    assert {part for part in parts if part not in said} == set()


def test_they_are_translated_and_english_has_those_that_are_no_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    english = streamlit_words()
    assert {word.partition(":")[0] for word in english} == {"AxiosError", "Collapse sidebar", "Expand sidebar"}
    assert all("Axios" not in said for said in english.values())
    speak_marked(monkeypatch)
    assert all(said.startswith(OPEN) for said in streamlit_words().values())


def test_what_ours_says_has_no_holes_but_streamlits() -> None:
    set_run_language("fr")
    words = streamlit_words()
    set_run_language("en")
    hole = re.compile(r"{.*?}")
    assert [word for word, said in words.items() if not set(hole.findall(said)) <= set(hole.findall(word))] == []
