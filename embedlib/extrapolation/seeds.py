"""Mean, least and greatest number over several seeds."""

from dataclasses import dataclass

import torch
from torch import Tensor


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
    values = values.detach().double()
    known = ~values.isnan()
    count = known.sum(-2)
    none = torch.full_like(values[..., 0, :], float("nan")) if values.shape[-2] else values.sum(-2) * float("nan")
    if not values.shape[-2]:
        return SeedSpread(none, none, none, count)
    least = torch.where(known, values, float("inf")).amin(-2)
    greatest = torch.where(known, values, float("-inf")).amax(-2)
    # Rounding must not carry a mean of equal numbers past them.
    mean = torch.minimum(torch.maximum(values.nanmean(-2), least), greatest)
    mean, least, greatest = (torch.where(count > 0, bound, none) for bound in (mean, least, greatest))
    return SeedSpread(mean, least, greatest, count)
