"""The frame of scores by length: lengths on the scale that keeps them apart, round numbers, where training ended."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from embedlib.extrapolation import SeedSpread
from embedlib.figures.colours import GRID, INK, Theme
from embedlib.figures.layout import TICK, Spec, axis
from embedlib.figures.marks import ground, note, upright
from embedlib.figures.text import bold, plain

ROOMS = 0.035, 0.012  # of the axis, before the first length and after the last, where the names begin
APART = {False: 0.045, True: 0.16}  # of the axis, narrow or not: ticks nearer than that lose their number
# Ticks of a decade, by how many decades there are at most.
_NICE = {0.6: (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9), 1.2: (1, 1.5, 2, 3, 4, 5, 6, 8), 3: (1, 2, 5), math.inf: (1,)}


@dataclass(frozen=True, slots=True)
class LengthAxis:
    """Where lengths lie along x.

    Attributes:
        lengths: tested, rising.
        trained: the greatest of training.
        logarithmic: whether x is: the scale on which the two nearest lengths lie farther apart.
        narrow: whether the screen is a phone's.
    """

    lengths: tuple[int, ...]
    trained: int
    logarithmic: bool
    narrow: bool

    @classmethod
    def of(cls, lengths: Sequence[int], trained: int, *, narrow: bool = False) -> "LengthAxis":
        """Choose the scale."""
        every = sorted({*lengths, trained})
        gaps = [_least_gap([float(n) for n in every]), _least_gap([math.log10(n) for n in every])]
        return cls(tuple(lengths), trained, logarithmic=gaps[1] > gaps[0], narrow=narrow)

    def unit(self, length: float) -> float:
        """Return a length in the axis' own unit, which its range and annotations have."""
        return math.log10(length) if self.logarithmic else length

    @property
    def reach(self) -> tuple[float, float]:
        """The range of x, in its own unit, with a little room at both ends."""
        low, high = self.unit(min(self.lengths[0], self.trained)), self.unit(max(self.lengths[-1], self.trained))
        span = (high - low) or 10.0
        return low - ROOMS[0] * span, high + ROOMS[1] * span

    def share(self, length: float) -> float:
        """Return how far along the axis a length lies, in [0, 1]."""
        low, high = self.reach
        return (self.unit(length) - low) / (high - low)

    @property
    def numbered(self) -> list[int]:
        """Lengths whose number stands under the axis: that of training, multiples of it, then all that have room."""
        chosen: list[int] = []
        tested = self.lengths
        powers = [self.trained * 2**power for power in range(1, 12) if self.trained * 2**power in tested]
        for length in (self.trained, tested[-1], tested[0], *powers, *reversed(tested)):
            if all(abs(self.share(length) - self.share(other)) >= APART[self.narrow] for other in chosen):
                chosen.append(length)
        return sorted(chosen)

    def spec(self, theme: Theme, title: str) -> Spec:
        """Return the axis as Plotly reads it, with a tick at every tested length."""
        every = sorted({*self.lengths, self.trained})
        numbered = self.numbered
        return axis(
            theme,
            title,
            type="log" if self.logarithmic else "linear",
            range=list(self.reach),
            tickmode="array",
            tickvals=every,
            ticktext=[
                f"<b>{length}</b>" if length == self.trained else str(length) if length in numbered else ""
                for length in every
            ],
            ticks="outside",
            tickangle=0,
            showgrid=False,  # one of them would cut the upright in two
            fixedrange=True,
        )


def score_reach(spread: SeedSpread, level: tuple[float, str] | None, *, shares: bool) -> tuple[float, float]:
    """Return the range of y in its own unit: the whole of all shares, else what there is with a little room."""
    if shares:
        return -0.03, 1.03
    bounds = torch.cat([bound[bound.isfinite() & (bound > 0)].flatten() for bound in (spread.least, spread.greatest)])
    if level is not None:
        bounds = torch.cat([bounds, torch.tensor([level[0]], dtype=bounds.dtype)])
    low, high = (float(bounds.min().log10()), float(bounds.max().log10())) if len(bounds) else (0.0, 1.0)
    room = 0.06 * (high - low) or 0.1
    return low - room, high + room


def score_axis(theme: Theme, title: str, reach: tuple[float, float], *, shares: bool) -> Spec:
    """Return y as Plotly reads it: per cent, or a logarithm with round numbers."""
    if shares:
        ticks = [0, 0.25, 0.5, 0.75, 1]
        return axis(theme, title, range=list(reach), tickvals=ticks, tickformat=".0%", fixedrange=True)
    mantissas = next(ticks for most, ticks in _NICE.items() if reach[1] - reach[0] < most)
    every = [
        mantissa * 10.0**power
        for power in range(math.floor(reach[0]), math.ceil(reach[1]) + 1)
        for mantissa in mantissas
    ]
    ticks_in = [value for value in every if reach[0] <= math.log10(value) <= reach[1]]
    return axis(
        theme,
        title,
        type="log",
        range=list(reach),
        tickmode="array",
        tickvals=ticks_in,
        ticktext=[f"{value:g}" for value in ticks_in],
        fixedrange=True,
    )


def mark_training(layout: Spec, x_axis: LengthAxis, theme: Theme, *, trained_text: str, unseen_text: str) -> None:
    """Shade the ground past the trained length, draw an upright there, and say over the plot what lies on its sides."""
    trained, high = x_axis.trained, x_axis.reach[1]
    right = 10**high if x_axis.logarithmic else high
    line = {"color": INK[theme], "width": 2.5}
    layout["shapes"] += [
        ground(trained, right, GRID[theme], 0.55),
        upright(trained, theme, line=line, layer="between"),
    ]

    def over(words: str, anchor: str, shift: int | None = None) -> Spec:
        place = {"yshift": 2} | ({} if shift is None else {"xshift": shift})
        x = x_axis.unit(trained)
        return note(words, x, 1, INK[theme], f"{anchor} bottom", paper="y", size=TICK, over=theme, **place)

    if x_axis.share(trained) < 0.25:  # no room for words before the upright
        words = f"{bold(trained_text)} · {plain(unseen_text)}" + " →" * (not x_axis.narrow)
        layout["annotations"].append(over(words, "left"))
        return
    layout["annotations"] += [over(bold(trained_text), "right", -8), over(f"{plain(unseen_text)} →", "left", 8)]


def _least_gap(places: Sequence[float]) -> float:
    """The two nearest neighbours' distance, as a share of the whole."""
    if len(places) < 2:
        return 0.0
    return float(np.diff(places).min() / (places[-1] - places[0]))
