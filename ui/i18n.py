"""The language of what is on the screen: gettext catalogues under ui/locale, English where there is none."""

import gettext as _gettext
import threading
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import streamlit as st

LOCALE_DIRECTORY = Path(__file__).parent / "locale"
DOMAIN = "messages"
_run = threading.local()


def languages() -> list[str]:
    """List the languages that the app speaks: English, and every one with a compiled catalogue."""
    catalogues = LOCALE_DIRECTORY.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")
    return ["en", *sorted(path.parent.parent.name for path in catalogues if path.parent.parent.name != "en")]


@cache
def _translations(language: str) -> _gettext.NullTranslations:
    return _gettext.translation(DOMAIN, LOCALE_DIRECTORY, languages=[language], fallback=True)


def speak(wanted: str) -> None:
    """Say once, as a run of a page begins, which language it is in.

    A page translates a thousand messages, and each look into the session costs 15 µs. A run has a thread of its own, so
    no other visitor hears of it; code on any other thread asks the session.
    """
    _run.language = wanted


def language() -> str:
    """Return the language of this run of a page."""
    spoken: str | None = getattr(_run, "language", None)
    return st.session_state.get("lang", "en") if spoken is None else spoken


def tag() -> str:
    """Return the language of this run as the attribute `lang` of HTML names it."""
    return "zh-Hans" if language() == "zh" else language()


def _(message: str) -> str:
    """Translate a message into the session's language; English is the key."""
    return _translations(language()).gettext(message)


def ngettext(singular: str, plural: str, count: int) -> str:
    """Translate a message that depends on a count."""
    return _translations(language()).ngettext(singular, plural, count)


def translated(messages: Mapping[str, str]) -> dict[str, str]:
    """Translate the strings of a browser component; "language" tells it how that language writes numbers."""
    translate = _translations(language()).gettext
    return {"language": tag(), **{name: translate(message) for name, message in messages.items()}}
