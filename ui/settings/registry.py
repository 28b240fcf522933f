"""Defaults by page and language, and groups of settings, derived from the table."""

from collections.abc import Mapping
from typing import Any

from embedlib.examples import in_language
from ui.cache.minilm import opens_with_minilm
from ui.i18n import NAMES
from ui.settings.kinds import Setting, Text
from ui.settings.table import PAGES, SETTINGS

# Settings that copied links and exported figures omit.
PRIVATE = frozenset(name for name, row in SETTINGS.items() if row.is_private)
DEFAULT_TEXT: str = SETTINGS["text"].default
# Typed texts.
TEXTS = [name for name, row in SETTINGS.items() if isinstance(row, Text) and name != "vectors"]
# Texts with a translated default.
BY_LANGUAGE = frozenset(
    name
    for name, row in SETTINGS.items()
    if isinstance(row, Text) and any(in_language(row.default, code) != row.default for code in NAMES)
)
BY_PAGE = BY_LANGUAGE | {name for name, row in SETTINGS.items() if row.with_minilm}
# If one of these differs from a page's opening value, the others have their settings' own defaults.
ROWS_FROM = frozenset({"table", "tokenizer", "d_model", "cut", "layer_matrix", "vectors"})


_OPENINGS = {
    page: {name: row.with_minilm[page] for name, row in SETTINGS.items() if page in row.with_minilm} for page in PAGES
}


def own_settings(page: str) -> dict[str, Setting]:
    """Return the settings that only this page controls."""
    return {name: row for name, row in SETTINGS.items() if row.pages == (page,)}


def opening(page: str) -> dict[str, Any]:
    """Return a page's defaults where MiniLM is installed and used; else an empty dict."""
    return _OPENINGS.get(page, {}) if opens_with_minilm() else {}


def defaults(page: str, given: Mapping[str, Any], language: str = "en") -> dict[str, Any]:
    """Return the value of every setting on a page where nobody has set it.

    Args:
        page: its address.
        given: settings that somebody has set: defaults of others depend on them.
        language: of the page.
    """
    own = {name: row.by_page.get(page, row.default) for name, row in SETTINGS.items()}
    own |= {name: in_language(own[name], language) for name in BY_LANGUAGE}
    opens = opening(page)
    return own if has_other_rows(opens, given) else own | opens


def has_other_rows(opens: Mapping[str, Any], given: Mapping[str, Any]) -> bool:
    """Return whether somebody has set other rows than those that a page opens with."""
    return any(name in given and given[name] != opens[name] for name in ROWS_FROM & opens.keys())
