"""Results of a request so far: finished runs, their scores as tensors and readings, and their formats."""

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import torch
from torch import Tensor

from embedlib.extrapolation import (
    HIGHER_IS_BETTER,
    FinishedUnit,
    LengthScore,
    Measure,
    Provenance,
    Reading,
    Shape,
    Standing,
    Unit,
    classify_line,
    score_values,
    standings,
)
from ui.extrapolation.outcomes import DivergedUnit, outcome, trained_here
from ui.extrapolation.request import Request
from ui.i18n import _, number
from ui.shared.scores import SHARES, decimals, format_score, shipped_runs


@dataclass(frozen=True)
class Results:
    """Everything that the figures of the page show.

    Attributes:
        request: whose runs these are.
        lines: what is compared, in order: keys of SCHEMES, or of SCALINGS in the experiment "scaling".
        lengths: tested, rising, in the task's own count.
        trained_length: the greatest of training.
        scores: line to seed to one score for each length; every line has an entry.
        provenances: where they come from, each once, its seconds those of all its runs together; shipped first.
        n_runs: how many come from each of these.
        seeds_of: and with which seeds.
        missing: (line, seed) of which there is nothing yet.
        diverged: (line, seed) to the run that diverged.
        learned: (line, seed) to what a formula's parameters came to.
        cache_key: equal where all the above are equal, for a cache of figures.
    """

    request: Request
    lines: tuple[str, ...]
    lengths: tuple[int, ...]
    trained_length: int
    scores: Mapping[str, Mapping[int, tuple[LengthScore, ...]]]
    provenances: tuple[Provenance, ...]
    n_runs: tuple[int, ...]
    seeds_of: tuple[tuple[int, ...], ...]
    missing: tuple[tuple[str, int], ...]
    diverged: Mapping[tuple[str, int], DivergedUnit]
    learned: Mapping[tuple[str, int], Mapping[str, tuple[float, ...]]]
    cache_key: Hashable

    @property
    def experiment(self) -> str:
        """Key of EXPERIMENTS."""
        return self.request.experiment

    @property
    def measure(self) -> Measure:
        """The measure that is drawn."""
        return self.request.measure

    @cached_property
    def readings(self) -> list[Reading]:
        """Each line that has a run, read: whether it holds past the trained length, by `verdict_measure`."""
        measure = verdict_measure(self)
        chance = chance_score(self.experiment, measure, self.request.shape) or 0.0
        solvable = not self.request.whole.needs_text
        return [
            classify_line(
                line, values, self.lengths, self.trained_length, measure=measure, chance=chance, solvable=solvable
            )
            for line, values in scores_by_line(self, measure).items()
        ]


def collect_results(request: Request) -> Results:
    """Collect the finished runs of a request."""
    scores: dict[str, dict[int, tuple[LengthScore, ...]]] = {line: {} for line in request.lines}
    finished: list[FinishedUnit] = []
    missing: list[tuple[str, int]] = []
    diverged: dict[tuple[str, int], DivergedUnit] = {}
    learned: dict[tuple[str, int], Mapping[str, tuple[float, ...]]] = {}
    for unit, names in request.named_units:
        one = outcome(unit, here=request.here)
        if isinstance(one, FinishedUnit):
            if one not in finished:  # two formulas may be the same
                finished.append(one)
            for line, name in names.items():
                scores[line][unit.seed] = one.scores[name]
                if one.learned:
                    learned[line, unit.seed] = one.learned
        elif one is not None:
            diverged.update({(line, unit.seed): one for line in names})
        else:
            missing += [(line, unit.seed) for line in names]
    origins = _origins(finished)
    there = tuple((one.unit, one.provenance) for one in finished)
    return Results(
        request=request,
        lines=request.lines,
        lengths=request.shape.lengths,
        trained_length=request.shape.trained_length,
        scores=scores,
        provenances=tuple(origins),
        n_runs=tuple(map(len, origins.values())),
        seeds_of=tuple(tuple(sorted({one.unit.seed for one in units})) for units in origins.values()),
        missing=tuple(missing),
        diverged=diverged,
        learned=learned,
        cache_key=(request, there, tuple(diverged)),
    )


