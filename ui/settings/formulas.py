"""User-written schemes: up to four, each a name and formulas, stored in the link whether valid or not."""

import json
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from embedlib.positional import FormulaPositions
from embedlib.positional.formula import LINES
from ui.i18n import _, separator
from ui.settings.kinds import Setting, is_packed, pack_for_link, unpack_from_link

MOST = 4
OWN_ENTRIES = tuple(f"{FormulaPositions.name}:{slot}" for slot in range(1, MOST + 1))
LONGEST_NAME = 30
_LONGEST_LINE, _LONGEST_PARAMETERS = 501, 1_000  # one more than a formula may have, so that this is detected
_LONGEST_PLAIN = 200  # characters in a link, beyond which it is packed
_LONGEST_LINK = 24_000
_PAIRINGS = ("interleaved", "halves")
_IN_NAMES = " .-+'"  # with letters, their marks and digits: nothing that markdown, HTML or a link could be made of


@dataclass(frozen=True, slots=True)
class OwnScheme:
    """A scheme that the user has written.

    Attributes:
        slot: from 1, fixed while others are added or removed.
        name: as ``clean_name`` writes it.
        lines: rows, bias, turn and scale, "" for those that it has not.
        pairing: of the rotated dimensions.
        parameters: as ``read_parameters`` reads them.
    """

    slot: int
    name: str
    lines: tuple[str, ...] = ("",) * len(LINES)
    pairing: str = _PAIRINGS[0]
    parameters: str = ""

    @property
    def entry(self) -> str:
        """Its value in settings that choose a scheme."""
        return f"{FormulaPositions.name}:{self.slot}"

    def __str__(self) -> str:
        """Return its name and its formulas in one line."""
        typed = ", ".join(f"{name}: {' '.join(text.split())}" for name, text in self.arguments.items())
        return f"{self.name} ({typed})"

    @property
    def arguments(self) -> dict[str, str]:
        """The arguments of ``make_scheme`` that differ from their defaults."""
        given = dict(zip(LINES, self.lines, strict=True)) | {"parameters": self.parameters}
        given = {name: text for name, text in given.items() if text.strip()}
        return given if self.pairing == _PAIRINGS[0] else {**given, "pairing": self.pairing}


def clean_name(typed: str) -> str:
    """Reduce a name to letters, digits and a few safe signs, at most LONGEST_NAME."""
    kept = "".join(
        sign if sign.isalnum() or sign in _IN_NAMES or unicodedata.category(sign)[0] == "M" else " "
        for sign in unicodedata.normalize("NFC", typed)
    )
    return " ".join(kept.replace("www.", "www ").split())[:LONGEST_NAME].strip()


@dataclass(frozen=True)
class Formulas(Setting):
    """Up to MOST user-written schemes, a tuple of OwnScheme."""

    def parse(self, raw: str) -> tuple[OwnScheme, ...]:
        """Parse what ``format`` writes, and nothing else."""
        text = unpack_from_link(raw) if is_packed(raw) else raw
        if len(text) > _LONGEST_LINK:
            raise ValueError(raw[:20])
        try:
            given = json.loads(text) if text else []
            if not isinstance(given, list):
                raise ValueError(raw[:20])
            schemes = tuple(OwnScheme(slot, name, tuple(lines), *rest) for slot, name, lines, *rest in given)
        except (TypeError, RecursionError) as error:
            raise ValueError(raw[:20]) from error
        if not self.are_well_formed(schemes):
            raise ValueError(raw[:20])
        return schemes

    def format(self, value: Any) -> str:
        """Write the schemes as JSON, packed if long."""
        given = [[one.slot, one.name, list(one.lines), one.pairing, one.parameters] for one in value]
        text = json.dumps(given, separators=(",", ":"), ensure_ascii=False) if given else ""
        return pack_for_link(text) if len(quote(text, errors="replace")) > _LONGEST_PLAIN else text

    def describe(self, value: Any) -> str:
        """Return their names."""
        return separator(", ").join(one.name for one in value) or _("nothing")

    def rule(self) -> str:
        """Return what is allowed, as the end of a sentence."""
        return _("as this app writes it")

    @staticmethod
    def are_well_formed(schemes: Sequence[OwnScheme]) -> bool:
        """Return whether the schemes are well-formed; their formulas are checked where they are computed."""
        slots = [one.slot for one in schemes]
        if any(type(slot) is not int for slot in slots) or not set(slots) <= set(range(1, MOST + 1)):
            return False
        return len(set(slots)) == len(slots) and all(map(_is_well_formed, schemes))


def _is_well_formed(one: OwnScheme) -> bool:
    texts = (one.name, one.parameters, one.pairing, *one.lines)
    return (
        all(isinstance(text, str) for text in texts)
        and one.name == clean_name(one.name) != ""
        and len(one.lines) == len(LINES)
        and max(map(len, one.lines)) <= _LONGEST_LINE
        and len(one.parameters) <= _LONGEST_PARAMETERS
        and one.pairing in _PAIRINGS
    )
