"""What the scores of the page are: how they are written, which way is better, and what guessing would come to."""

import math

from embedlib.extrapolation.experiments import Shape
from embedlib.extrapolation.sweep import Measure
from embedlib.extrapolation.verdicts import HIGHER
from ui.i18n import _
from ui.shared.scores import SHARES, decimals, score_written


def axis_title(measure: Measure) -> str:
    """Say what a measure is, and which way is better where that is not plain."""
    return {
        "exact": _("whole answers right"),
        "accuracy": _("tokens right"),
        "perplexity": _("perplexity, lower is better"),
        "loss": _("loss in nats, lower is better"),
    }[measure]


def spread_written(mean: float, half: float, measure: Measure, *, seeds: int) -> str:
    """Write a mean and half of the distance between the least and the greatest seed."""
    if seeds < 2 or not math.isfinite(half):
        return score_written(mean, measure)
    if measure in SHARES:
        return f"{score_written(mean, measure)} ± {100 * half:.{1 if 0 < half < 0.005 else 0}f}"
    return f"{score_written(mean, measure)} ± " + (
        f"{half:.{decimals(mean)}f}" if measure == "perplexity" else f"{half:.2g}"
    )


def guessing(experiment: str, measure: Measure, shape: Shape) -> float | None:
    """Return what guessing at random comes to; None where that is next to nothing, or not known."""
    if experiment != "back":
        return None
    return {"accuracy": 1 / shape.n_values, "loss": math.log(shape.n_values)}.get(measure)


def better_sign(measure: Measure) -> str:
    """Return the sign between a better number and a worse one."""
    return ">" if HIGHER[measure] else "<"
