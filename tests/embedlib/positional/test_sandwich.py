"""The product of two sinusoidal rows as a bias: exact far out too, against the paper's formula as a loop."""

import math

import pytest

from embedlib.positional import make_scheme


def looped(distance: int, d_model: int, n_heads: int, head: int) -> float:
    products = 0.0
    for k in range(1, d_model // 2 + 1):
        products += math.cos(distance / 10_000 ** (2 * k / d_model))
    return (products - d_model / 2) / (8 * (head + 1) / n_heads)


def test_angles_are_exact_at_long_range() -> None:
    bias = make_scheme("sandwich", d_model=64, n_heads=1).bias(3_000)
    for key in (0, 1, 1_500):
        assert float(bias[0, 2_999, key]) == pytest.approx(looped(2_999 - key, 64, 1, 0), rel=3e-7)
