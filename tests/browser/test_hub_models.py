"""Models of a Hub of our own in a browser: chosen by typing, fetched in the background, and a tokenizer of a file."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tokenizers import Tokenizer, models, pre_tokenizers

from tests.browser.accessibility import violations
from tests.browser.conftest import NewPage
from tests.browser.idle import idle, linked
from tests.browser.serving import Server, running_server
from tests.embedlib.checkpoints.hub import Hub, running_hub
from tests.embedlib.checkpoints.models import save
from tests.messages import wording

WORDS = ["?", *(f"word{number}" for number in range(1, 97))]


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    folder = tmp_path_factory.mktemp("model")
    save("gpt2", "float32", folder)
    tokenizer = Tokenizer(models.WordLevel({word: row for row, word in enumerate(WORDS)}, unk_token="?"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    with running_hub() as server:
        server.models |= {"owner/small": folder, "owner/other": folder}
        yield server


@pytest.fixture(scope="module")
def asking(browser: Browser, hub: Hub, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that takes our Hub for the Hub."""
    folder = tmp_path_factory.mktemp("asking")
    settings = {"HF_ENDPOINT": hub.endpoint, "HF_HOME": str(folder / "home"), "NO_PROXY": "*"}
    with running_server(folder, settings=settings) as server:
        yield server
    log = server.log.read_text()
    assert "Traceback" not in log, f"a page failed on the server:\n{log}"
    assert server.connections.read_text() == ""


def choose(page: Page, key: str, source: str) -> None:
    box = page.locator(f".st-key-{key} input")
    box.fill(source)
    box.press("Enter")


def title(page: Page, name: str) -> None:
    expect(page.get_by_test_id("token-count").filter(has_text=name)).to_be_visible()


@pytest.mark.thorough
def test_a_model_is_chosen_by_typing_and_its_rows_are_seen(asking: Server, new_page: NewPage, hub: Hub) -> None:
    page = new_page(asking)
    page.goto("/projection?vectors=model&text=word3+word5&map=pca")
    idle(page)
    before = len(hub.asked)
    choose(page, "choose_model", "owner/none")
    error = page.get_by_test_id("stAlertContentError")
    expect(error).to_contain_text("owner/none")  # said, and what was in view stays
    expect(page.get_by_test_id("point-cloud")).to_be_visible()
    assert len(hub.asked) > before
    choose(page, "choose_model", "owner/small")
    load = page.get_by_role("button", name=wording("Load all {rows:,} rows of…", rows="97"))
    expect(load).to_contain_text("owner/small")
    load.click()
    expect(page.get_by_text(wording("{file}: {rows:,} rows ×…", rows="97"))).to_be_visible()
    idle(page)
    expect(page).to_have_url(linked("model=owner%2Fsmall"))
    expect(error).to_have_count(0)
    assert violations(page) == []


@pytest.fixture(scope="module")
def page(asking: Server, new_shared_page: NewPage) -> Page:
    """The page of tokens, opened once for the tests that add a tokenizer."""
    page = new_shared_page(asking)
    page.goto("/tokens?text=word1+word2")
    idle(page)
    page.get_by_text(wording("Tokenizer of a model")).click()
    return page


@pytest.mark.thorough
def test_a_tokenizer_comes_while_the_page_goes_on(page: Page, hub: Hub) -> None:
    hub.faults[:] = ["status 500"] * 3
    choose(page, "add_tokenizer", "owner/other")
    again = page.locator(".st-key-tokenizer-owner-other_again button")
    expect(again).to_be_visible()
    page.locator(".st-key-live-text textarea").fill("word1 word2 word3")
    title(page, "words")
    again.click()
    title(page, "other")
    expect(page.get_by_test_id("token-count").filter(has_text="other")).to_contain_text("3")
    idle(page)
    assert violations(page) == []


@pytest.mark.thorough
def test_a_tokenizer_of_a_file_joins_and_a_damaged_one_is_said(page: Page, hub: Hub, tmp_path: Path) -> None:
    before = len(hub.asked)
    file = tmp_path / "tokenizer.json"
    file.write_bytes(b"[]")
    uploader = page.locator("[data-testid=stFileUploaderDropzoneInput]")
    uploader.set_input_files(file)
    error = page.get_by_test_id("stAlertContentError")
    expect(error).to_contain_text("tokenizer.json")
    idle(page)  # until then two stand there: the one that took it, and the one that takes the next
    file.write_bytes((hub.models["owner/small"] / "tokenizer.json").read_bytes())
    uploader.set_input_files(file)
    title(page, "your file")
    expect(error).to_have_count(0)
    assert len(hub.asked) == before
