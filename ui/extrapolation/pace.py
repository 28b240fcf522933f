"""How long runs take on this server: as many usual runs as they are, times the pace of the last ones here."""

from collections.abc import Iterable
from functools import cache
from statistics import median

from embedlib.extrapolation.experiments import EXPERIMENTS, Size, Unit
from ui.extrapolation.outcomes import AT_ONCE, measured, runs
from ui.shared.scores import shipped_runs

MOST_SECONDS = 30 * 60  # asked for at once by one visitor, at the usual pace: what is refused does not depend on today
_SCORING = 0.1  # what scoring takes of a run of the usual length
_UNKNOWN = 10.0  # seconds of a run like none that ships
_DEAREST = 2.0  # times the quickest run of its kind: what took longer shared its processor with other work
_PACES = 0.25, 4.0  # within which a pace is believed


def seconds_of(unit: Unit) -> float:
    """Estimate how long a run takes here when nobody else trains."""
    return _elsewhere(unit) * _pace()


def usual_work(units: Iterable[Unit]) -> float:
    """Return the seconds that runs take one after the other at the usual pace, whatever else goes on today."""
    return sum(map(_elsewhere, units))


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
    """Return how many seconds here are one of where the shipped runs were made; 1 before anything was run here.

    The median, so that one run that had to wait sways nothing.
    """
    paces = [seconds / _elsewhere(unit) for unit, seconds in measured]
    return min(max(median(paces), _PACES[0]), _PACES[1]) if paces else 1.0


def _elsewhere(unit: Unit) -> float:
    share = unit.n_steps / unit.shape.n_steps
    return usual_seconds(unit.experiment, unit.scheme, unit.size) * (_SCORING + (1 - _SCORING) * share)


@cache
def usual_seconds(experiment: str, scheme: str, size: Size) -> float:
    """Return how long such runs took that ship, or those most like them; asked for every run that waits.

    The quickest of each counts, and at most twice the quickest of the same shape: some shipped runs were made beside
    other work.
    """
    known = [one for one in shipped_runs().values() if one.unit.size == size]
    shape = EXPERIMENTS[experiment].shapes[size]
    alike = [one for one in known if one.unit.shape == shape] or known
    same = [one for one in alike if (one.unit.experiment, one.unit.scheme) == (experiment, scheme)] or alike
    if not same:
        return _UNKNOWN
    quickest, own = (min(one.provenance.seconds for one in among) for among in (alike, same))
    return min(own, _DEAREST * quickest)
