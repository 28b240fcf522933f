"""The scores on the page as tensors and readings, from what there is of them by now."""

import torch
from torch import Tensor

from embedlib.length_reading import Reading, Standing, read_line, score_values, standings
from ui.extrapolation.measures import guessing
from ui.extrapolation.runs import Results


def values_of(results: Results) -> dict[str, Tensor]:
    """Return (n_seeds, n_lengths) of the measure for each line that has any run yet."""
    return {
        line: score_values(results.scores[line], results.measure, len(results.lengths))
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


def readings(results: Results) -> list[Reading]:
    """Tell of each line that has a run whether it holds past the trained length."""
    chance = guessing(results.experiment, results.measure, results.request.shape) or 0.0
    return [
        read_line(line, values, results.lengths, results.trained_length, measure=results.measure, chance=chance)
        for line, values in values_of(results).items()
    ]


def order_at(results: Results, place: int) -> list[Standing]:
    """Return the lines at one length, the best first."""
    return standings(values_of(results), place, measure=results.measure)
