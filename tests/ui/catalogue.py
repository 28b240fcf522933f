"""Catalogues of a few messages, for tests that hold whatever the real ones say."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from ui import i18n

FRENCH = {
    "Text to input": "Du texte à l’entrée",
    "{tokens:,} tokens": "{tokens:,} jetons",
    ("{count} run", "{count} runs"): ("{count} essai", "{count} essais"),
    "Compare": "Comparer",
}
CHINESE = {"Text to input": "从文本到输入", ("{count} run", "{count} runs"): ("{count} 次",)}


@contextmanager
def speaking(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have the app read these catalogues instead of its own, which nobody else gets to see."""
    shutil.copy(i18n.LOCALE_DIRECTORY / "terms.tsv", folder)
    for code, messages in {"fr": FRENCH, "zh": CHINESE}.items():
        write_catalogue(folder, code, messages)
    monkeypatch.setattr(i18n, "LOCALE_DIRECTORY", folder)
    forget()
    yield
    monkeypatch.undo()
    forget()


def write_catalogue(
    folder: Path, code: str, messages: Mapping[str | tuple[str, str], str | tuple[str, ...]], fuzzy: str = ""
) -> None:
    catalogue = Catalog(locale=code)
    for message, said in messages.items():
        catalogue.add(message, said, flags={"fuzzy"} if message == fuzzy else ())
    path = folder / code / "LC_MESSAGES" / "messages.po"
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        write_po(file, catalogue)


def forget() -> None:
    """Forget what has been read of catalogues."""
    for kept in (i18n.languages, i18n._catalogue, i18n._symbols):
        kept.cache_clear()
