"""The product of two sinusoidal rows as a bias: against the paper's formula as a plain loop."""

import math

import pytest
import torch

from embedlib.positional import make_scheme, sinusoidal_table


def looped(distance: int, d_model: int, n_heads: int, head: int) -> float:
    products = 0.0
    for k in range(1, d_model // 2 + 1):
        products += math.cos(distance / 10_000 ** (2 * k / d_model))
    return (products - d_model / 2) / (8 * (head + 1) / n_heads)


def test_angles_are_exact_at_long_range() -> None:
    bias = make_scheme("sandwich", d_model=64, n_heads=1).bias(3_000)
    for key in (0, 1, 1_500):
        assert float(bias[0, 2_999, key]) == pytest.approx(looped(2_999 - key, 64, 1, 0), rel=3e-7)


@pytest.mark.parametrize("d_model", [12, 64])
def test_it_is_the_product_of_sinusoidal_rows_with_the_first_wave_replaced_by_the_last(d_model: int) -> None:
    table = sinusoidal_table(40, d_model, dtype=torch.float64)
    distance = torch.arange(40, dtype=torch.float64)
    distance = distance[:, None] - distance
    product = table @ table.T - distance.cos() + (distance / 10_000).cos() - d_model / 2
    heads = 8 * torch.arange(1, 5, dtype=torch.float64)[:, None, None] / 4
    bias = make_scheme("sandwich", d_model=d_model, n_heads=4).double().bias(40, causal=False)
    torch.testing.assert_close(bias, product / heads, rtol=0, atol=1e-11)


def test_it_is_greatest_at_distance_0_and_steeper_in_the_first_head() -> None:
    bias = make_scheme("sandwich", d_model=64, n_heads=4).bias(50, causal=False)
    assert (bias.diagonal(dim1=1, dim2=2) == 0).all()
    assert (bias <= 0).all()
    for head in range(4):
        torch.testing.assert_close(bias[head] * (head + 1), bias[0])
