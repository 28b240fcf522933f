"""Read settings from a link's query and write them to one, without a session."""

from collections.abc import Collection, Mapping
from copy import copy
from typing import Any
from urllib.parse import urlencode

from embedlib.positional import SCHEMES
from ui.cache.minilm import has_minilm
from ui.settings.kinds import pack_for_link
from ui.settings.registry import BY_PAGE, ROWS_FROM, defaults, has_other_rows, opening
from ui.settings.table import SETTINGS

# Past this, browsers, proxies and chat programs begin to cut a link; the text then stays out of it.
LINK_CHARACTERS = 8_000


def read_link(query: Mapping[str, str], asked: str) -> tuple[dict[str, Any], frozenset[str], dict[str, str]]:
    """Return a link's values, the page-dependent settings that it sets, and its invalid values.

    Args:
        query: of the link.
        asked: the language that the browser prefers.
    """
    values: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for name, setting in SETTINGS.items():
        raw = query.get(name)
        if raw is None:
            values[name] = asked if name == "lang" else copy(setting.default)
        else:
            try:
                values[name] = setting.parse(raw)
            except (ValueError, KeyError):
                values[name] = asked if name == "lang" else setting.repair(raw)
                wrong[name] = raw
    unheard = {name for name in wrong if values[name] == SETTINGS[name].default}  # nothing of it was right
    return *repair_values(values, query, BY_PAGE & (set(query) - unheard)), wrong


def linked_values(query: Mapping[str, str]) -> dict[str, Any]:
    """Return all settings after an English browser has opened the first page by a link."""
    values, chosen, _wrong = read_link(query, "en")
    return values | {name: copy(value) for name, value in page_defaults("", values, chosen).items()}


def page_defaults(page: str, values: Mapping[str, Any], chosen: Collection[str]) -> dict[str, Any]:
    """Return a page's values for the page-dependent settings that nobody has set."""
    usual = defaults(page, {name: values[name] for name in chosen}, values["lang"])
    return {name: usual[name] for name in BY_PAGE - set(chosen)}


def link_values(values: Mapping[str, Any], *, page: str, asked: str) -> tuple[dict[str, str], bool]:
    """Return the settings that a link names, and whether the text fits into it.

    A text of more than LINK_CHARACTERS, URL-encoded, is compressed, and omitted if that is not enough.

    Args:
        values: of all settings.
        page: address of the page that the link opens.
        asked: the language that the browser asks for.
    """
    opens = opening(page)
    usual = defaults(page, values, values["lang"]) | {"lang": asked}
    others = ROWS_FROM & opens.keys() if has_other_rows(opens, values) else ()
    wanted = {
        name: setting.format(values[name])
        for name, setting in SETTINGS.items()
        if not setting.is_browsers and (values[name] != usual[name] or (name in others and values[name] != opens[name]))
    }
    wanted |= {name: SETTINGS[name].format(values[name]) for name in _unnamed_weights(wanted)}
    if values["lang"] != "en":  # a link opens in its sender's language
        wanted["lang"] = values["lang"]
    # Half a surrogate pair has no URL encoding; "?" replaces it, as in every browser.
    fits = _fits(wanted)
    if not fits:
        wanted["text"] = pack_for_link(values["text"])
        fits = _fits(wanted)
    if not fits:
        del wanted["text"]
    return wanted, fits


def _fits(wanted: Mapping[str, str]) -> bool:
    text = urlencode({"text": wanted.get("text", "")}, errors="replace")
    beside = urlencode({"formulas": wanted.get("formulas", "")}, errors="replace")
    return len(text) + len(beside) + len(wanted.get("lesson", "")) <= LINK_CHARACTERS


def repair_values(
    values: dict[str, Any], query: Mapping[str, str], named: frozenset[str]
) -> tuple[dict[str, Any], frozenset[str]]:
    """Return a link's values as this server supports them, and the page-dependent settings that it sets.

    Old links (before trained weights existed) name only an initialisation: they mean random weights. MiniLM's rows
    become the grammar's if MiniLM is not installed.
    """
    here = dict(values)
    for name in _unnamed_weights(query):
        here[name] = "random"
        named |= {name}
    if not has_minilm():
        absent = {name for name in named & ROWS_FROM if values[name] == "minilm"}
        here |= {name: SETTINGS[name].default for name in absent}
    return here, BY_PAGE & named


def _unnamed_weights(query: Mapping[str, str]) -> list[str]:
    """Return the settings of weights that a link omits although it sets how random ones are drawn."""
    drawn = [scheme for scheme in SCHEMES if any(f"{scheme}.{name}" in query for name in ("std", "seed"))]
    return [name for scheme in drawn if (name := f"{scheme}.weights") in SETTINGS.keys() - query.keys()]
