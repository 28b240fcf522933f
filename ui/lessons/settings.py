"""What of a lesson the link carries: which it is, and at which stop."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ui.i18n import _, between
from ui.settings import Flag, Setting, Whole, is_packed
from ui.settings import in_link as in_link
from ui.settings import out_of_link as out_of_link


@cache
def shipped_names() -> tuple[str, ...]:
    """Return the names of the lessons that ship, the tour first."""
    files = (Path(__file__).parent / "data").glob("*.yaml")
    names = {file.stem for file in files} - {"example"}  # with which the editor opens
    return tuple(sorted(names, key=lambda name: (name != "tour", name)))


@dataclass(frozen=True)
class LessonReference(Setting):
    """A lesson that ships, by its name, or one that stands in the link itself; nothing for none."""

    def parse(self, raw: str) -> str | None:
        """Read "tour", or a packed lesson."""
        if is_packed(raw):
            out_of_link(raw)
        elif raw and raw not in shipped_names():
            raise ValueError(raw[:20])
        return raw or None

    def rule(self) -> str:
        """Name the lessons that ship."""
        choices = between(", ").join(shipped_names())
        return _("one of {choices}, or a whole lesson (copied again)").format(choices=choices)


SETTINGS: dict[str, Setting] = {
    "lesson": LessonReference(None),
    "stop": Whole(0, 0, 59),
    "present": Flag(False),
    "asked": Whole(0, 0, 2),  # how much of a stop's question a slide shows: nothing, the question, its answer too
}
