"""Kinds of settings: how each is parsed from a link, formatted for one, and described in an error."""

import base64
import math
import re
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

import numpy as np

from embedlib.checkpoints import is_model_id
from ui.i18n import _, separator

MINILM = "minilm"  # the model that is installed beside the app
_PLAIN = re.compile(r"(\./)?([a-zA-Z0-9][\w.-]*/)?(?!www\.)[a-zA-Z0-9][\w.-]*", re.ASCII)
_TENSORS = re.compile(r"(:[\w./-]{1,200})?|:([\w./-]{1,200})?:[\w./-]{1,200}", re.ASCII)  # of tokens, of positions
_LOOK = re.compile(r"1(~[\w.-]{1,60}![\w.,-]{0,600})+", re.ASCII)
_FILE = re.compile(r"[0-9a-f]{64}/[^/]{1,200}(/.{1,200})?")
_PACKED = "z."  # marks a compressed value in a link
_MOST_BYTES = 800_000  # of a text decompressed from a link
_MOST_BITS = 2**17  # of rows: one for each up to the last
_LONGEST_NUMBERS = 3_000  # characters of a list of numbers in a link
_MOST_PACKED = 3_500  # characters of rows in a link


def pack_for_link(text: str) -> str:
    """Compress a text for a link."""
    return _deflate(text.encode("utf-8", "replace"))


def is_packed(raw: str) -> bool:
    """Return whether a link's value is compressed."""
    return raw.startswith(_PACKED)


def unpack_from_link(raw: str) -> str:
    """Decompress a text from a link.

    Raises:
        ValueError: it is truncated, invalid, or too large when decompressed.
    """
    try:
        return _inflate(raw, _MOST_BYTES).decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(raw[:20]) from error


def _deflate(data: bytes) -> str:
    return _PACKED + base64.urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip("=")


def _inflate(raw: str, most: int) -> bytes:
    data = raw.removeprefix(_PACKED)
    try:
        unpacker = zlib.decompressobj()
        inflated = unpacker.decompress(base64.b64decode(data + "=" * (-len(data) % 4), b"-_", True), most)
    except (ValueError, zlib.error) as error:  # letters that are not ASCII raise ValueError, of which others are kinds
        raise ValueError(raw[:20]) from error
    if not unpacker.eof:
        raise ValueError(raw[:20])
    return inflated


@dataclass(frozen=True)
class Setting:
    """One value stored in the session and in the link: a row of the table of settings.

    Attributes:
        default: its value if a link omits it.
        label: of its control, marked for translation; "" where each page that draws one has its own.
        by_page: defaults of single pages, by their addresses.
        with_minilm: the same, if pages open with MiniLM's rows.
        pages: addresses of the pages with a control for it; None for all.
        is_kept: whether choosing an example leaves it unchanged.
        is_reset: whether resetting a page's settings resets it.
        is_private: whether it stays in the user's own address: copied links and exported figures omit it.
        is_browsers: whether only the browser knows it, and writes it into the address itself.
    """

    default: Any
    _: KW_ONLY
    label: str = ""
    by_page: Mapping[str, Any] = field(default_factory=dict)
    with_minilm: Mapping[str, Any] = field(default_factory=dict)
    pages: tuple[str, ...] | None = None
    is_kept: bool = False
    is_reset: bool = True
    is_private: bool = False
    is_browsers: bool = False

    def parse(self, raw: str) -> Any:
        """Parse the value from a link; raises ValueError if it is invalid."""
        return raw

    def format(self, value: Any) -> str:
        """Format the value for a link; None becomes an empty string."""
        return "" if value is None else str(value)

    def repair(self, raw: str) -> Any:
        """Return the replacement for an invalid value from a link: the default."""
        return copy(self.default)

    def describe(self, value: Any) -> str:
        """Describe a value inside a sentence."""
        return _("the usual value") if value is None else self.format(value) or _("nothing")

    def rule(self) -> str:
        """Return what is allowed, as the end of a sentence."""
        raise NotImplementedError


@dataclass(frozen=True)
class Text(Setting):
    """Free text; its checks are shown where it is used."""


@dataclass(frozen=True)
class LongText(Text):
    """Free text that a link may carry compressed; one that begins like a compressed one always is."""

    def parse(self, raw: str) -> str:
        """Parse "the cat", or a compressed text; one that only begins like it is returned as it is."""
        with suppress(ValueError):
            return unpack_from_link(raw) if is_packed(raw) else raw
        return raw

    def format(self, value: Any) -> str:
        """Return the text, compressed if it begins like a compressed one."""
        return pack_for_link(value) if is_packed(value) else value


@dataclass(frozen=True)
class Look(Setting):
    """View state that only the browser knows, as view_state.ts writes it: "1~vector-sum.step!2"; "" for none."""

    def parse(self, raw: str) -> str:
        """Accept any well-formed list; the browser validates the entries."""
        if raw and (len(raw) > 3_000 or not _LOOK.fullmatch(raw)):
            raise ValueError(raw[:20])
        return raw

    def rule(self) -> str:
        """Return what is allowed, as the end of a sentence."""
        return _("as this app writes it")


