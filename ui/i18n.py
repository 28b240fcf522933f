"""Translation and number formats: catalogues under ui/locale, each read on first use.

English is the key of every message and needs no catalogue: without another language nothing of Babel is imported.
"""

import re
import threading
from collections.abc import Mapping
from functools import cache, partial
from gettext import c2py
from pathlib import Path
from typing import Any, SupportsFloat

import streamlit as st

LOCALE_DIRECTORY = Path(__file__).parent / "locale"
DOMAIN = "messages"
NAMES = {"en": "English", "fr": "Français", "zh": "中文"}  # each as its readers call it; zh is Simplified Chinese
# Separators between sentences, list items, longer items, a name and its sentence, at the end of a sentence, and for
# the other authors and the figures of a paper.
_MARKS = {
    "fr": {"; ": "\u202f; ", ": ": "\u00a0: ", ", Table ": ", tableau "},
    "zh": {
        " ": "", ", ": "、", "; ": "；", ": ": "：", ".": "。", ". ": "。",
        " et al. ": " 等 ", ", Figure ": "，图 ", ", Table ": "，表 ",
    },
}  # fmt: skip
# Chinese has a space beside a number or a Latin name, none beside Chinese: known once the value is filled in.
_HAN = "[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]"
_BESIDE_VALUE = re.compile(f"(?<={_HAN}) (?={{)|(?<=}}) (?={_HAN})")
_BETWEEN_HAN = re.compile(f"(?<={_HAN})\0(?={_HAN})")
_MOST_HEADER = 1_000  # characters of an Accept-Language header that are read
_run = threading.local()
_reading = threading.Lock()


@cache
def languages() -> list[str]:
    """List the languages that the app speaks: English, and every one with a catalogue."""
    return [code for code in NAMES if code == "en" or _catalogue_path(code).exists()]


def _catalogue_path(language: str) -> Path:
    return LOCALE_DIRECTORY / language / "LC_MESSAGES" / f"{DOMAIN}.po"


class _Catalogue(dict[str, str]):
    """The messages of a language by their English, read from its .po file: 2,200 in 20 ms."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._write = str if language == "en" else partial(Message, language=language)
        self._plural_forms: dict[str, tuple[str, ...]] = {}
        if language not in languages()[1:]:
            return
        from babel.messages.pofile import read_po

        with _catalogue_path(language).open("rb") as file:
            read = read_po(file, language)
        self._form = c2py(read.plural_expr)
        for message in read:
            singular = str(message.id[0] if message.pluralizable else message.id)
            forms = message.string if isinstance(message.string, (list, tuple)) else (message.string or "",)
            if singular and all(forms) and not message.fuzzy:
                self._plural_forms[singular] = written = tuple(map(self._write, forms))
                self[singular] = written[0]

    def __missing__(self, message: str) -> str:
        return self._write(message)

    def plural_form(self, singular: str, plural: str, count: int) -> str:
        """Return the translation of a message for a count."""
        forms = self._plural_forms.get(singular)
        return forms[self._form(count)] if forms else self[singular if count == 1 else plural]


class Message(str):
    """A translated message whose `format` uses the number symbols and spacing of its language."""

    language: str

    def __new__(cls, text: str, language: str) -> "Message":
        """Create a message from its text and language."""
        message = super().__new__(cls, text)
        message.language = language
        return message

    def __deepcopy__(self, _copied: object) -> "Message":
        """Return itself: messages are immutable, and component data are deep-copied."""
        return self

    def format(self, *args: object, **values: object) -> str:
        """Fill in the values; numbers accept any Python format spec, such as "{share:.1%}"."""
        symbols = _symbols(self.language)
        shown = {
            name: _Number(value, symbols) if hasattr(value, "__float__") else value for name, value in values.items()
        }
        said = str.format(_BESIDE_VALUE.sub("\0", self), *args, **shown)
        return _BETWEEN_HAN.sub("", said).replace("\0", " ")


class _Number:
    """A number that formats itself with the symbols of a language."""

    __slots__ = ("_symbols", "_value")

    def __init__(self, value: Any, symbols: Mapping[int, str]) -> None:
        self._value, self._symbols = value, symbols

    def __format__(self, spec: str) -> str:
        return format(self._value, spec).translate(self._symbols)


@cache
def _symbols(language: str) -> dict[int, str]:
    """Map the symbols of a number formatted by Python to those of a language; empty for English."""
    if language not in languages()[1:]:
        return {}
    from babel import Locale

    locale = Locale(language)
    symbols = locale.number_symbols["latn"]
    percent = locale.percent_formats[None].pattern.lstrip("#,0.")
    pairs = {",": symbols["group"], ".": symbols["decimal"], "%": percent}
    return {ord(ours): theirs for ours, theirs in pairs.items() if ours != theirs}


def number(value: SupportsFloat, spec: str) -> str:
    """Format a number in the language of this run, outside of any message.

    Args:
        value: any number, also of numpy or torch.
        spec: as Python formats it: ",.2f".
    """
    return localise_number(format(value, spec))


def localise_number(formatted: str) -> str:
    """Replace the symbols of a number that Python has formatted by those of this run's language."""
    return formatted.translate(_symbols(language()))


