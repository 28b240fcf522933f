"""Transformer-XL: against XLNet's relative attention and the formula as a loop, term by term."""

import math

import pytest
import torch
from torch import Tensor
from transformers.models.xlnet.configuration_xlnet import XLNetConfig
from transformers.models.xlnet.modeling_xlnet import XLNetModel, XLNetRelativeAttention

from embedlib.positional import PositionalScheme, make_scheme
from tests.oracles.attention import dot

SIZES = [(1, 6, 3), (6, 12, 3), (9, 40, 5), (20, 32, 2)]  # seq_len, d_model, n_heads


def transformer_xl(d_model: int, n_heads: int) -> PositionalScheme:
    return make_scheme("transformer_xl", d_model=d_model, n_heads=n_heads, seed=5).double()


def weights(scheme: PositionalScheme) -> tuple[Tensor, Tensor, Tensor]:
    named = {name: weight.detach() for name, weight in scheme.named_parameters()}
    return named["relative_projection"], named["content_vector"], named["position_vector"]


def heads(seq_len: int, d_model: int, n_heads: int) -> Tensor:
    generator = torch.Generator().manual_seed(seq_len)
    return torch.randn(3, n_heads, seq_len, d_model // n_heads, dtype=torch.float64, generator=generator)


def projected_row(scheme: PositionalScheme, head: int, delta: int) -> list[float]:
    """W_R R_delta for one head, all sines first."""
    d_model = scheme.d_model
    angles = [delta * 10_000 ** (-2 * i / d_model) for i in range(d_model // 2)]
    row = [math.sin(angle) for angle in angles] + [math.cos(angle) for angle in angles]
    projection = weights(scheme)[0][head]
    return [sum(float(w) * x for w, x in zip(line, row, strict=True)) for line in projection]


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize(("seq_len", "d_model", "n_heads"), SIZES)
def test_attention_is_xlnets(seq_len: int, d_model: int, n_heads: int, causal: bool) -> None:
    config = XLNetConfig(
        vocab_size=4, d_model=d_model, n_layer=1, n_head=n_heads, d_inner=4, attn_type="bi", dropout=0.0
    )
    scheme = transformer_xl(d_model, n_heads)
    projection, content, position = weights(scheme)
    theirs = XLNetRelativeAttention(config).double()
    theirs.r_w_bias.data, theirs.r_r_bias.data = content, position
    rows = XLNetModel(config).relative_positional_encoding(seq_len, seq_len, bsz=1).double()  # (2·seq_len, 1, d_model)
    key_rows = torch.einsum("ibh,hnd->ibnd", rows, projection.permute(2, 0, 1))
    q, k, v = heads(seq_len, d_model, n_heads)
    later = torch.ones(seq_len, seq_len, dtype=torch.float64).triu(1)[:, :, None, None]
    mixed, weights_of_theirs = theirs.rel_attn_core(
        *(x.transpose(0, 1)[:, None] for x in (q, k, v)),  # they order positions, batch, heads
        key_rows,
        attn_mask=later if causal else None,
        output_attentions=True,
    )
    ours = scheme.scores(q, k, causal=causal).softmax(-1)
    torch.testing.assert_close(ours, weights_of_theirs[:, :, 0].permute(2, 0, 1).detach(), rtol=0, atol=2e-6)
    expected = mixed[:, 0].transpose(0, 1).detach()
    torch.testing.assert_close(scheme.attend(q, k, v, causal=causal), expected, rtol=0, atol=1e-5)


def test_similarity_is_the_mean_over_heads_of_the_term_of_positions_alone() -> None:
    scheme = transformer_xl(12, 3)
    similarity = scheme.similarity(7)
    position = weights(scheme)[2]
    for i in range(7):
        for j in range(7):
            each = [dot(position[h], torch.tensor(projected_row(scheme, h, i - j))) / 2 for h in range(3)]
            assert float(similarity[i, j]) == pytest.approx(sum(each) / 3, abs=1e-6)
