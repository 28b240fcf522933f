"""Laws of the distance with learned strength and bend: against the paper's formulas as loops."""

import math

import pytest
import torch

from embedlib.positional import make_scheme
from embedlib.positional.kerple import KerplePositions


def kerple(n_heads: int, head_dim: int = 4, **parameters: object) -> KerplePositions:
    scheme = make_scheme("kerple", d_model=n_heads * head_dim, n_heads=n_heads, **parameters)
    assert isinstance(scheme, KerplePositions)
    return scheme


def law(form: str, r1: float, r2: float, distance: int) -> float:
    return -r1 * math.log(1 + r2 * distance) if form == "logarithmic" else -r1 * distance**r2


@pytest.mark.parametrize("form", ["logarithmic", "power"])
def test_the_bias_in_float32_is_the_formula_at_long_range(form: str) -> None:
    scheme = kerple(3, form=form)
    bias = scheme.bias(600, offset=5).detach()
    for head, (r1, r2) in enumerate(zip(scheme.r1.tolist(), scheme.r2.tolist(), strict=True)):
        for key in (0, 1, 300, 598, 599):
            assert float(bias[head, 599, key]) == pytest.approx(law(form, r1, r2, 599 - key), rel=1e-5)
    assert (bias.diagonal(dim1=1, dim2=2) == 0).all()


@pytest.mark.parametrize(("form", "r1_limit", "r2_limit"), [("logarithmic", 2, 1), ("power", 1, 2)])
def test_fresh_numbers_are_uniform_in_the_released_ranges(form: str, r1_limit: int, r2_limit: int) -> None:
    scheme = kerple(2_000, 1, form=form)
    for numbers, limit in ((scheme.r1.detach(), r1_limit), (scheme.r2.detach(), r2_limit)):
        assert 0.0099 < float(numbers.min()) < 0.02
        assert 0.99 * limit < float(numbers.max()) <= limit * (1 + 1e-6)
        quartiles = torch.quantile(numbers, torch.tensor([0.25, 0.5, 0.75])) / limit
        torch.testing.assert_close(quartiles, torch.tensor([0.25, 0.5, 0.75]), rtol=0, atol=0.04)


@pytest.mark.parametrize("form", ["logarithmic", "power"])
def test_no_step_of_training_can_make_them_negative(form: str) -> None:
    scheme = kerple(3, form=form)
    with torch.no_grad():
        for raw in scheme.parameters():
            raw.sub_(torch.tensor([5.0, 20.0, -20.0]))
    assert (scheme.r1 > 0).all()
    assert (scheme.r2 > 0).all()
    if form == "power":
        assert (scheme.r2 <= 2).all()
