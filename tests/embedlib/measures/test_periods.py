import math

import pytest
import torch

from embedlib.measures import extrapolate_rotation, pair_period, pair_speed, position_planes, random_similarity
from embedlib.positional import make_scheme


@pytest.mark.parametrize(("base", "layout"), [(10_000.0, "interleaved"), (500.0, "halves"), (100.0, "interleaved")])
def test_a_sinusoid_repeats_after_its_wavelength_and_runs_on_its_curve(base: float, layout: str) -> None:
    scheme = make_scheme("sinusoidal", d_model=32, n_heads=1, base=base, layout=layout)
    at = torch.linspace(0, 59, 473)
    for pair, plane in enumerate(position_planes(scheme, 60)):
        frequency = base ** (-2 * pair / 32)
        assert pair_period(plane) == pytest.approx(2 * math.pi / frequency, rel=1e-5)
        speed = pair_speed(plane)
        assert speed is not None
        curve = extrapolate_rotation(plane, speed, at)
        expected = [[math.cos(t * frequency), math.sin(t * frequency)] for t in at.tolist()]
        torch.testing.assert_close(curve, torch.tensor(expected), rtol=0, atol=1e-4)


def test_a_column_of_a_grid_repeats_after_its_width_and_a_random_one_never() -> None:
    plane = torch.tensor([[math.cos(p % 5), math.sin(p % 5)] for p in range(23)])
    assert pair_period(plane) == 5
    assert pair_period(plane[:8]) is None  # not seen twice
    assert pair_period(torch.randn(23, 2, generator=torch.Generator().manual_seed(0))) is None
    assert pair_period(torch.zeros(9, 2)) is None


@pytest.mark.parametrize("scheme", ["rope", "xpos", "shaw", "transformer_xl"])
def test_random_queries_and_keys_are_those_of_scores(scheme: str) -> None:
    made = make_scheme(scheme, d_model=12, n_heads=3)
    found = random_similarity(made, 7, seed=4)
    generator = torch.Generator().manual_seed(4)
    q, k = (torch.empty(3, 1, 4).normal_(generator=generator).expand(-1, 7, -1) for _ in range(2))
    logits = made.scores(q, k, causal=made.causal_only).mean(0)
    if "content" in made.acts_on:
        expected = logits - (q @ k.transpose(-1, -2)).mean(0) * made.logit_scale()
    else:
        expected = logits / made.logit_scale() / 4
    expected = expected.masked_fill(expected.isinf(), torch.nan)
    torch.testing.assert_close(found, expected.detach(), equal_nan=True, rtol=1e-4, atol=1e-5)
