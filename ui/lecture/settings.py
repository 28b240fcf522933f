"""What of a lecture the link carries: which one a phone has left to explore. The right to present is in no setting."""

from dataclasses import dataclass

from ui.i18n import _
from ui.lecture.rooms import CODE
from ui.settings import Setting


@dataclass(frozen=True)
class RoomCode(Setting):
    """The code of a lecture's room; nothing for none."""

    def parse(self, raw: str) -> str | None:
        """Read "ABC234"."""
        if raw and not CODE.fullmatch(raw):
            raise ValueError(raw[:20])
        return raw or None

    def rule(self) -> str:
        """Say what a code is."""
        return _("a lecture’s code: six letters and digits")


SETTINGS: dict[str, Setting] = {"follow": RoomCode(None)}
