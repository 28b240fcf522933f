"""Periods of pairs of columns: where they repeat with the position, and their values between positions."""

import math

import torch
from torch import Tensor

_SAME = 1e-3  # of a pair's length: float32 angles of 512 positions stay within it
_EQUAL = 1e-6


def pair_speed(plane: Tensor) -> float | None:
    """Return the constant rotation of a pair of columns, in radians per position in (-π, π].

    `plane` is (seq_len, 2), one of ``position_planes``. None where the pair does not rotate evenly, or not at all.
    """
    (x, y), (next_x, next_y) = plane[:2].double().tolist()
    speed = math.atan2(x * next_y - y * next_x, x * next_x + y * next_y)
    if speed == 0:
        return None
    expected = extrapolate_rotation(plane, speed, torch.arange(len(plane)))
    apart = torch.linalg.vector_norm(expected - plane, dim=1).max()
    return speed if float(apart) <= _SAME * math.hypot(x, y) else None


def extrapolate_rotation(plane: Tensor, speed: float, positions: Tensor) -> Tensor:
    """Rotate a pair (seq_len, 2) evenly from position 0 to any positions (n,), whole or not: (n, 2).

    `speed` is in radians per position.
    """
    angle = positions.double() * speed
    x, y = plane[0].double()
    turned = [x * angle.cos() - y * angle.sin(), x * angle.sin() + y * angle.cos()]
    return torch.stack(turned, dim=1).to(plane.dtype)


def pair_period(plane: Tensor) -> float | None:
    """Return after how many positions a pair of columns, (seq_len, 2), repeats; None where it does not.

    A full turn where the pair rotates evenly, or else the least whole number, up to half of seq_len.
    """
    speed = pair_speed(plane)
    if speed is not None:
        return 2 * math.pi / abs(speed)
    again = (n for n in range(1, len(plane) // 2 + 1) if float((plane[n:] - plane[:-n]).abs().max()) <= _EQUAL)
    period = next(again, None)
    return None if period in (None, 1) else float(period)
