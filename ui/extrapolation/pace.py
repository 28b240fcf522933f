"""How long runs take on this server: as long as those that ship took, times the pace measured here."""

from collections.abc import Iterable
from functools import cache
from statistics import fmean

from embedlib.experiment_units import Unit
from embedlib.experiments import Size
from ui.extrapolation.outcomes import AT_ONCE, measured, runs, shipped

MOST_SECONDS = 30 * 60  # asked for at once by one visitor
_SCORING = 0.1  # what scoring takes of a run of the usual length
_UNKNOWN = 10.0  # seconds of a run like none that ships


def seconds_of(unit: Unit) -> float:
    """Estimate how long a run takes here when nobody else trains."""
    return _elsewhere(unit) * _pace()


def seconds_left(pending: Iterable[Unit]) -> float:
    """Estimate when the last of some runs will be over, with the turns of all who wait."""
    wanted, total, left = set(pending), 0.0, 0.0
    for job in runs.alive():
        unit = job.key
        assert isinstance(unit, Unit)
        total += seconds_of(unit) * (1 - job.share)
        if unit in wanted:
            left = total
    return left / AT_ONCE


def _pace() -> float:
    """Return how many seconds here are one of where the shipped runs were made; 1 before anything was run here."""
    last = list(measured)
    elsewhere = sum(_elsewhere(unit) for unit, _ in last)
    return sum(seconds for _, seconds in last) / elsewhere if elsewhere else 1.0


def _elsewhere(unit: Unit) -> float:
    share = unit.n_steps / unit.shape.n_steps
    return usual_seconds(unit.experiment, unit.scheme, unit.size) * (_SCORING + (1 - _SCORING) * share)


@cache
def usual_seconds(experiment: str, scheme: str, size: Size) -> float:
    """Return how long such runs took that ship, or those most like them; asked for every run that waits."""
    known = [one for one in shipped().values() if one.unit.size == size]
    alike = [one for one in known if one.unit.experiment == experiment] or known
    same = [one for one in alike if one.unit.scheme == scheme] or alike
    return fmean(one.provenance.seconds for one in same) if same else _UNKNOWN
