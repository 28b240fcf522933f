"""A language that puts messages in brackets and numbers in other symbols: what stays English is seen."""

import pytest

from ui import i18n

OPEN, CLOSE = "⟦", "⟧"


class Marked(i18n._Catalogue):
    """A catalogue that puts every message in brackets."""

    def __missing__(self, message: str) -> str:
        return i18n.Message(f"{OPEN}{message}{CLOSE}", "marked")


class Spoken:
    """Stands in for what runs of pages speak: this language, whatever they are asked to."""

    language = property(lambda _self: "marked", lambda _self, _wanted: None)


def speak_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Speak it for this test; having a name of its own, it leaves nothing in caches for those who speak English."""
    monkeypatch.setattr(i18n, "_symbols", lambda _language: {ord(","): "٬", ord("."): "٫", ord("%"): "٪"})
    marked = Marked("marked")
    monkeypatch.setattr(i18n, "_catalogue", lambda _language: marked)
    monkeypatch.setattr(i18n, "_run", Spoken())
