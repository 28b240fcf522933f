"""What of a lesson the link carries: which it is, and at which stop."""

import base64
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ui.i18n import _
from ui.settings import Setting, Whole

_OWN = "z."  # before a lesson that stands in the link itself
_MOST_BYTES = 800_000  # of a lesson that is taken out of a link


@cache
def shipped_names() -> tuple[str, ...]:
    """Return the names of the lessons that ship, the tour first."""
    files = (Path(__file__).parent / "data").glob("*.yaml")
    return tuple(sorted((file.stem for file in files), key=lambda name: (name != "tour", name)))


def in_link(source: str) -> str:
    """Write a lesson's file so that it can stand in a link."""
    packed = base64.urlsafe_b64encode(zlib.compress(source.encode("utf-8", "replace"), 9))
    return _OWN + packed.decode().rstrip("=")


def out_of_link(reference: str) -> str:
    """Return the lesson's file that stands in a link.

    Raises:
        ValueError: it is cut, is none, or unpacks to more than a lesson may have.
    """
    packed = reference.removeprefix(_OWN)
    try:
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(base64.b64decode(packed + "=" * (-len(packed) % 4), b"-_", True), _MOST_BYTES)
        source = data.decode("utf-8")
    except (ValueError, zlib.error) as error:
        raise ValueError(reference[:20]) from error
    if not unpacker.eof:
        raise ValueError(reference[:20])
    return source


@dataclass(frozen=True)
class LessonReference(Setting):
    """A lesson that ships, by its name, or one that stands in the link itself; nothing for none."""

    def parse(self, raw: str) -> str | None:
        """Read "tour", or a packed lesson."""
        if raw.startswith(_OWN):
            out_of_link(raw)
        elif raw and raw not in shipped_names():
            raise ValueError(raw[:20])
        return raw or None

    def format(self, value: str | None) -> str:
        """Write it, or nothing."""
        return value or ""

    def rule(self) -> str:
        """Name the lessons that ship."""
        return _("one of {choices}").format(choices=", ".join(shipped_names()))


SETTINGS: dict[str, Setting] = {"lesson": LessonReference(None), "stop": Whole(0, 0, 59)}
