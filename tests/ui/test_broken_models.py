"""Folders of models with a fault, on every page on which a model can be chosen: a sentence, and the page stays."""

from pathlib import Path

import pytest

from tests.ui.models.test_page import FAULTS, folder_of, spoil
from tests.ui.pages import open_page

PAGES = {
    "projection": {"vectors": "model", "model": "./gpt2"},
    "context": {"model": "./gpt2"},
    "pipeline": {"scheme": "learned", "learned.weights": "./gpt2", "d_model": "24"},
    "compare": {"schemes": "learned:weights=./gpt2,alibi", "d_model": "24"},
    "positions": {"scheme_model": "./gpt2"},
    "tokens": {"tokenizers": "gpt2,./gpt2"},
}
USUAL = "a shard is missing"


@pytest.mark.parametrize("what", [pytest.param(what, marks=[pytest.mark.thorough][what == USUAL :]) for what in FAULTS])
def test_no_page_ends_over_a_fault_of_a_folder(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spoil(folder_of(tmp_path, "gpt2", monkeypatch), what)
    for page, link in PAGES.items():
        app = open_page(page, **link)
        assert (page, list(app.exception)) == (page, [])
        assert app.title or app.header  # it was drawn
