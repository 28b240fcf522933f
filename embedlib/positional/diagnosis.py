"""Which rotation is this: queries before and after it tell the pairing, the base, the direction and the offset."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from embedlib.positional.rope_scaling import RopeScaling, scaled_frequencies
from embedlib.positional.rotation import PAIRINGS, halves_order, join_pairs, split_pairs

_UNCHANGED = 1e-7  # of the greatest value: a column that moved by less was not turned
_CLOSE = 1.2  # a rounder number, or a base alone, may explain this much less
_FREE = 10.0  # and whatever has fewer numbers than a frequency for each pair this much
_AMPLITUDE = 2e-3  # an amplitude this close to 1 is rounding
# What is explained to this share of the greatest value is a rotation: bfloat16 keeps 8 bits.
_EXPLAINED = 0.02
_MOST_NUMBERS = 2**26
# Scalings as released models have them, each with its base.
_PUBLISHED = (
    (RopeScaling("llama3", factor=8.0, original_max_seq_len=8_192), 500_000.0),  # Llama 3.1
    (RopeScaling("llama3", factor=32.0, original_max_seq_len=8_192), 500_000.0),  # Llama 3.2
    (RopeScaling("yarn", factor=16.0, original_max_seq_len=4_096), 10_000.0),  # YaRN's own Llama 2, 64k
    (RopeScaling("yarn", factor=32.0, original_max_seq_len=4_096), 10_000.0),  # and 128k
    (RopeScaling("yarn", factor=4.0, original_max_seq_len=32_768), 1_000_000.0),  # Qwen2.5, Qwen3
    (RopeScaling("yarn", factor=32.0, original_max_seq_len=4_096, truncate=False), 150_000.0),  # gpt-oss
    (
        RopeScaling("yarn", factor=40.0, original_max_seq_len=4_096, mscale=1.0, mscale_all_dim=1.0),
        10_000.0,
    ),  # DeepSeek-V3
)
_BY_PAIR = ("yarn", "llama3")  # scalings that no base with a factor stands in for


@dataclass(frozen=True, slots=True)
class RotationCandidate:
    """One way to explain the turn, with the best numbers it can have.

    Attributes:
        pairing: "interleaved" or "halves".
        direction: 1 where pairs turn by +angle, as RoPE is written; -1 where they turn the other way.
        rotary_dim: how many columns are turned, from the first; the others pass.
        base: angles are position · base^(-2i/rotary_dim) / factor, unless scaling is "yarn" or "llama3".
        scaling: "none"; "linear", where factor is not 1; "yarn" or "llama3", as RopeScaling defines them.
        factor: 1, or that of the scaling.
        original_max_seq_len: the trained length of "yarn" and "llama3"; 0 for the others.
        amplitude: what turned columns are multiplied by, which YaRN does.
        offset: position of the first row.
        off_by: greatest difference between what this gives and what is there.
        off_by_free: the same where each pair may have a frequency of its own: small where ``off_by`` is not, the
            frequencies follow neither a base nor a scaling that was tried.
        frequencies: those of their own, radians per position, one a pair.
    """

    pairing: str
    direction: int
    rotary_dim: int
    base: float
    scaling: str
    factor: float
    original_max_seq_len: int
    amplitude: float
    offset: int
    off_by: float
    off_by_free: float
    frequencies: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class RotationDiagnosis:
    """What a turn is, as far as can be told.

    Attributes:
        candidates: the two pairings in both directions, each with a base and a factor, and the best of "yarn" and of
            "llama3"; the best first.
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
def diagnose_rotation(
    before: Tensor | np.ndarray, after: Tensor | np.ndarray, *, arguments: Mapping[str, Any] | None = None
) -> RotationDiagnosis:
    """Find the rotation that took one array to another.

    Args:
        before: (seq_len, head_dim) or (…, seq_len, head_dim), seq_len and head_dim at least 2; rows at successive
            positions.
        after: the same queries or keys after the rotation.
        arguments: of make_scheme("rope", …), as RopeConfig has them: where they have a YaRN or Llama 3 scaling, it is
            tried beside those of Llama 3.1 and 3.2, Llama 2 with YaRN, Qwen, gpt-oss and DeepSeek-V3.

    Returns:
        Every candidate with the best numbers it can have. Base and rotary_dim are told apart by the columns that stay
        as they are: where the slowest pairs do not move by more than rounding, give more positions.

    Raises:
        ValueError: shapes that differ or are too small or too large, or numbers that are not finite or all 0; a scaling
            of ``arguments`` that is none.

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
    known = list(dict.fromkeys([*_scaling_of(arguments or {}), *_PUBLISHED]))
    nearest = min(fits, key=_rank_of_frequencies)
    fits += [
        _scaled(fit, x, y, scaling, base)
        for fit in fits
        if (fit.pairing, fit.direction) == (nearest.pairing, nearest.direction)
        for scaling, base in known
    ]
    kinds: dict[object, list[RotationCandidate]] = {}
    for fit in fits:
        kinds.setdefault(fit.scaling if fit.scaling in _BY_PAIR else (fit.pairing, fit.direction), []).append(fit)
    best = sorted((min(kind, key=_rank) for kind in kinds.values()), key=_rank)
    found = best[0]
    head_dim = x.shape[-1]
    order = torch.cat([halves_order(found.rotary_dim), torch.arange(found.rotary_dim, head_dim)])
    explained = min(found.off_by, found.off_by_free) <= _EXPLAINED * float(y.abs().max())
    back = tuple(order.argsort().tolist())
    return RotationDiagnosis(tuple(best), explained, tuple(order.tolist()), back, _code(found, head_dim))


def _scaling_of(arguments: Mapping[str, Any]) -> Iterator[tuple[RopeScaling, float]]:
    """Yield the scaling that is tried for a model's own sake, with its base."""
    if arguments.get("scaling") in _BY_PAIR:
        given = {field.name: arguments[field.name] for field in fields(RopeScaling) if field.name in arguments}
        yield RopeScaling(kind=arguments["scaling"], **given), float(arguments.get("base", 10_000.0))


