"""Find the rotary convention between queries before and after RoPE: axis, pairing, base, direction, first position."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import product
from typing import Any

import numpy as np
import torch
from torch import Tensor

from embedlib.positional.rope_scaling import RopeScaling, scaled_frequencies
from embedlib.positional.rotation import PAIRINGS, halves_order, join_pairs, split_pairs

_SEQ_AXES = (-2, -3, -4)  # that can be the one of positions
_UNCHANGED = 1e-7  # of the greatest value: a column that moved by less was not rotated
_CLOSE = 1.2  # a rounder number, or a base alone, may explain this much less
_FREE = 10.0  # and whatever has fewer numbers than a frequency for each pair this much
_AMPLITUDE = 2e-3  # an amplitude this close to 1 is rounding
# What is explained to this share of the greatest value is a rotation: bfloat16 keeps 8 bits.
_EXPLAINED = 0.02
_MAX_NUMBERS = 2**26
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
    """One rotary convention with its best-fitting numbers, and its error on the arrays.

    Attributes:
        pairing: "interleaved" or "halves".
        direction: 1 where pairs rotate by +angle, as RoPE is written; -1 where they rotate the other way.
        rotary_dim: number of rotated columns, from the first; the others pass.
        base: angles are position · base^(-2i/rotary_dim) / factor, unless scaling is "yarn" or "llama3".
        scaling: "none"; "linear", where factor is not 1; "yarn" or "llama3", as RopeScaling defines them.
        factor: 1, or that of the scaling.
        original_max_seq_len: the trained length of "yarn" and "llama3"; 0 for the others.
        amplitude: factor on rotated columns, which YaRN has.
        offset: position of the first row.
        max_error: greatest difference between the rotated ``before`` and ``after``.
        max_error_fitted: the same with a fitted frequency for each pair: where it is small and ``max_error`` is not,
            the frequencies follow neither a base nor a scaling that was tried.
        frequencies: the fitted ones, radians per position, one a pair.
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
    max_error: float
    max_error_fitted: float
    frequencies: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class RotationDiagnosis:
    """The rotary convention that two arrays follow, with the evidence.

    Attributes:
        candidates: the two pairings in both directions, each with a base and a factor, and the best of "yarn" and of
            "llama3"; the best first.
        is_explained: whether the best one gives ``after`` up to rounding.
        seq_axis: the axis of positions, counted from the last, which is -1.
        seq_axes: every axis that can be the one of positions.
        explaining_axes: those of them along which a rotation explains the arrays.
        to_halves: the order of columns that makes interleaved ones halves: ``halves = interleaved[..., to_halves]``.
        to_interleaved: the inverse order.
        code: the conversion as Python, for activations and for the rows of a model's W_q and W_k.
    """

    candidates: tuple[RotationCandidate, ...]
    is_explained: bool
    seq_axis: int
    seq_axes: tuple[int, ...]
    explaining_axes: tuple[int, ...]
    to_halves: tuple[int, ...]
    to_interleaved: tuple[int, ...]
    code: str


