"""Mean, least and greatest number over several seeds."""

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, eq=False, slots=True)
class SeedSpread:
    """Numbers of several runs that differ in their seed alone.

    Attributes:
        mean: (…, n_lengths) float64, over the seeds that have a number; not a number where none has.
        least: likewise the least of them.
        greatest: likewise the greatest.
        count: (…, n_lengths) int64, how many seeds have a number.
    """

    mean: Tensor
    least: Tensor
    greatest: Tensor
    count: Tensor

    @property
    def half(self) -> Tensor:
        """Half of the distance between the least and the greatest, which stands behind the sign ±."""
        return (self.greatest - self.least) / 2


def seed_spread(values: Tensor) -> SeedSpread:
    """Reduce the seeds of runs to their mean, least and greatest.

    Args:
        values: (…, n_seeds, n_lengths) float; not a number where a seed has none.

    Returns:
        The reduced numbers, (…, n_lengths) each.
    """
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
