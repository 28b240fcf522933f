"""What the tests of pages share."""

from collections.abc import Iterator
from functools import cache
from importlib import import_module

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import local_script_runner

from ui.shared import page
from ui.training.runs import training_jobs


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no browser here that would need time to draw."""
    monkeypatch.setattr(page, "PAUSE", 0.0)


@pytest.fixture(autouse=True)
def no_training_goes_on() -> Iterator[None]:
    """A page of a training begins it, and nobody leaves a page here: it would go on beside the tests that follow."""
    yield
    training_jobs.stop()


@pytest.fixture(scope="session", autouse=True)
def one_scan_for_components() -> Iterator[None]:
    """For each AppTest Streamlit reads the metadata of all installed packages: three quarters of opening a page."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture(scope="session", autouse=True)
def one_compiling_of_scripts() -> Iterator[None]:
    """Each run of an AppTest would compile app and page anew."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_script_runner, "ScriptCache", cache(ScriptCache))
        yield


@pytest.fixture(scope="module", autouse=True)
def short_verdicts() -> Iterator[None]:
    """Judging a scheme as far as the library does takes longer than drawing its page; its own tests go to the end.

    Put back after each file: those tests may come next.
    """
    verdict = import_module("embedlib.measures.verdict")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verdict, "FARTHEST", 5_120)  # ten times the most positions that a page shows
        patch.setattr(verdict, "_LONGEST_MATRIX", 300)
        yield


@pytest.fixture
def real_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages open as visitors see them, with MiniLM's rows."""
    monkeypatch.delenv("EMBEDDING_EXPLORER_ROWS")
