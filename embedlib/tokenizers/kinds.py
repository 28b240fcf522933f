"""What kind of token a row stands for: the start or a piece of a word, a number, a script, bytes of a character."""

import re
import unicodedata
from collections.abc import Iterable, Sequence

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
# First words of Unicode names that are no script's own, or that have another name than their script.
_RENAMED = {"CJK": "Han", "IDEOGRAPHIC": "Han", "KANGXI": "Han", "KATAKANA-HIRAGANA": "Katakana"} | {
    "KELVIN": "Latin", "ANGSTROM": "Latin", "OHM": "Greek",
}  # fmt: skip
_COMMON = frozenset(
    {"MICRO", "MASCULINE", "FEMININE", "MODIFIER", "MATHEMATICAL", "DOUBLE-STRUCK", "SCRIPT", "BLACK-LETTER", "SQUARED"}
    | {"CIRCLED", "PARENTHESIZED", "NEGATIVE", "COMBINING", "VARIATION", "EULER", "INFORMATION", "PLANCK"}
)
_WHITE_SPACE = " \t\n\r\x0b\x0c\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_BEFORE_LETTERS = "'’-‐‑._"  # signs that a word or a piece may begin with: 't, -ing, .com, _name
_SPECIAL = re.compile(
    r"<\|[^|<>]+\|>|</?(?:s|pad|unk|mask|bos|eos|cls|sep)>|<extra_id_\d+>|\[(?:CLS|SEP|PAD|UNK|MASK|BOS|EOS)\]"
)
_UNUSED = re.compile(r"<unused\d+>|\[unused\d+\]")  # places kept free in a vocabulary, which no text is made of


def token_kinds(tokens: Iterable[bytes]) -> list[str]:
    """Tell what kind of token each of some is; 50,257 take 0.1 s.

    Without a space before them, letters may go on with a word or stand at the beginning of a text: both are pieces. A
    word or a piece begins with a letter or a digit, or with one of _BEFORE_LETTERS before it: "3rd", "'t" and "C++" do,
    "**bold**", "<b>" and "$x$" do not, and are punctuation.

    Args:
        tokens: as Tokenizer.token_bytes gives them, or token_bytes_of the labels of a table.

    Returns:
        Keys of TOKEN_KINDS; "incomplete" for what is not UTF-8 by itself.
    """
    known: dict[str, str] = {}
    return [_kind(token, known) for token in tokens]


def token_scripts(tokens: Iterable[bytes]) -> list[str]:
    """Tell which script the letters of each token are of, by their Unicode names.

    Args:
        tokens: as for token_kinds.

    Returns:
        Keys of SCRIPTS: "Common" where no letter has one, "Mixed" for several, "Unknown" for what is not UTF-8.
    """
    known: dict[str, str] = {}
    return [_script_of_bytes(token, known) for token in tokens]


def character_counts(tokens: Sequence[bytes]) -> NDArray[np.int64]:
    """Count the whole characters of each token, (n_tokens,): code points, spaces included, no part of one."""
    return np.fromiter((len(token.decode("utf-8", "ignore")) for token in tokens), np.int64, len(tokens))


def _kind(token: bytes, known: dict[str, str]) -> str:
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


def _script_of_bytes(token: bytes, known: dict[str, str]) -> str:
    try:
        return _script(token.decode(), known)
    except UnicodeDecodeError:
        return "Unknown"


def _script(text: str, known: dict[str, str]) -> str:
    """Tell the script of a text; known remembers each character that was met."""
    if text.isascii():
        return "Latin" if any(map(str.isalpha, text)) else "Common"
    scripts = set()
    for character in text:
        if character not in known:
            known[character] = _script_of_character(character)
        scripts.add(known[character])
    scripts.discard("Common")
    return scripts.pop() if len(scripts) == 1 else "Mixed" if scripts else "Common"


def _script_of_character(character: str) -> str:
    """Tell it by the first word of the character's name, as in CYRILLIC SMALL LETTER A."""
    if unicodedata.category(character)[0] not in "LM":
        return "Common"
    words = unicodedata.name(character, "").removeprefix("FULLWIDTH ").removeprefix("HALFWIDTH ").split(" ")
    if words[0] in _COMMON:
        return "Common"
    name = _RENAMED.get(words[0], words[0].capitalize())
    return name if name in SCRIPTS else "Other"
