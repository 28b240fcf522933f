"""The language of what is on the screen: catalogues under ui/locale, each read when somebody first asks for it.

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
# What stands between two sentences, the items of a list, longer items, a name and what is said of it, at the end, and
# for the other authors of a paper.
_MARKS = {
    "fr": {"; ": "\u202f; ", ": ": "\u00a0: "},
    "zh": {" ": "", ", ": "、", "; ": "；", ": ": "：", ".": "。", ". ": "。", " et al. ": " 等 "},
}
# Chinese has a space beside a number or a Latin name, none beside a name of its own: told once the value is there.
_HAN = "[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]"
_BESIDE_VALUE = re.compile(f"(?<={_HAN}) (?={{)|(?<=}}) (?={_HAN})")
_BETWEEN_HAN = re.compile(f"(?<={_HAN})\0(?={_HAN})")
_MOST_ASKED = 1_000  # characters of what a browser says of its languages
_run = threading.local()
_reading = threading.Lock()


@cache
def languages() -> list[str]:
    """List the languages that the app speaks: English, and every one with a catalogue."""
    return [code for code in NAMES if code == "en" or _catalogue_path(code).exists()]


def _catalogue_path(language: str) -> Path:
    return LOCALE_DIRECTORY / language / "LC_MESSAGES" / f"{DOMAIN}.po"


class _Catalogue(dict[str, str]):
    """The messages of a language by the English, read from its .po: 2,200 in 20 ms; English has none but itself."""

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
        """Return the form of a message for a count."""
        forms = self._plural_forms.get(singular)
        return forms[self._form(count)] if forms else self[singular if count == 1 else plural]


class Message(str):
    """A message in another language, whose `format` writes numbers and spaces as that language does."""

    language: str

    def __new__(cls, text: str, language: str) -> "Message":
        """Take the text of a language."""
        message = super().__new__(cls, text)
        message.language = language
        return message

    def __deepcopy__(self, _copied: object) -> "Message":
        """Let it be copied, as what goes to a component is: it never changes."""
        return self

    def format(self, *args: object, **values: object) -> str:
        """Fill in the values; what is a number may have any format of Python's, as "{share:.1%}"."""
        symbols = _symbols(self.language)
        shown = {
            name: _Number(value, symbols) if hasattr(value, "__float__") else value for name, value in values.items()
        }
        said = str.format(_BESIDE_VALUE.sub("\0", self), *args, **shown)
        return _BETWEEN_HAN.sub("", said).replace("\0", " ")


class _Number:
    """A number that is written with the symbols of a language."""

    __slots__ = ("_symbols", "_value")

    def __init__(self, value: Any, symbols: Mapping[int, str]) -> None:
        self._value, self._symbols = value, symbols

    def __format__(self, spec: str) -> str:
        return format(self._value, spec).translate(self._symbols)


@cache
def _symbols(language: str) -> dict[int, str]:
    """Return what a language writes for each symbol of a number that Python has formatted; none for English."""
    if language not in languages()[1:]:
        return {}
    from babel import Locale

    locale = Locale(language)
    symbols = locale.number_symbols["latn"]
    percent = locale.percent_formats[None].pattern.lstrip("#,0.")
    pairs = {",": symbols["group"], ".": symbols["decimal"], "%": percent}
    return {ord(ours): theirs for ours, theirs in pairs.items() if ours != theirs}


def number(value: SupportsFloat, spec: str) -> str:
    """Write a number in the language of this run, where it stands in no message.

    Args:
        value: any number, also of numpy or torch.
        spec: as Python formats it: ",.2f".
    """
    return localise_number(format(value, spec))


def localise_number(formatted: str) -> str:
    """Write a number that Python has formatted as the language of this run does."""
    return formatted.translate(_symbols(language()))


def separator(english: str) -> str:
    """Return what this language has for a mark between two texts that are no part of one message.

    Args:
        english: with its space: " ", ", ", "; ", ": " or ". ", or "." at the end.
    """
    return _MARKS.get(language(), {}).get(english, english)


def join_sentences(*said: str) -> str:
    """Put whole sentences side by side; those that are empty are left out."""
    return separator(" ").join(filter(None, said))


def label_sentence(name: str, said: str) -> str:
    """Say something of a name: "Sinusoidal: no rows"."""
    return name + separator(": ") + said


def format_citation(source: str) -> str:
    """Write a citation, "Su et al. 2021, §3", as this language does."""
    return source.replace(" et al. ", separator(" et al. "))


@cache
def _catalogue(language: str) -> _Catalogue:
    with _reading:
        return _Catalogue(language)


def set_run_language(wanted: str) -> None:
    """Say once, as a run of a page begins, which language it is in.

    A page translates a thousand messages, and each look into the session costs 15 µs. A run has a thread of its own, so
    no other visitor hears of it; code on any other thread asks the session.
    """
    _run.language = wanted


def language() -> str:
    """Return the language of this run of a page."""
    spoken: str | None = getattr(_run, "language", None)
    return st.session_state.get("lang", "en") if spoken is None else spoken


def language_tag() -> str:
    """Return the language of this run as the attribute `lang` of HTML names it."""
    return "zh-Hans" if language() == "zh" else language()


def browser_language() -> str:
    """Return the language of ours that this visitor's browser asks for."""
    return preferred_language(st.context.headers.get("Accept-Language") or st.context.locale or "")


def preferred_language(accepted: str) -> str:
    """Return the language of ours that a browser likes best; English where it asks for none of them.

    Args:
        accepted: as in the header Accept-Language: "fr-CA, en;q=0.8". A part of a country or a script is passed over.
    """
    wishes = []
    for place, part in enumerate(accepted[:_MOST_ASKED].split(",")):
        tag, _semicolon, weight = part.partition(";")
        code = tag.strip().partition("-")[0].lower()
        try:
            liked = float(weight.strip().removeprefix("q=")) if weight.strip() else 1.0
        except ValueError:
            continue
        if code in languages() and liked > 0:
            wishes.append((-liked, place, code))
    return min(wishes)[2] if wishes else "en"


def _(message: str) -> str:
    """Translate a message into the session's language; English is the key."""
    return _catalogue(language())[message]


def ngettext(singular: str, plural: str, count: int) -> str:
    """Translate a message that depends on a count."""
    return _catalogue(language()).plural_form(singular, plural, count)


def translate_labels(messages: Mapping[str, str]) -> dict[str, str]:
    """Translate the strings of a browser component; "language" tells it how that language writes numbers."""
    catalogue = _catalogue(language())
    return {"language": language_tag(), **{name: catalogue[message] for name, message in messages.items()}}
