"""What the scores of the page are: how they are written, which way is better, and what guessing would come to."""

import math

from embedlib.extrapolation.experiments import Shape
from embedlib.extrapolation.sweep import Measure
from embedlib.extrapolation.verdicts import HIGHER
from ui.i18n import _

SHARES: tuple[Measure, ...] = ("exact", "accuracy")


def axis_title(measure: Measure) -> str:
    """Say what a measure is, and which way is better where that is not plain."""
    return {
        "exact": _("whole answers right"),
        "accuracy": _("tokens right"),
        "perplexity": _("perplexity, lower is better"),
        "loss": _("loss in nats, lower is better"),
    }[measure]


def written(value: float, measure: Measure) -> str:
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
    return f"{value:,.{_decimals(value)}f}" if measure == "perplexity" else f"{value:.3g}"


def spread_written(mean: float, half: float, measure: Measure, *, seeds: int) -> str:
    """Write a mean and half of the distance between the least and the greatest seed."""
    if seeds < 2 or not math.isfinite(half):
        return written(mean, measure)
    if measure in SHARES:
        return f"{written(mean, measure)} ± {100 * half:.{1 if 0 < half < 0.005 else 0}f}"
    return f"{written(mean, measure)} ± " + (
        f"{half:.{_decimals(mean)}f}" if measure == "perplexity" else f"{half:.2g}"
    )


def _decimals(value: float) -> int:
    """Return how many decimals make three digits."""
    return 2 if value < 10 else 1 if value < 100 else 0


def guessing(experiment: str, measure: Measure, shape: Shape) -> float | None:
    """Return what guessing at random comes to; None where that is next to nothing, or not known."""
    if experiment != "back":
        return None
    return {"accuracy": 1 / shape.n_values, "loss": math.log(shape.n_values)}.get(measure)


def better_sign(measure: Measure) -> str:
    """Return the sign between a better number and a worse one."""
    return ">" if HIGHER[measure] else "<"
