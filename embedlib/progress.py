"""How long work tells how far it is, and how it is stopped."""

from collections.abc import Callable

from torch import Tensor


class Cancelled(Exception):
    """Raised by a progress callback to stop the work that called it; the work lets it through at once."""


# progress(share, points): the share done in [0, 1], never falling, and where the points are by now, (n_samples,
# n_components) float32 on the CPU and the callback's own to keep; None until they have begun to move.
Progress = Callable[[float, Tensor | None], None]


def ignore_progress(share: float, points: Tensor | None) -> None:
    """Take note of nothing and stop nothing."""
