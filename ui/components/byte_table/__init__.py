"""From characters to bytes: code points, their UTF-8 bytes in hex and in bits, and the tokens that hold them."""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass

from embedlib.i18n import N_
from ui.components import register

__all__ = ["LABELS", "Character", "CodePoint", "NamedToken", "byte_table"]

# Every string on the component, in English; the page passes the same names with translations.
LABELS: dict[str, str] = {
    "figure": N_("Characters and their bytes. Arrows move from character to character; Enter keeps one."),
    "character": N_("Character"),
    "code_point": N_("Code point"),
    "bytes": N_("Bytes and their tokens"),
    "single": N_(
        "Under each letter stands its byte, written in hexadecimal, and below it the id of the token that holds it."
    ),
    "lead": N_(
        "Where a character has several bytes, the first bits of the first one say how many; each "
        "further byte begins with the bits 10."
    ),
    "token": N_("‘{label}’, id {id}"),
    "no_token": N_("no token"),
    "empty": N_("There is no text yet: type one above."),
}

_component = register("byte-table", "byte_table")


@dataclass(frozen=True, slots=True)
class CodePoint:
    """One code point of a character."""

    number: str
    """As Unicode writes it, "U+00EF"."""
    name: str
    """Unicode's name for it."""
    bytes: Sequence[int]
    """Its UTF-8 bytes, 0..255."""


@dataclass(frozen=True, slots=True)
class Character:
    """One displayed character."""

    label: str
    """Itself, or the mark for an invisible one."""
    code_points: Sequence[CodePoint]
    """Its code points, at least one."""


@dataclass(frozen=True, slots=True)
class NamedToken:
    """One token that holds bytes."""

    label: str
    """Its label."""
    id: int
    """Its id."""


def byte_table(
    characters: Sequence[Character],
    tokens: Sequence[NamedToken],
    token_of_byte: Sequence[int],
    *,
    first_column: int,
    labels: Mapping[str, str],
    key: str,
) -> None:
    """Draw characters of one byte side by side, and a row for each code point of the others, where it is in sight.

    The page's shared pointer counts columns, the text's displayed characters: the hovered and the selected one are
    highlighted, with all bytes of their tokens; a click selects. `token_of_byte` has the index of each byte's token, or
    -1 where no token holds it, and never falls but for the -1s; `first_column` is the first character's.
    """
    # A text repeats its characters, so each kind is sent once.
    kinds: dict[str, int] = {}
    distinct = []
    order = []
    for character in characters:
        spelled = " ".join(point.number for point in character.code_points)
        if spelled not in kinds:
            kinds[spelled] = len(kinds)
            distinct.append([character.label, [list(astuple(point)) for point in character.code_points]])
        order.append(kinds[spelled])
    _component(
        key=key,
        data={
            "kinds": distinct,
            "order": order,
            "tokens": [[token.label, token.id] for token in tokens],
            "token_of_byte": list(token_of_byte),
            "first_column": first_column,
            "labels": dict(labels),
        },
    )
