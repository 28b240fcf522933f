"""A network that reads a share of the distance: against the paper's formula, as a loop and as torch's own layers."""

import pytest
import torch
from torch import Tensor, nn

from embedlib.positional import make_scheme
from embedlib.positional.fire import FirePositions


def fire(n_heads: int, head_dim: int = 4, **parameters: object) -> FirePositions:
    scheme = make_scheme("fire", d_model=n_heads * head_dim, n_heads=n_heads, **parameters)
    assert isinstance(scheme, FirePositions)
    return scheme


def layered(scheme: FirePositions, seq_len: int, *, offset: int = 0) -> Tensor:
    """Run torch's own layers on every pair, keys after the query included."""
    first, second = nn.Linear(1, 32).double(), nn.Linear(32, scheme.n_heads, bias=False).double()
    query = torch.arange(offset, offset + seq_len, dtype=torch.float64)[:, None]
    limit = torch.maximum(query, scheme.stretch.abs() * scheme.threshold)
    share = (scheme.c * (query - query.T).abs() + 1).log() / (scheme.c * limit + 1).log()
    weights = {"weight": scheme.hidden_weight[:, None], "bias": scheme.hidden_bias}
    hidden = torch.func.functional_call(first, weights, share[..., None]).relu()
    return torch.func.functional_call(second, {"weight": scheme.output_weight}, hidden).permute(2, 0, 1)


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("threshold", [512.0, 20.0])
def test_the_broken_line_is_the_network_to_the_last_gradient(threshold: float, seed: int) -> None:
    scheme = fire(3, threshold=threshold, seed=seed).double()
    weights = dict(scheme.named_parameters())
    upstream = torch.randn(3, 60, 60, dtype=torch.float64, generator=torch.Generator().manual_seed(9))
    ours, theirs = scheme.bias(60, causal=False, offset=2), layered(scheme, 60, offset=2)
    torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-12)
    actual = torch.autograd.grad((ours * upstream).sum(), list(weights.values()))
    expected = torch.autograd.grad((theirs * upstream).sum(), list(weights.values()))
    for name, mine, reference in zip(weights, actual, expected, strict=True):
        torch.testing.assert_close(
            mine, reference, rtol=1e-9, atol=1e-10, msg=lambda text, name=name: f"{name}: {text}"
        )


def test_units_without_weight_or_with_equal_corners_do_no_harm() -> None:
    scheme = fire(2).double()
    with torch.no_grad():
        scheme.hidden_weight[:3] = torch.tensor([0.0, 2.0, -4.0])
        scheme.hidden_bias[:3] = torch.tensor([0.5, -1.0, 2.0])  # both corners at a half
        scheme.hidden_weight[3:6] = 0.0
        scheme.hidden_bias[3:6] = torch.tensor([-1.0, 0.0, 1.0])
        torch.testing.assert_close(scheme.bias(80, causal=False), layered(scheme, 80), rtol=0, atol=1e-12)
        scheme.hidden_weight.zero_()
        torch.testing.assert_close(scheme.bias(80, causal=False), layered(scheme, 80), rtol=0, atol=1e-12)


def test_float32_agrees_with_float64() -> None:
    scheme = fire(4)
    single = scheme.bias(700)
    torch.testing.assert_close(single, scheme.double().bias(700).float(), rtol=1e-5, atol=1e-5)


def test_fresh_weights_are_those_of_linear_layers() -> None:
    scheme = fire(3)
    assert float(scheme.c.detach()) == pytest.approx(0.1)
    assert float(scheme.stretch.detach()) == 1.0
    for name, shape, limit in (
        ("hidden_weight", (32,), 1.0),
        ("hidden_bias", (32,), 1.0),
        ("output_weight", (3, 32), 32**-0.5),
    ):
        weights = scheme.get_parameter(name).detach()
        assert weights.shape == shape
        assert 0.8 * limit < float(weights.abs().max()) <= limit


def test_a_threshold_of_nothing_is_still_finite() -> None:
    scheme = fire(2).requires_grad_(False)
    scheme.stretch.zero_()
    assert scheme.bias(5).isfinite().all()
