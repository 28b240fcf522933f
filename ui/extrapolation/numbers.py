"""The scores on the page as tensors and readings, from what there is of them by now."""

from dataclasses import replace

import torch
from torch import Tensor

from embedlib.extrapolation.seeds import seed_spread
from embedlib.extrapolation.sweep import Measure
from embedlib.extrapolation.verdicts import Reading, Standing, read_line, score_values, standings
from ui.extrapolation.measures import guessing
from ui.extrapolation.runs import Results


def values_of(results: Results, measure: Measure | None = None) -> dict[str, Tensor]:
    """Return (n_seeds, n_lengths) of a measure, unless named the drawn one, for each line that has any run yet."""
    return {
        line: score_values(results.scores[line], measure or results.measure, len(results.lengths))
        for line in results.lines
        if results.scores[line]
    }


def stacked(values: dict[str, Tensor]) -> Tensor:
    """Return (n_lines, n_seeds, n_lengths); a seed that a line has not is not a number."""
    most = max(len(numbers) for numbers in values.values())
    return torch.stack(
        [torch.cat([one, one.new_full((most - len(one), one.shape[1]), torch.nan)]) for one in values.values()]
    )


def hollow_places(results: Results, line: str) -> tuple[int, ...]:
    """Return the places of the lengths whose rows of positions training never met."""
    scores = next(iter(results.scores[line].values()), ())
    return tuple(place for place, score in enumerate(scores) if score.state == "untrained_rows")


def twice_place(results: Results) -> int:
    """Return the place of the tested length that is nearest to twice the trained one, among the longer ones."""
    return place_near(results, 2.0)


def place_near(results: Results, ratio: float) -> int:
    """Return the place of the tested length past training whose ratio to the trained one is nearest to a given one."""
    longer = [place for place, length in enumerate(results.lengths) if length > results.trained_length]
    wanted = ratio * results.trained_length
    return min(longer, key=lambda place: max(results.lengths[place] / wanted, wanted / results.lengths[place]))


def judged_by(results: Results) -> Measure:
    """Return what tells whether a line holds: the measure that is drawn, but tokens right for the loss of a task.

    A task's loss is next to nothing where it is learned, so that ten times as much of it may still be nothing.
    """
    return "accuracy" if results.measure == "loss" and not results.request.whole.needs_text else results.measure


def readings(results: Results) -> list[Reading]:
    """Tell of each line that has a run whether it holds past the trained length; the numbers are those drawn."""
    measure = judged_by(results)
    chance = guessing(results.experiment, measure, results.request.shape) or 0.0
    solvable = not results.request.whole.needs_text
    found = [
        read_line(
            line, values, results.lengths, results.trained_length, measure=measure, chance=chance, solvable=solvable
        )
        for line, values in values_of(results, measure).items()
    ]
    return found if measure == results.measure else [_as_drawn(one, results) for one in found]


def none_learned(results: Results) -> bool:
    """Tell whether there are lines and none of them has learned its task: their order then says nothing."""
    found = readings(results)
    return bool(found) and all(one.verdict == "not learned" for one in found)


def _as_drawn(one: Reading, results: Results) -> Reading:
    """Put the numbers that are drawn into a reading that rests on another measure."""
    means = seed_spread(values_of(results)[one.line]).mean.tolist()
    at = dict(zip(results.lengths, means, strict=True))
    return replace(
        one,
        trained=at[results.trained_length],
        last=at.get(one.last_length, one.last),
        worst=at.get(one.worst_length, one.worst),
    )


def order_at(results: Results, place: int) -> list[Standing]:
    """Return the lines at one length, the best first."""
    return standings(values_of(results), place, measure=results.measure)
