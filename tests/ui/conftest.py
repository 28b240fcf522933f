"""What the tests of pages share."""

from collections.abc import Iterator
from functools import cache

import pytest
from streamlit.components.v2 import manifest_scanner

from ui.shared import page


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no browser here that would need time to draw."""
    monkeypatch.setattr(page, "PAUSE", 0.0)


@pytest.fixture(scope="session", autouse=True)
def one_scan_for_components() -> Iterator[None]:
    """For each AppTest Streamlit reads the metadata of all installed packages: three quarters of opening a page."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture
def real_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages open as visitors see them, with MiniLM's rows."""
    monkeypatch.delenv("EMBEDDING_EXPLORER_ROWS")
