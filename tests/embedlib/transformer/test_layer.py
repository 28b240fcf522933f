"""One layer that many schemes share: the same numbers as each by itself, and nothing kept from one to the next."""

import pytest
import torch

from embedlib.positional import SCHEMES, make_scheme
from embedlib.transformer.encoder import hidden_states
from embedlib.transformer.layer import SharedLayer, random_layers

TEXTS = torch.randn(3, 7, 24, generator=torch.Generator().manual_seed(1), dtype=torch.float64)


@pytest.mark.parametrize("name", SCHEMES)
def test_schemes_that_share_a_layer_see_what_each_sees_alone(name: str) -> None:
    scheme = make_scheme(name, d_model=24, n_heads=3, max_seq_len=64).double()
    shared = SharedLayer(TEXTS, seed=4)
    shared.attend(make_scheme("none", d_model=24, n_heads=2).double(), causal=True)  # other heads of the same rows
    for n_texts, offset in ((None, 0), (2, 0), (1, 16)):
        actual = shared.output(*shared.attend(scheme, causal=True, n_texts=n_texts, offset=offset))
        alone = hidden_states(TEXTS[:n_texts], scheme, seed=4, n_layers=1, causal=True, offset=offset)
        torch.testing.assert_close(actual, alone, rtol=0, atol=1e-12)
        assert not actual.requires_grad


def test_a_scheme_that_knows_where_a_text_begins_is_told() -> None:
    scheme = make_scheme("fire", d_model=24, n_heads=3, threshold=2.0).double()
    shared = SharedLayer(TEXTS, seed=4)
    here, there = (shared.output(*shared.attend(scheme, causal=True, offset=offset)) for offset in (0, 16))
    torch.testing.assert_close(there, hidden_states(TEXTS, scheme, seed=4, n_layers=1, causal=True, offset=16))
    assert not torch.allclose(here, there, atol=1e-4)


def test_weights_are_drawn_in_float32_layer_after_layer_and_leave_the_global_state_alone() -> None:
    state = torch.random.get_rng_state()
    layers = random_layers(2, seed=9, like=torch.zeros(6, dtype=torch.float64))
    assert torch.equal(torch.random.get_rng_state(), state)
    generator = torch.Generator().manual_seed(9)
    for layer in layers:
        square, w_in, w_out = (torch.randn(size, generator=generator) for size in [(4, 6, 6), (6, 12), (12, 6)])
        for actual, drawn, inputs in (
            (layer.w_qkv, square[:3], 6),
            (layer.w_o, square[3], 6),
            (layer.w_in, w_in, 6),
            (layer.w_out, w_out, 12),
        ):
            assert actual.dtype == torch.float64
            torch.testing.assert_close(actual, (drawn * inputs**-0.5).double(), rtol=0, atol=1e-6)


def test_what_is_no_set_of_texts_is_refused() -> None:
    with pytest.raises(ValueError, match=r"rows has shape \(7, 24\): it must be \(n_texts, seq_len, d_model\)"):
        SharedLayer(TEXTS[0], seed=0)
    with pytest.raises(ValueError, match="d_model=32"):
        SharedLayer(TEXTS, seed=0).attend(make_scheme("none", d_model=32, n_heads=4).double(), causal=True)
    with pytest.raises(ValueError, match="use causal=True"):
        SharedLayer(TEXTS, seed=0).attend(make_scheme("xpos", d_model=24, n_heads=3).double(), causal=False)
