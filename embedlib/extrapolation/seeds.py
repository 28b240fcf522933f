"""Mean, least and greatest number over several seeds."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional


@dataclass(frozen=True, eq=False, slots=True)
class SeedSpread:
    """Mean, least and greatest number of runs that differ in their seed alone; (…, n_lengths) each.

    Attributes:
        mean: float64; NaN where no seed has a number.
        count: int64, how many seeds have a number.
    """

    mean: Tensor
    least: Tensor
    greatest: Tensor
    count: Tensor

    @property
    def half(self) -> Tensor:
        """Half of the distance between the least and the greatest, for the number after ±."""
        return (self.greatest - self.least) / 2


def seed_spread(values: Tensor) -> SeedSpread:
    """Reduce (…, n_seeds, n_lengths) over the seeds; NaN where a seed has no number."""
    if values.ndim < 2:
        raise ValueError(f"values has shape {tuple(values.shape)}: it must be (…, n_seeds, n_lengths)")
    # One more seed without a number, for where there is none at all.
    values = functional.pad(values.detach().double(), (0, 0, 0, 1), value=math.nan)  # (…, n_seeds + 1, n_lengths)
    known = ~values.isnan()
    count = known.sum(-2)
    least = torch.where(known, values, math.inf).amin(-2)
    greatest = torch.where(known, values, -math.inf).amax(-2)
    mean = values.nanmean(-2).clamp(least, greatest)  # rounding must not carry a mean of equal numbers past them
    mean, least, greatest = (bound.masked_fill(count == 0, math.nan) for bound in (mean, least, greatest))
    return SeedSpread(mean, least, greatest, count)
