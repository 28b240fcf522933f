"""Progress callbacks of long work; a callback stops the work by raising."""

from collections.abc import Callable
from typing import Any

# progress(share): the share done in [0, 1], never falling; what it raises, such as Cancelled, stops the work.
Progress = Callable[[float], None]


class Cancelled(Exception):
    """Raised by a progress callback to stop the work that called it; it is never caught on the way."""


def ignore_progress(*_report: Any) -> None:
    """Default progress callback: does nothing."""
