"""What the tests of pages share."""

import pytest

from ui.shared import page


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no browser here that would need time to draw."""
    monkeypatch.setattr(page, "PAUSE", 0.0)