@torch.no_grad()
def diagnose_rotation(
    before: Tensor | np.ndarray,
    after: Tensor | np.ndarray,
    *,
    arguments: Mapping[str, Any] | None = None,
    seq_axis: int | None = None,
) -> RotationDiagnosis:
    """Find the rotation that takes one array to another.

    Base and rotary_dim are distinguished by the columns that do not rotate: where the slowest pairs do not move by more
    than rounding, give more positions.

    Args:
        before: queries or keys, the last axis head_dim, at least 2; positions, at least 2, along one of the three axes
            before it: (seq_len, head_dim), (n_heads, seq_len, head_dim), (seq_len, n_heads, head_dim), with a batch in
            front, or (seq_len, batch_size, n_heads, head_dim).
        arguments: of make_scheme("rope", …), as RopeConfig has them: a YaRN or Llama 3 scaling in them is tried beside
            those of Llama 3.1 and 3.2, Llama 2 with YaRN, Qwen, gpt-oss and DeepSeek-V3.
        seq_axis: -2, -3 or -4, the axis of positions; None takes the one along which a rotation explains the arrays,
            the longest where there are several or none.

    Source: Su et al. 2021, §3.2.2, https://arxiv.org/abs/2104.09864
    """
    x, y = (_as_float64(name, given) for name, given in (("before", before), ("after", after)))
    if x.shape != y.shape:
        raise ValueError(f"before {tuple(x.shape)} and after {tuple(y.shape)} must have the same shape")
    axes = [axis for axis in _SEQ_AXES if axis >= -x.ndim and x.shape[axis] > 1]
    if seq_axis is not None and seq_axis not in axes:
        raise ValueError(f"seq_axis={seq_axis} must be one of {axes} for arrays of shape {tuple(x.shape)}")

    def along(axis: int) -> tuple[Tensor, Tensor]:
        """Return both arrays as (n, seq_len, head_dim)."""
        first, second = (part.movedim(axis, -2).reshape(-1, part.shape[axis], part.shape[-1]) for part in (x, y))
        return first, second

    largest_error = _EXPLAINED * float(y.abs().max())
    fits = {axis: list(_fit_frequencies(*along(axis))) for axis in axes}
    explaining = tuple(axis for axis in axes if min(fit.max_error_fitted for fit in fits[axis]) <= largest_error)
    axis = seq_axis or max(explaining or axes, key=lambda axis: x.shape[axis])
    candidates = _candidates(*along(axis), fits[axis], arguments or {})
    best, head_dim = candidates[0], x.shape[-1]
    order = torch.cat([halves_order(best.rotary_dim), torch.arange(best.rotary_dim, head_dim)])
    return RotationDiagnosis(
        candidates=candidates,
        is_explained=min(best.max_error, best.max_error_fitted) <= largest_error,
        seq_axis=axis,
        seq_axes=tuple(axes),
        explaining_axes=explaining,
        to_halves=tuple(order.tolist()),
        to_interleaved=tuple(order.argsort().tolist()),
        code=_conversion_code(best, head_dim),
    )


def _candidates(
    x: Tensor, y: Tensor, fits: Sequence[RotationCandidate], arguments: Mapping[str, Any]
) -> tuple[RotationCandidate, ...]:
    """Round bases and try known scalings; return the best candidate of each kind, the best first."""
    fits = [_round_base(fit, x, y) for fit in fits]
    nearest = min(fits, key=_frequency_error)
    fits += [
        _with_scaling(fit, x, y, scaling, base)
        for fit in fits
        if (fit.pairing, fit.direction) == (nearest.pairing, nearest.direction)
        for scaling, base in dict.fromkeys([*_configured_scaling(arguments), *_PUBLISHED])
    ]
    kinds: dict[object, list[RotationCandidate]] = {}
    for fit in fits:
        kinds.setdefault(fit.scaling if fit.scaling in _BY_PAIR else (fit.pairing, fit.direction), []).append(fit)
    return tuple(sorted((min(kind, key=_error_rank) for kind in kinds.values()), key=_error_rank))


def _configured_scaling(arguments: Mapping[str, Any]) -> Iterator[tuple[RopeScaling, float]]:
    """Yield the scaling of a model's own config.json, with its base."""
    if arguments.get("scaling") in _BY_PAIR:
        given = {field.name: arguments[field.name] for field in fields(RopeScaling) if field.name in arguments}
        yield RopeScaling(kind=arguments["scaling"], **given), float(arguments.get("base", 10_000.0))


def _frequency_error(fit: RotationCandidate) -> tuple[float, bool]:
    """Sort key: the error with fitted frequencies, then whether most of these have the other sign."""
    return fit.max_error_fitted, sum(fit.frequencies) * fit.direction < 0


def _error_rank(fit: RotationCandidate) -> tuple[float, int]:
    """Sort key: the error, then the number of rotated columns, most first."""
    error = fit.max_error * _CLOSE if fit.scaling in _BY_PAIR else min(fit.max_error, fit.max_error_fitted * _FREE)
    return float(f"{error:.1e}"), -fit.rotary_dim


