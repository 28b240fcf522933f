"""Grapheme clusters as code points, their UTF-8 bytes, and the tokens of these bytes."""

import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from embedlib.tokenizers.base import Token
from embedlib.tokenizers.labels import token_label
from embedlib.tokenizers.unicode import graphemes

Role = Literal["single", "lead", "continuation"]
# How many bits of each kind of byte only tell which kind it is: 0xxxxxxx, 110xxxxx, 1110xxxx, 11110xxx, 10xxxxxx.
_MARK_BITS = {"continuation": 2, 1: 1, 2: 3, 3: 4, 4: 5}
# Controls have no name in the Unicode standard, but these aliases; those that a typed or pasted text may hold.
_ALIASES = {
    0x00: "NULL", 0x08: "BACKSPACE", 0x09: "CHARACTER TABULATION", 0x0A: "LINE FEED", 0x0B: "LINE TABULATION",
    0x0C: "FORM FEED", 0x0D: "CARRIAGE RETURN", 0x1B: "ESCAPE", 0x7F: "DELETE", 0x85: "NEXT LINE",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ByteView:
    """One byte.

    Attributes:
        offset: in the text's UTF-8 bytes.
        role: "single" for a character of one byte, "lead" for the first of several, "continuation" for the others.
        mark: number of leading bits that encode the role; the rest are the code point's.
        token: index of its token; None between tokens.
    """

    value: int
    offset: int
    role: Role
    mark: int
    token: int | None

    @property
    def hex(self) -> str:
        """Two hexadecimal digits, as in "C3"."""
        return f"{self.value:02X}"

    @property
    def bits(self) -> str:
        """Eight binary digits, as in "11000011"."""
        return f"{self.value:08b}"


@dataclass(frozen=True, slots=True)
class CodePointView:
    """One code point.

    Attributes:
        code: as in "U+00EF".
        name: as in "LATIN SMALL LETTER I WITH DIAERESIS"; the standard's label in angle brackets without a name.
        label: the character, safe to show.
    """

    code: str
    name: str
    label: str
    bytes: tuple[ByteView, ...]


@dataclass(frozen=True, slots=True)
class CharacterView:
    """One grapheme cluster.

    Attributes:
        column: its index in the text, as in embedlib.tokenizers.alignment.
        label: the text, safe to show.
    """

    column: int
    text: str
    label: str
    code_points: tuple[CodePointView, ...]

    @property
    def bytes(self) -> tuple[ByteView, ...]:
        """All its bytes."""
        return tuple(byte for point in self.code_points for byte in point.bytes)

    @property
    def tokens(self) -> tuple[int, ...]:
        """Indices of its bytes' tokens, in order, each once."""
        return tuple(dict.fromkeys(byte.token for byte in self.bytes if byte.token is not None))


def byte_view(text: str, tokens: Sequence[Token], *, first: int = 0, stop: int | None = None) -> list[CharacterView]:
    """Split grapheme clusters `first` to `stop` of a text into code points, bytes and tokens; None for all the rest.

    Source: The Unicode Standard, §3.9 (UTF-8, table 3-6) and §4.8 (names and labels),
    https://www.unicode.org/versions/latest/
    """
    if first < 0 or (stop is not None and stop < first):
        raise ValueError(f"first={first}, stop={stop}: characters are counted from 0, and stop is at least first")
    columns = graphemes(text)
    offset = sum(len(column.encode()) for column in columns[:first])
    views = []
    for column, character in enumerate(columns[first:stop], start=first):
        points = []
        for point in character:
            points.append(_code_point(point, offset, tokens))
            offset += len(points[-1].bytes)
        views.append(CharacterView(column, character, token_label(character.encode()), tuple(points)))
    return views


def character_name(character: str) -> str:
    """Return a code point's name, a common control's alias, or the standard's label, as in "<private-use-E000>"."""
    code = ord(character)
    name = unicodedata.name(character, "") or _ALIASES.get(code, "")
    if name:
        return name
    kinds = {"Cc": "control", "Co": "private-use", "Cs": "surrogate"}
    other = "noncharacter" if code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF else "reserved"
    return f"<{kinds.get(unicodedata.category(character), other)}-{code:04X}>"


def _code_point(point: str, offset: int, tokens: Sequence[Token]) -> CodePointView:
    data = point.encode()
    views = []
    for index, value in enumerate(data):
        role: Role = "continuation" if index else "lead" if len(data) > 1 else "single"
        mark = _MARK_BITS["continuation" if index else len(data)]
        views.append(ByteView(value, offset + index, role, mark, _token_at(offset + index, tokens)))
    return CodePointView(f"U+{ord(point):04X}", character_name(point), token_label(data), tuple(views))


def _token_at(offset: int, tokens: Sequence[Token]) -> int | None:
    index = bisect_right(tokens, offset, key=lambda token: token.start) - 1
    return index if index >= 0 and offset < tokens[index].stop else None
