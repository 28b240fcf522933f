import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from embedlib.tokenizers import vocabularies
from tests.messages import wording
from tests.ui.pages import find_control, open_page, sentences, wait_for
from tests.waiting import PATIENCE
from ui.shared import downloads


@pytest.fixture(autouse=True)
def nothing_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("EMBEDLIB_CACHE", str(tmp_path))
    downloads._attempts.clear()
    yield
    downloads._attempts.clear()


def fail_with(cause: str) -> vocabularies.VocabularyUnavailable:
    return vocabularies.VocabularyUnavailable("cl100k_base", cause, "a sentence of the library")


@pytest.mark.parametrize(
    ("cause", "sentence"),
    [
        ("network", wording("{name} cannot be fetched: its…")),
        ("timeout", wording("{name} cannot be fetched: its…")),
        ("content", wording("{name} has changed on its server.")),
        ("disk", wording("{name} cannot be stored here.")),
    ],
)
def test_a_vocabulary_that_cannot_be_had_is_one_sentence(
    cause: str, sentence: re.Pattern[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_name: str) -> None:
        raise fail_with(cause)

    monkeypatch.setattr(downloads, "download_vocabulary", refuse)
    app = open_page(tokenizer="cl100k_base")
    wait_for(app, lambda: any(sentence.search(found) for found in sentences(app)), lambda: sentences(app))
    assert not app.exception
    assert len(sentences(app)) == 1
    assert sentence.search(sentences(app)[0])
    find_control(app, "tokenizer").set_value("gpt2").run()
    assert sentences(app) == []


def test_the_page_waits_for_a_slow_server_without_standing_still(monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()
    started = []

    def wait(name: str) -> None:
        started.append(name)
        released.wait(PATIENCE)
        raise fail_with("network")

    monkeypatch.setattr(downloads, "download_vocabulary", wait)
    app = open_page(tokenizer="o200k_base")
    assert wording("Fetching the vocabulary of {name}…", name="o200k_base").search(sentences(app)[0])
    app.run()
    find_control(app, "d_model").set_value(32).run()
    assert started == ["o200k_base"]
    released.set()
