"""Which rotation is this: queries before and after it tell the pairing, the base, the direction and the offset."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from embedlib.positional.rotation import PAIRINGS, halves_order, join_pairs, split_pairs

_UNCHANGED = 1e-7  # of the greatest value: a column that moved by less was not turned
_CLOSE = 1.2  # a rounder number may explain this much less
# What is explained to this share of the greatest value is a rotation: bfloat16 keeps 8 bits.
_EXPLAINED = 0.02
_MOST_NUMBERS = 2**26


@dataclass(frozen=True, slots=True)
class RotationCandidate:
    """One way to explain the turn, with the best numbers it can have.

    Attributes:
        pairing: "interleaved" or "halves".
        direction: 1 where pairs turn by +angle, as RoPE is written; -1 where they turn the other way.
        rotary_dim: how many columns are turned, from the first; the others pass.
        base: angles are position · base^(-2i/rotary_dim) / factor.
        factor: 1, or what linear scaling divides positions by.
        offset: position of the first row.
        off_by: greatest difference between what this gives and what is there.
        off_by_free: the same where each pair may have a frequency of its own: small where ``off_by`` is not, the
            frequencies follow no single base, as in YaRN and Llama 3.
        frequencies: those of their own, radians per position, one a pair.
    """

    pairing: str
    direction: int
    rotary_dim: int
    base: float
    factor: float
    offset: int
    off_by: float
    off_by_free: float
    frequencies: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class RotationDiagnosis:
    """What a turn is, as far as can be told.

    Attributes:
        candidates: the two pairings in both directions, the best first.
        explained: whether the best explains it but for rounding.
        to_halves: the order of columns that makes interleaved ones halves: ``halves = interleaved[..., to_halves]``.
        to_interleaved: the order that undoes it.
        code: the same as Python, for activations and for the rows of a model's W_q and W_k.
    """

    candidates: tuple[RotationCandidate, ...]
    explained: bool
    to_halves: tuple[int, ...]
    to_interleaved: tuple[int, ...]
    code: str


@torch.no_grad()
def diagnose_rotation(before: Tensor | np.ndarray, after: Tensor | np.ndarray) -> RotationDiagnosis:
    """Find the rotation that took one array to another.

    Args:
        before: (seq_len, head_dim) or (…, seq_len, head_dim), seq_len and head_dim at least 2; rows at successive
            positions.
        after: the same queries or keys after the rotation.

    Returns:
        Every candidate with the best numbers it can have. Base and rotary_dim are told apart by the columns that stay
        as they are: where the slowest pairs do not move by more than rounding, give more positions.

    Raises:
        ValueError: shapes that differ or are too small or too large, or numbers that are not finite or all 0.

    Source: Su et al. 2021, §3.2.2, https://arxiv.org/abs/2104.09864
    """
    x, y = (_checked(name, given) for name, given in (("before", before), ("after", after)))
    if x.shape != y.shape:
        raise ValueError(f"before {tuple(x.shape)} and after {tuple(y.shape)} must have the same shape")
    x, y = (part.reshape(-1, *part.shape[-2:]) for part in (x, y))  # (n, seq_len, head_dim)
    fits = [
        fit
        for pairing in PAIRINGS
        for rotary_dim in _widths(x, y)
        for fit in _fits(x, y, pairing=pairing, rotary_dim=rotary_dim)
    ]
    best = [
        min((fit for fit in fits if (fit.pairing, fit.direction) == kind), key=_rank)
        for kind in [(pairing, direction) for pairing in PAIRINGS for direction in (1, -1)]
    ]
    best.sort(key=_rank)
    found = best[0]
    head_dim = x.shape[-1]
    order = torch.cat([halves_order(found.rotary_dim), torch.arange(found.rotary_dim, head_dim)])
    explained = min(found.off_by, found.off_by_free) <= _EXPLAINED * float(y.abs().max())
    back = tuple(order.argsort().tolist())
    return RotationDiagnosis(tuple(best), explained, tuple(order.tolist()), back, _code(found, head_dim))


def _rank(fit: RotationCandidate) -> tuple[float, int]:
    """Order candidates; where two explain alike, one that turns more columns first."""
    return float(f"{min(fit.off_by, fit.off_by_free * _CLOSE):.1e}"), -fit.rotary_dim


def _checked(name: str, given: Tensor | np.ndarray) -> Tensor:
    if isinstance(given, np.ndarray) and given.dtype.kind not in "fiu":
        raise ValueError(f"{name} is {given.dtype}: it must be numbers")
    x = torch.as_tensor(given)
    if x.is_complex() or x.dtype == torch.bool:
        raise ValueError(f"{name} is {x.dtype}: it must be real numbers")
    if x.ndim < 2 or x.shape[-1] < 2 or x.shape[-2] < 2 or not 0 < x.numel() <= _MOST_NUMBERS:
        raise ValueError(
            f"{name} has shape {tuple(x.shape)}: it must be (…, seq_len, head_dim), both at least 2, "
            f"of at most {_MOST_NUMBERS} numbers"
        )
    x = x.detach().to("cpu", torch.float64)
    if not bool(x.isfinite().all()):
        raise ValueError(f"{name} holds NaN or infinity: save it again")
    if not bool(x.any()):
        raise ValueError(f"{name} is 0 everywhere: give queries or keys")
    return x


def _widths(x: Tensor, y: Tensor) -> list[int]:
    """Numbers of turned columns that are worth a try: up to the last that moved, and the usual fractions above it."""
    head_dim = x.shape[-1]
    moved = (x - y).abs().amax((0, 1)) > _UNCHANGED * float(x.abs().max())
    last = int(moved.nonzero()[-1]) + 1 if bool(moved.any()) else 0
    least = max(2, min(last + last % 2, head_dim // 2 * 2))
    usual = {int(head_dim * fraction) // 2 * 2 for fraction in (0.25, 0.5, 0.75, 1.0)}
    return sorted({least, *(width for width in usual if width >= least)})


def _fits(x: Tensor, y: Tensor, *, pairing: str, rotary_dim: int) -> Iterator[RotationCandidate]:
    """Yield the best fit of each direction."""
    first, second = (torch.complex(*split_pairs(part[..., :rotary_dim], pairing)) for part in (x, y))
    turned = (second * first.conj()).sum(0)  # (seq_len, n_pairs): one number on the circle for each angle
    frequency = _frequencies(turned)  # (n_pairs,)
    position = torch.arange(len(turned), dtype=torch.float64)[:, None]  # (seq_len, 1)
    start = (turned * torch.exp(-1j * position * frequency)).sum(0).angle()  # (n_pairs,)
    free = _off_by(x, y, position * frequency + start, pairing)
    base, factor = _law(frequency.abs(), rotary_dim)
    for direction in (1, -1):
        offset = _offset(frequency if float(frequency.sum()) * direction > 0 else -frequency, start)
        plain = RotationCandidate(
            pairing, direction, rotary_dim, base, factor, offset, math.inf, free, tuple(frequency.tolist())
        )
        yield _rounded(plain, x, y)


def _frequencies(turned: Tensor) -> Tensor:
    """Radians per position of each pair: from one position to the next, then ever more exactly over wider steps."""
    frequency = (turned[1:] * turned[:-1].conj()).sum(0).angle()  # (n_pairs,)
    step = 2
    while step < len(turned):
        there = (turned[step:] * turned[:-step].conj()).sum(0).angle()
        frequency = frequency + torch.remainder(there - step * frequency + math.pi, 2 * math.pi).sub(math.pi) / step
        step *= 2
    return frequency


def _offset(frequency: Tensor, start: Tensor) -> int:
    """Position of the first row: the slowest pair tells it roughly, each faster one more exactly."""
    position = 0.0
    for speed, angle in sorted(zip(frequency.tolist(), start.tolist(), strict=True), key=lambda pair: abs(pair[0])):
        if abs(speed) > 1e-7:
            position += (math.remainder(angle - speed * position, 2 * math.pi)) / speed
    return round(position) if abs(position) < 2**31 else 0


def _law(speed: Tensor, rotary_dim: int) -> tuple[float, float]:
    """Base and factor of base^(-2i/rotary_dim) / factor, by least squares on logarithms; fast pairs are surer."""
    exponent = -torch.arange(0, rotary_dim, 2, dtype=torch.float64) / rotary_dim
    known = speed > 1e-9
    if int(known.sum()) < 2:
        return 10_000.0, float(1 / speed.max()) if bool(known.any()) else 1.0
    weight = speed[known] / speed[known].sum()
    x, y = exponent[known], speed[known].log()
    mean_x, mean_y = (weight * x).sum(), (weight * y).sum()
    slope = float((weight * (x - mean_x) * (y - mean_y)).sum() / (weight * (x - mean_x) ** 2).sum())
    slope = min(max(slope, 0.0), 40.0)
    return math.exp(slope), math.exp(min(max(slope * float(mean_x) - float(mean_y), -20.0), 20.0))


def _rounded(fit: RotationCandidate, x: Tensor, y: Tensor) -> RotationCandidate:
    """Take the roundest base and factor that explain nearly as much as the fitted ones."""
    bases = [fit.base, *(float(f"{fit.base:.{digits}g}") for digits in (4, 3, 2, 1)), 10_000.0]
    factors = [fit.factor, float(round(fit.factor, 2)), float(round(fit.factor)), 1.0]
    tried = []
    for factor in dict.fromkeys(factor for factor in factors if factor > 0):
        for base in dict.fromkeys(bases):
            exponent = -torch.arange(0, fit.rotary_dim, 2, dtype=torch.float64) / fit.rotary_dim
            position = torch.arange(fit.offset, fit.offset + x.shape[-2], dtype=torch.float64)
            angle = fit.direction * torch.outer(position, base**exponent / factor)  # (seq_len, n_pairs)
            off_by = _off_by(x, y, angle, fit.pairing)
            tried.append(replace(fit, base=base, factor=factor, off_by=off_by))
    least = min(one.off_by for one in tried)
    enough = [one for one in tried if one.off_by <= least * _CLOSE + 1e-12]
    return min(enough, key=lambda one: (len(f"{one.base:.17g}{one.factor:.17g}"), one.off_by))


def _off_by(x: Tensor, y: Tensor, angle: Tensor, pairing: str) -> float:
    width = 2 * angle.shape[-1]
    first, second = split_pairs(x[..., :width], pairing)
    cos, sin = angle.cos(), angle.sin()
    turned = join_pairs(first * cos - second * sin, first * sin + second * cos, pairing)
    rest = (x[..., width:] - y[..., width:]).abs()
    return max(float((turned - y[..., :width]).abs().max()), float(rest.max()) if rest.numel() else 0.0)


def _code(found: RotationCandidate, head_dim: int) -> str:
    """The permutation between the two pairings, as lines that run."""
    return f"""\
import torch

head_dim, rotary_dim = {head_dim}, {found.rotary_dim}
order = torch.cat([torch.arange(0, rotary_dim, 2), torch.arange(1, rotary_dim, 2), torch.arange(rotary_dim, head_dim)])


def to_halves(x):  # (..., head_dim): interleaved columns to halves
    return x[..., order]


def to_interleaved(x):  # (..., head_dim): halves to interleaved columns
    return x[..., order.argsort()]


def weights_to_halves(w):  # W_q or W_k, (n_heads * head_dim, d_model): the model then turns halves
    return w.view(-1, head_dim, w.shape[-1])[:, order].reshape(w.shape)


def weights_to_interleaved(w):
    return w.view(-1, head_dim, w.shape[-1])[:, order.argsort()].reshape(w.shape)
"""