def _rank_of_frequencies(fit: RotationCandidate) -> tuple[float, bool]:
    """Order candidates by how well frequencies of their own explain it, and then by the way these turn."""
    return fit.off_by_free, sum(fit.frequencies) * fit.direction < 0


def _rank(fit: RotationCandidate) -> tuple[float, int]:
    """Order candidates; where two explain alike, one that turns more columns first."""
    told = fit.off_by * _CLOSE if fit.scaling in _BY_PAIR else min(fit.off_by, fit.off_by_free * _FREE)
    return float(f"{told:.1e}"), -fit.rotary_dim


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
    amplitude = float((second.abs().square().sum() / first.abs().square().sum().clamp(min=1e-300)).sqrt())
    amplitude = 1.0 if abs(amplitude - 1) < _AMPLITUDE else amplitude
    free = _off_by(x, y, position * frequency + start, pairing, amplitude)
    base, factor = _law(frequency.abs(), rotary_dim)
    for direction in (1, -1):
        offset = _offset(frequency if float(frequency.sum()) * direction > 0 else -frequency, start)
        plain = RotationCandidate(
            pairing=pairing,
            direction=direction,
            rotary_dim=rotary_dim,
            base=base,
            scaling="none",
            factor=factor,
            original_max_seq_len=0,
            amplitude=amplitude,
            offset=offset,
            off_by=math.inf,
            off_by_free=free,
            frequencies=tuple(frequency.tolist()),
        )
        yield _rounded(plain, x, y)


def _scaled(fit: RotationCandidate, x: Tensor, y: Tensor, scaling: RopeScaling, base: float) -> RotationCandidate:
    """Put a known scaling and its base in place of the fitted ones."""
    scaled = replace(
        fit,
        base=base,
        scaling=scaling.kind,
        factor=scaling.factor,
        original_max_seq_len=scaling.original_max_seq_len,
        amplitude=scaling.amplitude(),
    )
    angle = _angles(fit, scaled_frequencies(fit.rotary_dim, scaling, base=base), x.shape[-2])  # (seq_len, n_pairs)
    return replace(scaled, off_by=_off_by(x, y, angle, fit.pairing, scaled.amplitude))


def _angles(fit: RotationCandidate, speed: Tensor, seq_len: int) -> Tensor:
    """Return by how much each pair turns, (seq_len, n_pairs)."""
    position = torch.arange(fit.offset, fit.offset + seq_len, dtype=torch.float64)
    return fit.direction * torch.outer(position, speed)


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
            angle = _angles(fit, base**exponent / factor, x.shape[-2])
            off_by = _off_by(x, y, angle, fit.pairing, fit.amplitude)
            scaling = "none" if factor == 1 else "linear"
            tried.append(replace(fit, base=base, scaling=scaling, factor=factor, off_by=off_by))
    least = min(one.off_by for one in tried)
    enough = [one for one in tried if one.off_by <= least * _CLOSE + 1e-12]
    return min(enough, key=lambda one: (len(f"{one.base:.17g}{one.factor:.17g}"), one.off_by))


def _off_by(x: Tensor, y: Tensor, angle: Tensor, pairing: str, amplitude: float) -> float:
    width = 2 * angle.shape[-1]
    first, second = split_pairs(x[..., :width], pairing)
    cos, sin = angle.cos() * amplitude, angle.sin() * amplitude
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