def _as_float64(name: str, given: Tensor | np.ndarray) -> Tensor:
    if isinstance(given, np.ndarray) and given.dtype.kind not in "fiu":
        raise ValueError(f"{name} is {given.dtype}: it must be numbers")
    x = torch.as_tensor(given)
    if x.is_complex() or x.dtype == torch.bool:
        raise ValueError(f"{name} is {x.dtype}: it must be real numbers")
    if x.ndim < 2 or x.shape[-1] < 2 or max(x.shape[-4:-1]) < 2 or not 0 < x.numel() <= _MAX_NUMBERS:
        raise ValueError(
            f"{name} has shape {tuple(x.shape)}: it must be (seq_len, head_dim), both at least 2, with or without "
            f"heads and a batch, of at most {_MAX_NUMBERS} numbers"
        )
    x = x.detach().to("cpu", torch.float64)
    if not bool(x.isfinite().all()):
        raise ValueError(f"{name} holds NaN or infinity: save it again")
    if not bool(x.any()):
        raise ValueError(f"{name} is 0 everywhere: give queries or keys")
    return x


def _rotary_dims(x: Tensor, y: Tensor) -> list[int]:
    """List numbers of rotated columns to try: up to the last column that moved, and the usual fractions above it."""
    head_dim = x.shape[-1]
    moved = (x - y).abs().amax((0, 1)) > _UNCHANGED * float(x.abs().max())
    last = int(moved.nonzero()[-1]) + 1 if bool(moved.any()) else 0
    least = max(2, min(last + last % 2, head_dim // 2 * 2))
    usual = {int(head_dim * fraction) // 2 * 2 for fraction in (0.25, 0.5, 0.75, 1.0)}
    return sorted({least, *(width for width in usual if width >= least)})


def _fit_frequencies(x: Tensor, y: Tensor) -> Iterator[RotationCandidate]:
    """Fit a frequency to each pair of columns, for every pairing, rotary_dim and direction; max_error is still inf."""
    for pairing, rotary_dim in product(PAIRINGS, _rotary_dims(x, y)):
        first, second = (torch.complex(*split_pairs(part[..., :rotary_dim], pairing)) for part in (x, y))
        rotation = (second * first.conj()).sum(0)  # (seq_len, n_pairs): each number's angle is that of its pair
        frequency = _estimate_frequencies(rotation)  # (n_pairs,)
        position = torch.arange(len(rotation), dtype=torch.float64)[:, None]  # (seq_len, 1)
        phase = (rotation * torch.exp(-1j * position * frequency)).sum(0).angle()  # (n_pairs,)
        amplitude = float((second.abs().square().sum() / first.abs().square().sum().clamp(min=1e-300)).sqrt())
        amplitude = 1.0 if abs(amplitude - 1) < _AMPLITUDE else amplitude
        error = _max_error(x, y, position * frequency + phase, pairing, amplitude)
        base, factor = _fit_base(frequency.abs(), rotary_dim)
        for direction in (1, -1):
            yield RotationCandidate(
                pairing=pairing,
                direction=direction,
                rotary_dim=rotary_dim,
                base=base,
                scaling="none",
                factor=factor,
                original_max_seq_len=0,
                amplitude=amplitude,
                offset=_estimate_offset(frequency if float(frequency.sum()) * direction > 0 else -frequency, phase),
                max_error=math.inf,
                max_error_fitted=error,
                frequencies=tuple(frequency.tolist()),
            )


def _with_scaling(fit: RotationCandidate, x: Tensor, y: Tensor, scaling: RopeScaling, base: float) -> RotationCandidate:
    """Replace the fitted base and factor by a known scaling and its base."""
    scaled = replace(
        fit,
        base=base,
        scaling=scaling.kind,
        factor=scaling.factor,
        original_max_seq_len=scaling.original_max_seq_len,
        amplitude=scaling.amplitude(),
    )
    angle = _angles(fit, scaled_frequencies(fit.rotary_dim, scaling, base=base), x.shape[-2])  # (seq_len, n_pairs)
    return replace(scaled, max_error=_max_error(x, y, angle, fit.pairing, scaled.amplitude))


def _angles(fit: RotationCandidate, frequency: Tensor, seq_len: int) -> Tensor:
    """Return the angle of each pair at each position, (seq_len, n_pairs)."""
    position = torch.arange(fit.offset, fit.offset + seq_len, dtype=torch.float64)
    return fit.direction * torch.outer(position, frequency)


def _estimate_frequencies(rotation: Tensor) -> Tensor:
    """Estimate radians per position of each pair, from neighbouring positions, then more exactly over wider steps."""
    frequency = (rotation[1:] * rotation[:-1].conj()).sum(0).angle()  # (n_pairs,)
    step = 2
    while step < len(rotation):
        angle = (rotation[step:] * rotation[:-step].conj()).sum(0).angle()
        frequency = frequency + torch.remainder(angle - step * frequency + math.pi, 2 * math.pi).sub(math.pi) / step
        step *= 2
    return frequency


def _estimate_offset(frequency: Tensor, phase: Tensor) -> int:
    """Estimate the position of the first row: roughly from the slowest pair, more exactly from each faster one."""
    position = 0.0
    for speed, angle in sorted(zip(frequency.tolist(), phase.tolist(), strict=True), key=lambda pair: abs(pair[0])):
        if abs(speed) > 1e-7:
            position += (math.remainder(angle - speed * position, 2 * math.pi)) / speed
    return round(position) if abs(position) < 2**31 else 0


def _fit_base(speed: Tensor, rotary_dim: int) -> tuple[float, float]:
    """Fit base and factor of base^(-2i/rotary_dim) / factor by least squares on logarithms, weighting fast pairs."""
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


def _round_base(fit: RotationCandidate, x: Tensor, y: Tensor) -> RotationCandidate:
    """Return the roundest base and factor that explain nearly as much as the fitted ones."""
    bases = [fit.base, *(float(f"{fit.base:.{digits}g}") for digits in (4, 3, 2, 1)), 10_000.0]
    factors = [fit.factor, float(round(fit.factor, 2)), float(round(fit.factor)), 1.0]
    tried = []
    for factor in dict.fromkeys(factor for factor in factors if factor > 0):
        for base in dict.fromkeys(bases):
            exponent = -torch.arange(0, fit.rotary_dim, 2, dtype=torch.float64) / fit.rotary_dim
            angle = _angles(fit, base**exponent / factor, x.shape[-2])
            max_error = _max_error(x, y, angle, fit.pairing, fit.amplitude)
            scaling = "none" if factor == 1 else "linear"
            tried.append(replace(fit, base=base, scaling=scaling, factor=factor, max_error=max_error))
    least = min(one.max_error for one in tried)
    enough = [one for one in tried if one.max_error <= least * _CLOSE + 1e-12]
    return min(enough, key=lambda one: (len(f"{one.base:.17g}{one.factor:.17g}"), one.max_error))


def _max_error(x: Tensor, y: Tensor, angle: Tensor, pairing: str, amplitude: float) -> float:
    """Return the greatest difference between x rotated by (seq_len, n_pairs) angles and y."""
    width = 2 * angle.shape[-1]
    first, second = split_pairs(x[..., :width], pairing)
    cos, sin = angle.cos() * amplitude, angle.sin() * amplitude
    rotated = join_pairs(first * cos - second * sin, first * sin + second * cos, pairing)
    rest = (x[..., width:] - y[..., width:]).abs()
    return max(float((rotated - y[..., :width]).abs().max()), float(rest.max()) if rest.numel() else 0.0)


def _conversion_code(best: RotationCandidate, head_dim: int) -> str:
    """Write Python that converts columns and weights between the two pairings."""
    return f"""\
import torch

head_dim, rotary_dim = {head_dim}, {best.rotary_dim}
order = torch.cat([torch.arange(0, rotary_dim, 2), torch.arange(1, rotary_dim, 2), torch.arange(rotary_dim, head_dim)])


def to_halves(x):  # (..., head_dim): interleaved columns to halves
    return x[..., order]


def to_interleaved(x):  # (..., head_dim): halves to interleaved columns
    return x[..., order.argsort()]


def weights_to_halves(w):  # W_q or W_k, (n_heads * head_dim, d_model): the model then rotates halves
    return w.view(-1, head_dim, w.shape[-1])[:, order].reshape(w.shape)


def weights_to_interleaved(w):
    return w.view(-1, head_dim, w.shape[-1])[:, order.argsort()].reshape(w.shape)
"""
