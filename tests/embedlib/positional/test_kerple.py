"""KERPLE's learned numbers, fresh and after any step; `test_formulas` has the logits."""

import pytest
import torch

from embedlib.positional.kerple import KerplePositions


@pytest.mark.parametrize(("form", "r1_limit", "r2_limit"), [("logarithmic", 2, 1), ("power", 1, 2)])
def test_fresh_numbers_are_uniform_in_the_released_ranges(form: str, r1_limit: int, r2_limit: int) -> None:
    scheme = KerplePositions(d_model=2_000, n_heads=2_000, form=form)
    for numbers, limit in ((scheme.r1.detach(), r1_limit), (scheme.r2.detach(), r2_limit)):
        assert 0.0099 < float(numbers.min()) < 0.02
        assert 0.99 * limit < float(numbers.max()) <= limit * (1 + 1e-6)
        quartiles = torch.quantile(numbers, torch.tensor([0.25, 0.5, 0.75])) / limit
        torch.testing.assert_close(quartiles, torch.tensor([0.25, 0.5, 0.75]), rtol=0, atol=0.04)


@pytest.mark.parametrize("form", ["logarithmic", "power"])
def test_no_step_of_training_can_make_them_negative(form: str) -> None:
    scheme = KerplePositions(d_model=12, n_heads=3, form=form)
    with torch.no_grad():
        for raw in scheme.parameters():
            raw.sub_(torch.tensor([5.0, 20.0, -20.0]))
    assert (scheme.r1 > 0).all()
    assert (scheme.r2 > 0).all()
    if form == "power":
        assert (scheme.r2 <= 2).all()
