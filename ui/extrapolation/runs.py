"""What there is by now to draw: finished runs, where they come from, those that diverged, and what is missing."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace

from embedlib.extrapolation import LengthScore
from embedlib.extrapolation.experiments import Unit
from embedlib.extrapolation.provenance import Provenance
from embedlib.extrapolation.shipped_runs import FinishedUnit
from embedlib.extrapolation.sweep import Measure
from ui.extrapolation.outcomes import DivergedUnit, outcome, trained_here
from ui.extrapolation.request import Request
from ui.shared.scores import shipped_runs


@dataclass(frozen=True)
class Results:
    """Everything that the figures of the page show.

    Attributes:
        request: what was asked for: experiment, schemes, steps, learning rate, source of the text, measure.
        lines: what is compared, in order: keys of SCHEMES, or of SCALINGS in the experiment "scaling".
        lengths: tested, rising, in the task's own count.
        trained_length: the greatest of training.
        seeds: of the runs asked for.
        scores: line to seed to one score for each length, as far as they are there; every line has an entry.
        provenances: where they come from, each once, its seconds those of all its runs together; shipped first.
        n_runs: how many come from each of these.
        seeds_of: and with which seeds.
        missing: (line, seed) of which there is nothing yet.
        diverged: (line, seed) to what is known of a run that came to nothing.
        key: equal where all the above are equal, for a cache of figures.
    """

    request: Request
    lines: tuple[str, ...]
    lengths: tuple[int, ...]
    trained_length: int
    seeds: tuple[int, ...]
    scores: Mapping[str, Mapping[int, tuple[LengthScore, ...]]]
    provenances: tuple[Provenance, ...]
    n_runs: tuple[int, ...]
    seeds_of: tuple[tuple[int, ...], ...]
    missing: tuple[tuple[str, int], ...]
    diverged: Mapping[tuple[str, int], DivergedUnit]
    key: Hashable

    @property
    def experiment(self) -> str:
        """Key of EXPERIMENTS."""
        return self.request.experiment

    @property
    def measure(self) -> Measure:
        """What of a score is drawn."""
        return self.request.measure


def results_of(request: Request) -> Results:
    """Gather what is there of a request."""
    scores: dict[str, dict[int, tuple[LengthScore, ...]]] = {line: {} for line in request.lines}
    finished: list[FinishedUnit] = []
    missing: list[tuple[str, int]] = []
    diverged: dict[tuple[str, int], DivergedUnit] = {}
    for unit in request.units:
        found = outcome(unit, here=request.here)
        if isinstance(found, FinishedUnit):
            finished.append(found)
            for line in unit.lines:
                scores[line][unit.seed] = found.scores[line]
        elif found is not None:
            diverged.update({(line, unit.seed): found for line in unit.lines})
        else:
            missing += [(line, unit.seed) for line in unit.lines]
    origins = _origins(finished)
    there = tuple((one.unit, one.provenance) for one in finished)
    return Results(
        request=request,
        lines=request.lines,
        lengths=request.shape.lengths,
        trained_length=request.shape.trained_length,
        seeds=request.seeds,
        scores=scores,
        provenances=tuple(origins),
        n_runs=tuple(map(len, origins.values())),
        seeds_of=tuple(tuple(sorted({one.unit.seed for one in found})) for found in origins.values()),
        missing=tuple(missing),
        diverged=diverged,
        key=(request, there, tuple(diverged)),
    )


def _origins(finished: list[FinishedUnit]) -> dict[Provenance, list[FinishedUnit]]:
    """Return each origin once, with the seconds of all its runs, and these; what ships comes first."""
    runs_of: dict[Provenance, list[FinishedUnit]] = {}
    for one in sorted(finished, key=lambda one: shipped_runs().get(one.unit) is not one):
        runs_of.setdefault(replace(one.provenance, seconds=0.0), []).append(one)
    return {
        replace(origin, seconds=sum(one.provenance.seconds for one in found)): found
        for origin, found in runs_of.items()
    }


def missing_units(request: Request) -> list[Unit]:
    """List the runs that are asked for and of which there is nothing yet."""
    return [unit for unit in request.units if outcome(unit, here=request.here) is None]


def largest_difference(request: Request) -> tuple[int, float] | None:
    """Compare runs that ship with the same runs trained here.

    Returns:
        How many runs there are twice, and the largest difference between two numbers of theirs, of the measure that is
        drawn; None where there are none.
    """
    twice = [(shipped_runs().get(unit), trained_here(unit)) for unit in request.units]
    pairs = [
        (getattr(first, request.measure), getattr(second, request.measure))
        for one, other in twice
        if isinstance(one, FinishedUnit) and isinstance(other, FinishedUnit)
        for line in one.unit.lines
        for first, second in zip(one.scores[line], other.scores[line], strict=True)
    ]
    differences = [abs(first - second) for first, second in pairs if first is not None and second is not None]
    count = sum(one is not None and isinstance(other, FinishedUnit) for one, other in twice)
    return (count, max(differences)) if differences else None