def _origins(finished: list[FinishedUnit]) -> dict[Provenance, list[FinishedUnit]]:
    """Group runs by origin, with the seconds of all of them; shipped ones come first."""
    runs_of: dict[Provenance, list[FinishedUnit]] = {}
    for one in sorted(finished, key=lambda one: shipped_runs().get(one.unit) is not one):
        runs_of.setdefault(replace(one.provenance, seconds=0.0), []).append(one)
    return {
        replace(origin, seconds=sum(one.provenance.seconds for one in units)): units
        for origin, units in runs_of.items()
    }


def missing_units(request: Request) -> list[Unit]:
    """List the requested runs that have no outcome yet."""
    return [unit for unit in dict.fromkeys(request.units) if outcome(unit, here=request.here) is None]


def largest_difference(request: Request) -> tuple[int, float] | None:
    """Return how many shipped runs were also trained here, and the largest difference; None without any."""
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


def axis_title(measure: Measure) -> str:
    """Return the title of a measure, with the better direction where that is not plain."""
    return {
        "exact": _("share of right answers"),
        "accuracy": _("share of right tokens"),
        "perplexity": _("perplexity (lower is better)"),
        "loss": _("loss (lower is better)"),
    }[measure]


def format_spread(mean: float, half: float, measure: Measure, *, seeds: int) -> str:
    """Format a mean ± half of the range over seeds."""
    if seeds < 2 or not math.isfinite(half):
        return format_score(mean, measure)
    if measure in SHARES:
        return f"{format_score(mean, measure)} ± {number(100 * half, f'.{1 if 0 < half < 0.005 else 0}f')}"
    return f"{format_score(mean, measure)} ± " + number(
        half, f".{decimals(mean)}f" if measure == "perplexity" else ".2g"
    )


def chance_score(experiment: str, measure: Measure, shape: Shape) -> float | None:
    """Return the score of random guessing; None where that is almost 0, or not known."""
    if experiment != "back":
        return None
    return {"accuracy": 1 / shape.n_values, "loss": math.log(shape.n_values)}.get(measure)


def better_sign(measure: Measure) -> str:
    """Return the sign between a better number and a worse one."""
    return ">" if HIGHER_IS_BETTER[measure] else "<"


def scores_by_line(results: Results, measure: Measure | None = None) -> dict[str, Tensor]:
    """Return the scores of each line with a run, (n_seeds, n_lengths), by a measure or by the drawn one."""
    return {
        line: score_values(results.scores[line], measure or results.measure, len(results.lengths))
        for line in results.lines
        if results.scores[line]
    }


def stack_seeds(values: dict[str, Tensor]) -> Tensor:
    """Stack the lines' scores, (n_lines, n_seeds, n_lengths); missing seeds are NaN."""
    most = max(len(numbers) for numbers in values.values())
    return torch.stack(
        [torch.cat([one, one.new_full((most - len(one), one.shape[1]), torch.nan)]) for one in values.values()]
    )


def untrained_indices(results: Results, line: str) -> tuple[int, ...]:
    """Return the indices of lengths whose position rows were never trained."""
    scores = next(iter(results.scores[line].values()), ())
    return tuple(place for place, score in enumerate(scores) if score.state == "untrained_rows")


def twice_index(results: Results) -> int:
    """Return the index of the tested length nearest to twice the trained one, among the longer ones."""
    return nearest_length_index(results, 2.0)


def nearest_length_index(results: Results, ratio: float) -> int:
    """Return the index of the tested length past training whose ratio to the trained one is nearest to `ratio`."""
    longer = [place for place, length in enumerate(results.lengths) if length > results.trained_length]
    wanted = ratio * results.trained_length
    return min(longer, key=lambda place: max(results.lengths[place] / wanted, wanted / results.lengths[place]))


def verdict_measure(results: Results) -> Measure:
    """Return the measure of the verdicts: the drawn one, but tokens right for a task's loss, which falls to nothing."""
    return "accuracy" if results.measure == "loss" and not results.request.whole.needs_text else results.measure


def none_learned(results: Results) -> bool:
    """Return whether there are lines and none has learned its task: their order then means nothing."""
    verdicts = {one.verdict for one in results.readings}
    return verdicts == {"not learned"}


def ordered_lines(results: Results, place: int) -> list[Standing]:
    """Return the lines at one length, the best first."""
    return standings(scores_by_line(results), place, measure=results.measure)
