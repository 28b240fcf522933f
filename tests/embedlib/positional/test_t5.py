"""Buckets of distances: against T5 as released in transformers."""

import pytest
import torch
from transformers import T5Config
from transformers.models.t5.modeling_t5 import T5Attention

from embedlib.positional import make_scheme, relative_buckets
from embedlib.positional.t5 import T5Positions


def t5(n_heads: int, d_model: int, **parameters: object) -> T5Positions:
    scheme = make_scheme("t5", d_model=d_model, n_heads=n_heads, **parameters)
    assert isinstance(scheme, T5Positions)
    return scheme


@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize(
    ("num_buckets", "max_distance"),
    [(32, 128), (32, 64), (16, 128), (8, 16), (33, 100), (64, 1024), (4, 3), (32, 20)],
)
def test_buckets_are_transformers(num_buckets: int, max_distance: int, bidirectional: bool) -> None:
    distance = torch.arange(-2_000, 2_001)
    sizes = {"bidirectional": bidirectional, "num_buckets": num_buckets, "max_distance": max_distance}
    theirs = T5Attention._relative_position_bucket(-distance, **sizes)
    assert torch.equal(relative_buckets(distance, **sizes), theirs)


@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize(("seq_len", "n_heads", "d_model"), [(9, 3, 12), (150, 5, 40)])
def test_the_bias_is_that_of_a_released_layer_with_the_same_numbers(
    seq_len: int, n_heads: int, d_model: int, bidirectional: bool
) -> None:
    scheme = t5(n_heads, d_model, bidirectional=bidirectional)
    config = T5Config(d_model=d_model, num_heads=n_heads, is_decoder=not bidirectional)
    layer = T5Attention(config, has_relative_attention_bias=True, layer_idx=0)
    layer.relative_attention_bias.weight.data = scheme.table.data
    theirs = layer.compute_bias(seq_len, seq_len)[0]
    assert torch.equal(scheme.bias(seq_len, causal=False), theirs)
    assert torch.equal(scheme.bias(seq_len), theirs.tril())
    assert torch.equal(scheme.bias(seq_len, offset=7), theirs.tril())


def test_fresh_numbers_have_the_released_spread() -> None:
    table = t5(64, 256, num_buckets=512, max_distance=300).table
    assert table.shape == (512, 64)
    assert float(table.detach().std()) == pytest.approx(256**-0.5, rel=0.02)