@dataclass(frozen=True)
class FileName(Setting):
    """A file that a link cannot carry: its SHA-256, its name, and perhaps one of its arrays; or None."""

    def parse(self, raw: str) -> str | None:
        """Parse "SHA-256/name", "SHA-256/name/array" or ""."""
        if raw and not (_FILE.fullmatch(raw) and raw.isprintable()):
            raise ValueError(raw[:20])
        return raw or None

    def rule(self) -> str:
        """Return the format."""
        return "SHA-256/" + _("name")


@dataclass(frozen=True)
class Choice(Setting):
    """One of a few names."""

    options: Sequence[Any]

    def parse(self, raw: str) -> Any:
        """Return the option with this text."""
        return {str(option): option for option in self.options}[raw]

    def rule(self) -> str:
        """List the options."""
        return _("one of {choices}").format(choices=separator(", ").join(map(str, self.options)))


@dataclass(frozen=True)
class OptionalChoice(Choice):
    """One of a few names, or nothing."""


@dataclass(frozen=True)
class Names(Choice):
    """Two or more of a few names, none twice."""

    def parse(self, raw: str) -> list[str]:
        """Parse "none,rope"."""
        names = raw.split(",")
        if len(names) < 2 or self._valid_entries(raw) != names:
            raise ValueError(raw[:20])
        return names

    def format(self, value: Any) -> str:
        """Join the names with commas."""
        return ",".join(value)

    def repair(self, raw: str) -> list[str]:
        """Keep the valid names; a single one is followed by the defaults."""
        known = self._valid_entries(raw)
        return known if len(known) >= 2 else list(dict.fromkeys([*known, *self.default]))

    def rule(self) -> str:
        """List the names."""
        return _("two or more of {choices}, with commas").format(choices=separator(", ").join(self.options))

    def _valid_entries(self, raw: str) -> list[str]:
        return [name for name in dict.fromkeys(raw[:1_000].split(",")) if name in self.options]


@dataclass(frozen=True)
class Flag(Setting):
    """On or off."""

    def parse(self, raw: str) -> bool:
        """Parse 1 or 0."""
        return {"1": True, "0": False}[raw]

    def format(self, value: Any) -> str:
        """Write 1 or 0."""
        return "1" if value else "0"

    def rule(self) -> str:
        """Return the two values."""
        return _("1 (on) or 0 (off)")


@dataclass(frozen=True)
class Model(Setting):
    """A model: MINILM, an id of the Hub, or "./folder" of the server; optionally ":" and tensor names."""

    def parse(self, raw: str) -> str:
        """Parse "openai-community/gpt2", "./mine", "owner/name:some.table" or "owner/name:some.table:some.positions".

        The table may be left empty: "owner/name::some.positions".
        """
        source = raw.partition(":")[0]
        folder = source.startswith("./") and source.isprintable() and len(source) <= 200
        folder = folder and not {"", ".", ".."} & set(source[2:].split("/"))
        if not (folder or is_model_id(source)) or not _TENSORS.fullmatch(raw, len(source)):
            raise ValueError(raw[:20])
        return raw

    def rule(self) -> str:
        """Return the three forms."""
        return _("minilm, owner/name or ./folder")


@dataclass(frozen=True)
class Weights(Choice):
    """The name of built-in weights, or of a model whose position embeddings are used; safe in entries and labels."""

    def parse(self, raw: str) -> str:
        """Parse "random", "openai-community/gpt2" or "./mine"."""
        if raw not in self.options and not (_PLAIN.fullmatch(raw) and len(raw) <= 200 and ".." not in raw):
            raise ValueError(raw[:20])
        return raw


@dataclass(frozen=True)
class Whole(Setting):
    """A whole number in a range."""

    minimum: int
    maximum: int

    def parse(self, raw: str) -> int:
        """Parse decimal digits; anything longer than a 64-bit number is rejected unparsed."""
        value = int(raw) if len(raw) <= 20 else self.minimum - 1
        if not self.minimum <= value <= self.maximum:
            raise ValueError(raw[:20])
        return value

    def rule(self) -> str:
        """Return the range."""
        return _("a whole number from {minimum} to {maximum}").format(minimum=self.minimum, maximum=self.maximum)


@dataclass(frozen=True)
class Stop(Whole):
    """A stop of a lesson, from 0 in a link and from 1 on the screen; the lesson says where it has none so high."""

    def rule(self) -> str:
        """Return where a link's numbers begin."""
        return _("a whole number from 0, which is stop 1")


@dataclass(frozen=True)
class OptionalWhole(Whole):
    """A whole number in a range, or None."""

    def parse(self, raw: str) -> int | None:  # type: ignore[override]
        """Parse decimal digits or ""."""
        return super().parse(raw) if raw else None


