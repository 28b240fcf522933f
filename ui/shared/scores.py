"""Scores of trained decoders: the runs that ship with the project, and the format of their numbers."""

import math
import re
from collections.abc import Mapping, Sequence

from embedlib.extrapolation import EXPERIMENTS, FinishedUnit, Measure, Unit, experiment_units, finished_runs
from ui.cache.bounded import memo
from ui.i18n import _, number

__all__ = ["SHARES", "decimals", "format_machine", "format_score", "mean_at", "shipped_runs", "shipped_units"]

SHARES: tuple[Measure, ...] = ("exact", "accuracy")


@memo()
def shipped_runs() -> Mapping[Unit, FinishedUnit]:
    """Return the finished runs that ship with the project."""
    return finished_runs()


def shipped_units(experiment: str, schemes: Sequence[str]) -> list[FinishedUnit]:
    """Return the shipped runs of some schemes, all seeds."""
    return [shipped_runs()[unit] for unit in experiment_units(experiment, schemes=schemes) if unit in shipped_runs()]


@memo()
def mean_at(experiment: str, scheme: str, length: int) -> float | None:
    """Return a scheme's mean score over the shipped seeds at a length; None if there is none."""
    whole = EXPERIMENTS[experiment]
    place = whole.shapes["small"].lengths.index(length)
    scores = [getattr(one.scores[scheme][place], whole.measure) for one in shipped_units(experiment, (scheme,))]
    return sum(scores) / len(scores) if scores and None not in scores else None


def format_machine(machine: str) -> str:
    """Translate the name of a run's machine, which counts its cores in English."""
    return re.sub(r"(\d+) cores", lambda cores: _("{count} cores").format(count=int(cores[1])), machine)


def format_score(value: float, measure: Measure) -> str:
    """Format a score: shares as whole per cents unless nearly 0 or 1, others with three digits."""
    if value != value:
        return _("none")
    if math.isinf(value):
        return "∞"
    if measure in SHARES:
        if 0 < value < 0.005:
            return number(value, ".1%") if value >= 0.001 else "<" + number(0.001, ".1%")
        # Nearly all is not all.
        return number(min(value, 0.999), ".1%") if 0.995 <= value < 1 else number(value, ".0%")
    return number(value, f",.{decimals(value)}f" if measure == "perplexity" else ".3g")


def decimals(value: float) -> int:
    """Return the number of decimals for three significant digits."""
    return 2 if value < 10 else 1 if value < 100 else 0
