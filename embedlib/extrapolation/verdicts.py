"""Verdicts on scores by length: which lines hold past the trained length, which break and where, and their order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import torch
from torch import Tensor

from embedlib.extrapolation.seeds import seed_spread
from embedlib.extrapolation.sweep import Measure

Verdict = Literal["holds", "fades", "breaks", "in part", "not learned", "ends", "unknown"]

HIGHER_IS_BETTER: dict[Measure, bool] = {"exact": True, "accuracy": True, "perplexity": False, "loss": False}
# Of what a line scores at the trained length, over guessing: below the first it no longer holds, below the second it
# is broken. Perplexity may rise to as many times what it was there.
SHARE_LIMITS = 0.9, 0.5
GROWTH_LIMITS = 1.1, 1.5
_ROUNDING = 1e-9  # a limit that is just reached is kept
# Shares right, of the way from guessing to all: below the first at the trained length a task was not learned, below the
# second anywhere within training only in part.
LEARNED_SHARES = 0.5, 0.9


@dataclass(frozen=True, slots=True)
class Reading:
    """Verdict on one line past the trained length, by the mean of its seeds.

    Attributes:
        verdict: "holds" at every longer length; "fades" below the first limit; "breaks" below the second; "not learned"
            and "in part" where training itself did not succeed, or not wholly; "ends" where positions end at the first
            longer length; "unknown" without numbers.
        at: the first length at which it fades, breaks or ends; None for the others.
        falls_at: the first length at which it does not hold, which comes before it breaks; None likewise.
        trained: the number at the trained length.
        last: the number at last_length, the greatest that has one.
        worst: the worst number within training, at worst_length.
    """

    line: str
    verdict: Verdict
    at: int | None = None
    falls_at: int | None = None
    trained: float = float("nan")
    last: float = float("nan")
    last_length: int = 0
    worst: float = float("nan")
    worst_length: int = 0


@dataclass(frozen=True, slots=True)
class Standing:
    """One line at one length, over its seeds; NaN where there is no position."""

    line: str
    mean: float
    least: float
    greatest: float

    def overlaps(self, other: "Standing") -> bool:
        """Return whether the seeds of both overlap, so that their order may be chance."""
        return self.least <= other.greatest and other.least <= self.greatest


def classify_line(
    line: str,
    values: Tensor,
    lengths: Sequence[int],
    trained: int,
    *,
    measure: Measure,
    chance: float = 0.0,
    solvable: bool = True,
) -> Reading:
    """Classify a line: whether it holds past the trained length.

    Args:
        values: (n_seeds, n_lengths) of the measure; a loss is read as its perplexity.
        lengths: rising; ``trained`` is among them.
        chance: the accuracy of guessing; unused for other measures.
        solvable: whether all answers can be right; else a low share is no sign of failed training.
    """
    if trained not in lengths:
        raise ValueError(f"trained={trained} must be one of lengths={list(lengths)}")
    means = dict(zip(lengths, seed_spread(values).mean.tolist(), strict=True))
    here = means[trained]
    if here != here:
        return Reading(line, "unknown")
    known = [length for length in lengths if means[length] == means[length]]
    higher = HIGHER_IS_BETTER[measure]
    worst = (min if higher else max)((n for n in known if n <= trained), key=lambda length: means[length])
    reading: dict[str, Any] = {"trained": here, "last": means[known[-1]], "last_length": known[-1]}
    reading |= {"worst": means[worst], "worst_length": worst}
    read = torch.tensor([means[length] for length in lengths], dtype=torch.float64)
    if measure == "loss":
        read = read.exp()
    base = float(read[list(lengths).index(trained)])
    if higher and solvable and (shortfall := _training_shortfall(here, means[worst], chance)):
        return Reading(line, shortfall, **reading)
    weak: int | None = None
    for length, value in zip(lengths, read.tolist(), strict=True):
        if length <= trained:
            continue
        if value != value:
            return Reading(line, "ends" if weak is None else "fades", weak or length, weak or length, **reading)
        kept = (value - chance) / (base - chance) if higher else value / base
        weaker, broken = (kept < limit - _ROUNDING for limit in SHARE_LIMITS)
        if not higher:
            weaker, broken = (kept > limit + _ROUNDING for limit in GROWTH_LIMITS)
        if broken:
            return Reading(line, "breaks", length, weak or length, **reading)
        if weak is None and weaker:
            weak = length
    return Reading(line, "holds" if weak is None else "fades", weak, weak, **reading)


def _training_shortfall(here: float, worst: float, chance: float) -> Verdict | None:
    """Return whether training fell short, by the accuracy at its greatest length and the worst within it."""
    at_all, wholly = (chance + limit * (1 - chance) - _ROUNDING for limit in LEARNED_SHARES)
    return "not learned" if here < at_all else "in part" if worst < wholly else None


def distinct_groups(order: Sequence[Standing]) -> list[list[Standing]]:
    """Split lines, the best first, into groups: the seeds of each line overlap those of its group's first.

    The first line of each group is clearly better than the first of the next. `order` has no line without a number.
    """
    groups: list[list[Standing]] = []
    for one in order:
        if groups and groups[-1][0].overlaps(one):
            groups[-1].append(one)
        else:
            groups.append([one])
    return groups


def standings(values: Mapping[str, Tensor], place: int, *, measure: Measure) -> list[Standing]:
    """Rank lines, (n_seeds, n_lengths) each, at index `place` of the lengths, the best first.

    Lines without a number there are last, those without any are left out.
    """
    measured = []
    for line, numbers in values.items():
        spread = seed_spread(numbers)
        if int(spread.count.sum()):
            measured.append(
                Standing(line, *(float(bound[place]) for bound in (spread.mean, spread.least, spread.greatest)))
            )
    sign = -1 if HIGHER_IS_BETTER[measure] else 1
    return sorted(measured, key=lambda one: (one.mean != one.mean, sign * one.mean if one.mean == one.mean else 0.0))


@dataclass(frozen=True, slots=True)
class Agreement:
    """Pairs of lines in two orders.

    Attributes:
        same: pairs with the same order in both.
        other: pairs in opposite order, the better one of ours first.
        close: pairs whose seeds overlap in ours, or that are equal in theirs.
    """

    same: tuple[tuple[str, str], ...]
    other: tuple[tuple[str, str], ...]
    close: tuple[tuple[str, str], ...]


def agreement(ours: Sequence[Standing], theirs: Mapping[str, float], *, higher_is_better: bool) -> Agreement:
    """Compare our order with a published one, pair by pair, for the lines that both have.

    `higher_is_better` says whether more is better there.
    """
    shared = [one for one in ours if one.line in theirs and one.mean == one.mean]
    same: list[tuple[str, str]] = []
    other: list[tuple[str, str]] = []
    close: list[tuple[str, str]] = []
    for better, worse in combinations(shared, 2):
        ahead = theirs[better.line] - theirs[worse.line]
        kind = close if better.overlaps(worse) or not ahead else same if (ahead > 0) == higher_is_better else other
        kind.append((better.line, worse.line))
    return Agreement(tuple(same), tuple(other), tuple(close))
