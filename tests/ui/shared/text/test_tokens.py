"""From a text to tokens or one sentence, on every page that has tokens of a text."""

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from embedlib.tokenizers import vocabularies
from tests.messages import wording
from tests.ui.pages import open_page, says, sentences, wait_for
from tests.waiting import PATIENCE
from ui.jobs import downloads
from ui.shared.text import tokens

PAGES = ("pipeline", "embedding_layer", "compare", "batches")
NO_TOKENS = "The text has no tokens: type something."


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("link", [{"text": ""}, {"text": " \n\t ", "tokenizer": "words"}])
def test_a_text_without_a_token_is_one_sentence(page: str, link: dict[str, str]) -> None:
    app = open_page(page, batches_source="text", **link)
    assert not app.exception
    assert len(sentences(app)) == 1
    assert wording(NO_TOKENS).fullmatch(sentences(app)[0])


@pytest.mark.parametrize(
    ("page", "limit", "link"),
    [
        ("pipeline", "2,000", {}),
        ("pipeline", "1,024", {"scheme": "learned"}),
        ("embedding_layer", "64", {}),
        ("compare", "256", {}),
    ],
)
def test_a_text_longer_than_the_page_draws_is_cut_and_said(page: str, limit: str, link: dict[str, str]) -> None:
    app = open_page(page, tokenizer="bytes", text="x" * 2_500, **link)
    assert not app.exception
    assert says(app, "Shown: {limit:,} of {total:,} tokens.", limit=limit, total="2,500")


@pytest.fixture
def nothing_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("EMBEDLIB_CACHE", str(tmp_path))
    downloads.forget_finished()
    yield
    downloads.forget_finished()


def fail_with(cause: vocabularies.Cause) -> vocabularies.VocabularyUnavailable:
    return vocabularies.VocabularyUnavailable("cl100k_base", cause, "a sentence of the library")


@pytest.mark.usefixtures("nothing_fetched")
@pytest.mark.parametrize(
    ("page", "cause", "sentence"),
    [
        ("pipeline", "network", wording("{name} cannot be fetched: its…")),
        ("embedding_layer", "timeout", wording("{name} cannot be fetched: its…")),
        ("compare", "content", wording("{name} has changed on its server.")),
        ("batches", "disk", wording("{name} cannot be stored here.")),
        ("positions", "network", wording("{name} cannot be fetched: its…")),
    ],
)
def test_a_vocabulary_that_cannot_be_had_is_one_sentence(
    page: str, cause: vocabularies.Cause, sentence: re.Pattern[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [fail_with(cause), fail_with(cause)]
    monkeypatch.setattr(tokens, "download_vocabulary", lambda _name: _raise(answers.pop()))
    app = open_page(page, tokenizer="cl100k_base")
    wait_for(app, lambda: any(sentence.search(found) for found in sentences(app)), lambda: sentences(app))
    assert len(app.error) == 1
    app.button(key="vocabulary-cl100k_base_again").click().run()  # asks the server once more
    wait_for(app, lambda: not answers and app.error, lambda: sentences(app))
    if page == "pipeline":
        app.selectbox(key="tokenizer").set_value("gpt2").run()
        assert sentences(app) == []


def _raise(error: Exception) -> None:
    raise error


@pytest.mark.usefixtures("nothing_fetched")
def test_the_page_waits_for_a_slow_server_without_standing_still(monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()
    started = []

    def wait(name: str) -> None:
        started.append(name)
        released.wait(PATIENCE)
        raise fail_with("network")

    monkeypatch.setattr(tokens, "download_vocabulary", wait)
    app = open_page(tokenizer="o200k_base")
    (progress,) = app.get("progress")
    assert wording("Vocabulary of {name}", name="o200k_base").search(progress.proto.text)
    app.run()
    app.number_input(key="d_model").set_value(32).run()
    assert started == ["o200k_base"]
    released.set()
    wait_for(app, lambda: app.error)
