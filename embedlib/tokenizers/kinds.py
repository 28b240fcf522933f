"""Kinds of tokens (start or piece of a word, number, bytes of a character …) and the scripts of their letters."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embedlib.i18n import N_

TOKEN_KINDS: dict[str, str] = {
    "word_start": N_("start of a word, Latin letters"),
    "word_piece": N_("piece of a word, Latin letters"),
    "number": N_("number"),
    "punctuation": N_("punctuation or symbols"),
    "white_space": N_("white space"),
    "other_script": N_("letters of another script"),
    "incomplete": N_("part of a character’s bytes"),
    "special": N_("special or control"),
    "unused": N_("unused"),
}
SCRIPTS: dict[str, str] = {
    "Latin": N_("Latin"),
    "Greek": N_("Greek"),
    "Cyrillic": N_("Cyrillic"),
    "Armenian": N_("Armenian"),
    "Georgian": N_("Georgian"),
    "Hebrew": N_("Hebrew"),
    "Arabic": N_("Arabic"),
    "Devanagari": N_("Devanagari"),
    "Bengali": N_("Bengali"),
    "Tamil": N_("Tamil"),
    "Telugu": N_("Telugu"),
    "Thai": N_("Thai"),
    "Han": N_("Han"),
    "Hiragana": N_("Hiragana"),
    "Katakana": N_("Katakana"),
    "Hangul": N_("Hangul"),
    "Other": N_("another script"),
    "Mixed": N_("several scripts"),
    "Common": N_("no script: digits, punctuation, symbols, spaces"),
    "Unknown": N_("part of a character’s bytes"),
}
_WHITE_SPACE = " \t\n\r\x0b\x0c\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_BEFORE_LETTERS = "'’-‐‑._"  # signs that a word or a piece may begin with: 't, -ing, .com, _name
_SPECIAL = re.compile(
    r"<\|[^|<>]+\|>|</?(?:s|pad|unk|mask|bos|eos|cls|sep)>|<extra_id_\d+>|\[(?:CLS|SEP|PAD|UNK|MASK|BOS|EOS)\]"
)
_UNUSED = re.compile(r"<unused\d+>|\[unused\d+\]")  # places kept free in a vocabulary, which no text is made of


def token_kinds(tokens: Iterable[bytes]) -> list[str]:
    """Return the kind of each token, a key of TOKEN_KINDS; 50,257 take 0.1 s.

    `tokens` are those of Tokenizer.token_bytes, or label_bytes of a table's labels; "incomplete" is invalid UTF-8.
    Letters without a space before them may continue a word or begin a text: both are pieces. A word or a piece begins
    with a letter or a digit, or with one of _BEFORE_LETTERS before it: "3rd", "'t" and "C++" do, "**bold**", "<b>" and
    "$x$" do not, and are punctuation.
    """
    known: dict[str, frozenset[str]] = {}
    return [_kind(token, known) for token in tokens]


def token_scripts(tokens: Iterable[bytes]) -> list[str]:
    """Return the Unicode script of each token's letters, a key of SCRIPTS.

    "Common" where no letter has one, "Mixed" for several, "Unknown" for invalid UTF-8.
    """
    known: dict[str, frozenset[str]] = {}
    return [_script_of_bytes(token, known) for token in tokens]


def character_counts(tokens: Sequence[bytes]) -> NDArray[np.int64]:
    """Count the complete code points of each token, (n_tokens,), spaces included."""
    return np.fromiter((len(token.decode("utf-8", "ignore")) for token in tokens), np.int64, len(tokens))


def _kind(token: bytes, known: dict[str, frozenset[str]]) -> str:
    try:
        text = token.decode()
    except UnicodeDecodeError:
        return "incomplete"
    body = text.lstrip(" ")
    if body.isascii() and body.isalpha():  # most of a vocabulary
        return "word_start" if len(body) < len(text) else "word_piece"
    if text and not body.strip(_WHITE_SPACE):
        return "white_space"
    if _SPECIAL.fullmatch(body):
        return "special"
    if _UNUSED.fullmatch(body):
        return "unused"
    if _script(body, known) not in ("Common", "Latin"):
        return "other_script"
    if any(map(str.isalpha, body)):
        begins = body[1:2] if body[0] in _BEFORE_LETTERS else body[0]
        if not begins.isalnum():
            return "punctuation"
        return "word_start" if len(body) < len(text) else "word_piece"
    if any(map(str.isnumeric, body)):
        return "number"
    visible = any(unicodedata.category(character)[0] not in "CZ" for character in body)
    return "punctuation" if visible else "special"


def _script_of_bytes(token: bytes, known: dict[str, frozenset[str]]) -> str:
    try:
        return _script(token.decode(), known)
    except UnicodeDecodeError:
        return "Unknown"


def _script(text: str, known: dict[str, frozenset[str]]) -> str:
    """Return the script that all letters and marks of a text may belong to; `known` caches those of each character."""
    if text.isascii():
        return "Latin" if any(map(str.isalpha, text)) else "Common"
    shared: frozenset[str] = frozenset()
    for character in text:
        if character not in known:
            known[character] = _scripts_of_character(character)
        if known[character]:  # digits, symbols and the like have none
            shared = shared & known[character] if shared else known[character]
            if not shared:
                return "Mixed"
    return next((name for name in sorted(SCRIPTS, key="Hiragana".__eq__) if name in shared), "Common")  # "ー": Katakana


def _scripts_of_character(character: str) -> frozenset[str]:
    """Return the scripts of a letter or mark: an accent belongs to several, "ー" to both Katakana and Hiragana."""
    if unicodedata.category(character)[0] not in "LM":
        return frozenset()
    common, *others = _script_expressions()
    found = frozenset(name for name, expression in others if expression.match(character))
    return found or frozenset(() if common[1].match(character) else ("Other",))


@cache
def _script_expressions() -> list[tuple[str, Any]]:
    """Return regular expressions of "Common" and of the named scripts, by the Unicode property Script_Extensions.

    Source: Unicode Standard Annex 24, https://www.unicode.org/reports/tr24/
    """
    import regex  # knows scripts, which the standard library's re does not

    names = [name for name in SCRIPTS if name not in ("Other", "Mixed", "Common", "Unknown")]
    expressions = [(name, regex.compile(rf"\p{{Script_Extensions={name}}}")) for name in names]
    return [("Common", regex.compile(r"[\p{Script=Common}\p{Script=Inherited}]")), *expressions]