def separator(english: str) -> str:
    """Return this language's form of a separator between texts that are not part of one message.

    Args:
        english: with its space: " ", ", ", "; ", ": " or ". ", or "." at the end.
    """
    return _MARKS.get(language(), {}).get(english, english)


def join_sentences(*said: str) -> str:
    """Join sentences with the separator of this language; empty ones are left out."""
    return separator(" ").join(filter(None, said))


def label_sentence(name: str, said: str) -> str:
    """Put a name and a colon before a sentence: "Sinusoidal: no rows"."""
    return name + separator(": ") + said


def format_citation(source: str) -> str:
    """Format a citation, "Su et al. 2021, §3", for this run's language."""
    for part in (" et al. ", ", Figure ", ", Table "):
        source = source.replace(part, separator(part))
    return source


@cache
def _catalogue(language: str) -> _Catalogue:
    with _reading:
        return _Catalogue(language)


def set_run_language(chosen: str) -> None:
    """Set the language of the run on this thread, at its start.

    A page translates a thousand messages, and each lookup in the session costs 15 µs. A run has a thread of its own, so
    this does not affect other visitors; other threads fall back to the session.
    """
    _run.language = chosen


def language() -> str:
    """Return the language of this run of a page."""
    spoken: str | None = getattr(_run, "language", None)
    return st.session_state.get("lang", "en") if spoken is None else spoken


def language_tag() -> str:
    """Return the language of this run as a value of HTML's `lang` attribute."""
    return "zh-Hans" if language() == "zh" else language()


def browser_language() -> str:
    """Return the supported language that this visitor's browser prefers."""
    return preferred_language(st.context.headers.get("Accept-Language") or st.context.locale or "")


def preferred_language(accepted: str) -> str:
    """Return the supported language with the highest weight in an Accept-Language header; English if none is.

    Args:
        accepted: as in the header Accept-Language: "fr-CA, en;q=0.8". Country and script subtags are ignored.
    """
    wishes = []
    for index, part in enumerate(accepted[:_MOST_HEADER].split(",")):
        tag, _semicolon, weight = part.partition(";")
        code = tag.strip().partition("-")[0].lower()
        try:
            liked = float(weight.strip().removeprefix("q=")) if weight.strip() else 1.0
        except ValueError:
            continue
        if code in languages() and liked > 0:
            wishes.append((-liked, index, code))
    return min(wishes)[2] if wishes else "en"


def _(message: str) -> str:
    """Translate a message into the session's language; English is the key."""
    return _catalogue(language())[message]


def ngettext(singular: str, plural: str, count: int) -> str:
    """Translate a message whose form depends on a count."""
    return _catalogue(language()).plural_form(singular, plural, count)


def translate_labels(messages: Mapping[str, str]) -> dict[str, str]:
    """Translate the labels of a browser component; adds its language tag under "language"."""
    catalogue = _catalogue(language())
    return {"language": language_tag(), **{name: catalogue[message] for name, message in messages.items()}}
