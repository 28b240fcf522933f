"""The product of two sinusoidal rows as a bias: exact far out too, against the paper's formula as a loop."""

import math

import pytest

from embedlib.positional import make_scheme


def test_angles_are_exact_at_long_range() -> None:
    bias = make_scheme("sandwich", d_model=64, n_heads=1).bias(3_000)
    for key in (0, 1, 1_500):
        products = sum(math.cos((2_999 - key) / 10_000 ** (2 * k / 64)) for k in range(1, 33))
        assert float(bias[0, 2_999, key]) == pytest.approx((products - 32) / 8, rel=3e-7)
