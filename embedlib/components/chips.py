"""The tokens of a text as chips: what the browser is sent of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any

from embedlib.i18n import N_
from embedlib.tokenizers import Token, split_characters, token_label

# Every string on the component, in English; the page passes the same names with translations.
LABELS: dict[str, str] = {
    "tokens": N_("Tokens"),
    "hint": N_("Choose a token to see its id, its position and its bytes."),
    "empty": N_("There are no tokens yet: type a text above."),
    "text": N_("Text"),
    "id": N_("Id"),
    "position": N_("Position"),
    "bytes": N_("Bytes"),
    "more_bytes": N_("and {count} more"),
    "part": N_("Part of a character"),
    "part_of": N_("part {part} of the {parts} tokens that make {character}"),
    "group": N_("{character}: {parts} tokens"),
}


@dataclass(frozen=True, slots=True)
class Chip:
    """One token as it appears on a page."""

    position: int
    """Index in the text, from 0."""
    id: int
    """Row of the embedding matrix."""
    label: str
    """The token's text with visible marks, or its bytes in hex where they are no whole character."""
    bytes_hex: str
    """Its bytes, "20 74 68 65"."""
    space_before: bool = False
    """Whether the token starts with white space: the chips leave a gap there."""
    part: int = 1
    """Number of this token among those that share `character`, from 1."""
    parts: int = 1
    """How many tokens share `character`."""
    group: int | None = None
    """Index of the split character (or run of them); None for a token of whole characters."""
    character: str = ""
    """The whole character that the group's tokens make together."""
    known: bool = True
    """Whether the table in view has a row for it; otherwise its id is meaningless."""


def chips(tokens: Sequence[Token], names: Sequence[str] | Mapping[int, str] = ()) -> list[Chip]:
    """Return a chip for each token, numbering tokens that share a character.

    Args:
        tokens: all the tokens of a text.
        names: the vocabulary's spelling by token id; empty where that is the text itself.

    Returns:
        One Chip per token.
    """
    shared = {
        position: (group, position - split.start_token + 1, split.stop_token - split.start_token, split.label)
        for group, split in enumerate(split_characters(tokens))
        for position in range(split.start_token, split.stop_token)
    }
    written = []
    stop = 0  # end of the previous token
    for position, token in enumerate(tokens):
        group, part, parts, character = shared.get(position, (None, 1, 1, ""))
        written.append(
            Chip(
                position=position,
                id=token.id,
                label=token_label(names[token.id].encode("utf-8", "surrogateescape") if names else token.bytes),
                bytes_hex=token.bytes.hex(" ").upper(),
                space_before=token.bytes[:1].isspace() or token.start > stop,
                part=part,
                parts=parts,
                group=group,
                character=character,
            )
        )
        stop = token.stop
    return written


_values = attrgetter(*(field.name for field in fields(Chip)))


def chips_data(
    chips: Sequence[Chip], *, chosen: int | None, turn: int, note: str, labels: Mapping[str, str]
) -> dict[str, Any]:
    """Return the chips for the browser, with the chosen position and the number of the reader's last choice."""
    return {
        "chips": [_values(chip) for chip in chips],  # dataclasses.astuple copies each deeply, ten times as long
        "chosen": chosen,
        "turn": turn,
        "note": note,
        "labels": dict(labels),
    }
