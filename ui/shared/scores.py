"""Scores of trained decoders: the runs that ship with the project, and how their numbers are written."""

import math
from collections.abc import Mapping

from embedlib.extrapolation import FinishedUnit, Measure, Unit, finished_runs
from ui.cache.bounded import memo
from ui.i18n import _

__all__ = ["SHARES", "decimals", "score_written", "shipped_runs"]

SHARES: tuple[Measure, ...] = ("exact", "accuracy")


@memo()
def shipped_runs() -> Mapping[Unit, FinishedUnit]:
    """Return the runs that ship with the project."""
    return finished_runs()


def score_written(value: float, measure: Measure) -> str:
    """Write a number: shares as whole per cents unless they are nearly nothing or all, others in three digits."""
    if value != value:
        return _("none")
    if math.isinf(value):
        return "∞"
    if measure in SHARES:
        if 0 < value < 0.005:
            return f"{100 * value:.1f}%" if value >= 0.001 else "<0.1%"
        # Nearly all is not all.
        return f"{min(100 * value, 99.9):.1f}%" if 0.995 <= value < 1 else f"{100 * value:.0f}%"
    return f"{value:,.{decimals(value)}f}" if measure == "perplexity" else f"{value:.3g}"


def decimals(value: float) -> int:
    """Return how many decimals make three digits."""
    return 2 if value < 10 else 1 if value < 100 else 0
