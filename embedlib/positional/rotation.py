"""Rotation of pairs of columns: which columns pair up, each pair's angle at each position, and the rotation itself."""

import math
from typing import Literal

import torch
from torch import Tensor

from embedlib.i18n import N_
from embedlib.positional.base import check_positions
from embedlib.positional.parameters import Parameter

Pairing = Literal["interleaved", "halves"]
PAIRINGS: tuple[Pairing, ...] = ("interleaved", "halves")
PAIRING = Parameter(
    name="pairing", default="interleaved", choices=PAIRINGS, summary=N_("Adjacent dimensions, or one from each half.")
)
BASE = Parameter(name="base", default=10_000.0, minimum=1.0, summary=N_("Wavelengths grow from 2π towards 2π·base."))


def split_pairs(x: Tensor, pairing: str) -> tuple[Tensor, Tensor]:
    """Return the first and the second columns of the pairs, two views (…, width/2)."""
    _check_pairing(pairing)
    if pairing == "interleaved":
        return x[..., 0::2], x[..., 1::2]
    first, second = x.chunk(2, dim=-1)
    return first, second


def join_pairs(first: Tensor, second: Tensor, pairing: str) -> Tensor:
    """Join pairs into columns, (…, width); the inverse of ``split_pairs``."""
    _check_pairing(pairing)
    if pairing == "interleaved":
        return torch.stack([first, second], dim=-1).flatten(-2)  # (…, width/2, 2) -> (…, width)
    return torch.cat([first, second], dim=-1)


def halves_order(width: int) -> Tensor:
    """Return the permutation that takes interleaved columns to halves: ``halves == interleaved[..., order]``.

    (width,) int64: 0, 2, 4, …, 1, 3, 5, … for an even width.
    """
    if width < 2 or width % 2:
        raise ValueError(f"width={width} must be even and at least 2 (columns come in pairs)")
    columns = torch.arange(width)
    return torch.cat([columns[0::2], columns[1::2]])


def geometric_frequencies(width: int, *, base: float, device: torch.device | None = None) -> Tensor:
    """Return base^(-2i/width) for each pair i of ``width`` columns: (width/2,) float64, radians per position."""
    check_base(base)
    column = torch.arange(0, width, 2, dtype=torch.float64, device=float64_device(device))  # (width/2,)
    return torch.pow(base, -column / width)


def position_angles(frequencies: Tensor, seq_len: int, *, offset: int = 0) -> Tensor:
    """Return position times frequency, (seq_len, n_pairs) float64, radians."""
    check_positions(seq_len, offset)
    position = torch.arange(offset, offset + seq_len, dtype=torch.float64, device=frequencies.device)  # (seq_len,)
    return torch.outer(position, frequencies)  # (seq_len, n_pairs)


def float64_device(device: torch.device | None) -> torch.device:
    """Return the device itself, or the CPU if it has no float64 (Apple's mps) or is None."""
    if device is None or torch.device(device).type == "mps":
        return torch.device("cpu")
    return torch.device(device)


def check_base(base: float) -> None:
    """Raise ValueError unless base is finite and at least 1."""
    if not (math.isfinite(base) and base >= 1):
        raise ValueError(f"base={base} must be finite and at least 1")


def _check_pairing(pairing: str) -> None:
    if pairing not in PAIRINGS:
        raise ValueError(f"pairing={pairing!r} must be one of {', '.join(PAIRINGS)}")


def rotary_angles(
    seq_len: int, rotary_dim: int, *, base: float = 10_000.0, offset: int = 0, device: torch.device | None = None
) -> Tensor:
    """Return position · base^(-2i/rotary_dim) for each pair and position: (seq_len, rotary_dim/2) float64, radians.

    Source: Su et al. 2021, §3.2.2, https://arxiv.org/abs/2104.09864
    """
    if rotary_dim < 2 or rotary_dim % 2:
        raise ValueError(f"rotary_dim={rotary_dim} must be even and at least 2 (columns are turned in pairs)")
    frequencies = geometric_frequencies(rotary_dim, base=base, device=device)  # (rotary_dim/2,)
    return position_angles(frequencies, seq_len, offset=offset)


def rotate_pairs(x: Tensor, angle: Tensor, *, pairing: str = "interleaved", amplitude: float | Tensor = 1.0) -> Tensor:
    """Rotate pairs of columns; columns past the last pair pass through. float32 at least.

    Args:
        x: (…, seq_len, head_dim), floating point.
        angle: (seq_len, n_pairs) radians, 2·n_pairs at most head_dim.
        pairing: "interleaved" (GPT-J, the original LLaMA) rotates columns 2i and 2i+1 together, "halves" (GPT-NeoX,
            LLaMA in transformers) i and i + n_pairs. They differ by the fixed permutation of columns ``halves_order``.
        amplitude: factor on rotated columns, a number or (seq_len, n_pairs).
    """
    rotary_dim = 2 * angle.shape[-1]
    working = torch.promote_types(x.dtype, torch.float32)
    cos = (angle.cos() * amplitude).to(working).to(x.device)  # (seq_len, n_pairs)
    sin = (angle.sin() * amplitude).to(working).to(x.device)
    first, second = split_pairs(x[..., :rotary_dim], pairing)  # (…, seq_len, n_pairs) each
    turned = join_pairs(first * cos - second * sin, first * sin + second * cos, pairing).to(x.dtype)
    return turned if rotary_dim == x.shape[-1] else torch.cat([turned, x[..., rotary_dim:]], dim=-1)