@dataclass(frozen=True)
class Wholes(Setting):
    """A few distinct whole numbers in a range."""

    maximum: int
    most: int

    def parse(self, raw: str) -> list[int]:
        """Parse "0,4,8"."""
        values = [int(part) for part in raw.split(",")] if len(raw) <= 100 else []
        if not values or len(set(values)) < len(values) or len(values) > self.most:
            raise ValueError(raw[:20])
        if min(values) < 0 or max(values) > self.maximum:
            raise ValueError(raw[:20])
        return values

    def format(self, value: Any) -> str:
        """Join the numbers with commas."""
        return ",".join(map(str, value))

    def rule(self) -> str:
        """Return the range and the maximal count."""
        return _("up to {most} whole numbers from 0 to {maximum}, with commas").format(
            most=self.most, maximum=self.maximum
        )


@dataclass(frozen=True)
class Window(Setting):
    """A rectangle of a picture: left, bottom, right, top; None for all of it."""

    def parse(self, raw: str) -> tuple[float, ...] | None:
        """Parse "-1,-0.5,1,0.5" or ""."""
        sides = tuple(float(part) for part in raw.split(",")) if len(raw) <= 100 and raw else ()
        if not raw:
            return None
        if len(sides) != 4 or not self.is_sound(sides):
            raise ValueError(raw[:20])
        return sides

    def format(self, value: Any) -> str:
        """Write each side with eight digits."""
        return "" if value is None else ",".join(f"{side:.8g}" for side in value)

    def rule(self) -> str:
        """Return the order of the sides."""
        return _("left,bottom,right,top")

    @staticmethod
    def is_sound(sides: Sequence[float]) -> bool:
        """Return whether four numbers are a rectangle with a width and a height in float32."""
        left, bottom, right, top = sides
        if not all(abs(side) < 1e30 for side in sides):  # nor is NaN
            return False
        least = 1e-6 * max(map(abs, sides)) or 1e-30
        return right - left > least and top - bottom > least


@dataclass(frozen=True)
class Rows(Wholes):
    """Any rows of a table; a link lists a few by number, and carries more as a compressed bit mask."""

    def parse(self, raw: str) -> list[int]:
        """Parse "3,14,15", compressed rows, or ""."""
        if is_packed(raw):
            bits = np.frombuffer(_inflate(raw, _MOST_BITS // 8), np.uint8)
            packed: list[int] = np.flatnonzero(np.unpackbits(bits, bitorder="little")).tolist()
            if packed and packed[-1] > self.maximum:
                raise ValueError(raw[:20])
            return packed
        rows = [int(part) for part in raw.split(",")] if 0 < len(raw) <= 11 * self.most else []
        if bool(rows) != bool(raw) or any(not 0 <= row <= self.maximum for row in rows) or len(rows) > self.most:
            raise ValueError(raw[:20])
        return sorted(set(rows))

    def format(self, value: Any) -> str:
        """Write the rows with commas, or compressed, or as an empty string if that is too long."""
        if len(value) <= self.most:
            return super().format(value)
        if max(value) >= _MOST_BITS:
            return ""
        mask = np.zeros(max(value) + 1, np.uint8)
        mask[value] = 1
        raw = _deflate(np.packbits(mask, bitorder="little").tobytes())
        return raw if len(raw) <= _MOST_PACKED else ""


@dataclass(frozen=True)
class Real(Setting):
    """A finite number in a range."""

    minimum: float
    maximum: float

    def parse(self, raw: str) -> float:
        """Parse a decimal number."""
        value = float(raw)
        if not (math.isfinite(value) and self.minimum <= value <= self.maximum):
            raise ValueError(raw[:20])
        return value

    def format(self, value: Any) -> str:
        """Write the shortest exact form."""
        return f"{value:g}" if float(f"{value:g}") == value else repr(float(value))

    def rule(self) -> str:
        """Return the range."""
        return _("a number from {minimum:g} to {maximum:g}").format(minimum=self.minimum, maximum=self.maximum)


@dataclass(frozen=True)
class Numbers(Real):
    """Numbers in a range, as many as a model has."""

    def parse(self, raw: str) -> tuple[float, ...]:  # type: ignore[override]
        """Parse "1 1.05" or ""."""
        if len(raw) > _LONGEST_NUMBERS:
            raise ValueError(raw[:20])
        return tuple(super(Numbers, self).parse(number) for number in raw.split())

    def format(self, value: Any) -> str:
        """Write the shortest exact form of each."""
        return " ".join(map(super().format, value))

    def rule(self) -> str:
        """Return the range."""
        return _("numbers from {minimum:g} to {maximum:g}, with spaces").format(
            minimum=self.minimum, maximum=self.maximum
        )


# What a number input in a browser counts exactly, and more than any parameter needs.
GREATEST = 2**31 - 1
