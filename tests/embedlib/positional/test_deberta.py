"""Disentangled attention: against transformers' DeBERTa and the formula as a loop, in both readings of the paper."""

import math

import pytest
import torch
from torch import Tensor
from transformers.models.deberta.configuration_deberta import DebertaConfig
from transformers.models.deberta.modeling_deberta import DisentangledSelfAttention, build_relative_position
from transformers.models.deberta_v2.configuration_deberta_v2 import DebertaV2Config
from transformers.models.deberta_v2.modeling_deberta_v2 import DisentangledSelfAttention as SelfAttentionV2
from transformers.models.deberta_v2.modeling_deberta_v2 import make_log_bucket_position

from embedlib.positional import PositionalScheme, make_scheme
from embedlib.positional.deberta import log_buckets

SIZES = [(1, 6, 3, 2), (6, 12, 3, 4), (9, 40, 5, 3), (20, 32, 2, 64)]  # seq_len, d_model, n_heads, span


def deberta(d_model: int, n_heads: int, span: int, p2c: str = "code") -> PositionalScheme:
    return make_scheme("deberta", d_model=d_model, n_heads=n_heads, span=span, p2c=p2c, seed=5).double()


def weights(scheme: PositionalScheme) -> tuple[Tensor, Tensor, Tensor]:
    named = {name: weight.detach() for name, weight in scheme.named_parameters()}
    return named["distance_vectors"], named["key_projection"], named["query_projection"]


def heads(seq_len: int, d_model: int, n_heads: int) -> Tensor:
    generator = torch.Generator().manual_seed(seq_len)
    return torch.randn(3, n_heads, seq_len, d_model // n_heads, dtype=torch.float64, generator=generator)


@pytest.mark.parametrize(("seq_len", "d_model", "n_heads", "span"), SIZES)
def test_logits_are_transformers(seq_len: int, d_model: int, n_heads: int, span: int) -> None:
    scheme = deberta(d_model, n_heads, span)
    table, key_projection, query_projection = weights(scheme)
    config = DebertaConfig(
        hidden_size=d_model,
        num_attention_heads=n_heads,
        relative_attention=True,
        max_relative_positions=span,
        pos_att_type=["c2p", "p2c"],
    )
    theirs = DisentangledSelfAttention(config).double().eval()
    theirs.pos_proj.weight.data = key_projection.flatten(0, 1)
    theirs.pos_q_proj.weight.data = query_projection.flatten(0, 1)
    theirs.pos_q_proj.bias.data.zero_()
    q, k, _ = (x[None] for x in heads(seq_len, d_model, n_heads))
    scaled = q / math.sqrt(3 * d_model / n_heads)
    added = theirs.disentangled_att_bias(scaled, k, build_relative_position(q, k), table, 3)
    expected = (scaled @ k.transpose(-1, -2) + added).detach()
    torch.testing.assert_close(scheme.scores(q, k, causal=False), expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(("span", "max_distance"), [(256, 512), (8, 64), (4, 33), (16, 16)])
def test_log_buckets_are_those_of_version_2(span: int, max_distance: int) -> None:
    distance = torch.arange(-3 * max_distance, 3 * max_distance + 1)
    theirs = make_log_bucket_position(distance, span, max_distance).long()
    assert torch.equal(log_buckets(distance, span, max_distance), theirs)


@pytest.mark.parametrize(("seq_len", "span", "max_distance"), [(9, 4, 8), (40, 8, 24), (30, 8, 8)])
def test_logits_with_log_buckets_are_those_of_version_3(seq_len: int, span: int, max_distance: int) -> None:
    d_model, n_heads = 12, 3
    scheme = make_scheme(
        "deberta", d_model=d_model, n_heads=n_heads, span=span, buckets="log", max_distance=max_distance, seed=5
    ).double()
    table, key_projection, query_projection = weights(scheme)
    config = DebertaV2Config(
        hidden_size=d_model,
        num_attention_heads=n_heads,
        relative_attention=True,
        max_relative_positions=max_distance,
        position_buckets=span,
        pos_att_type=["c2p", "p2c"],
    )
    theirs = SelfAttentionV2(config).double().eval()
    theirs.pos_key_proj.weight.data = key_projection.flatten(0, 1)
    theirs.pos_query_proj.weight.data = query_projection.flatten(0, 1)
    for layer in (theirs.pos_key_proj, theirs.pos_query_proj):
        layer.bias.data.zero_()
    q, k, _ = heads(seq_len, d_model, n_heads)  # they take the heads as the batch
    added = theirs.disentangled_attention_bias(q, k, None, table, 3)
    expected = (q @ k.transpose(-1, -2) / math.sqrt(3 * d_model / n_heads) + added).detach()
    torch.testing.assert_close(scheme.scores(q, k, causal=False), expected, rtol=1e-6, atol=1e-6)


def test_the_terms_say_which_distance_the_key_meets() -> None:
    q, k, _ = heads(4, 8, 2)
    names = [list(deberta(8, 2, 3, p2c).terms(q, k)) for p2c in ("code", "paper")]
    products = (r"Q^c_i \cdot K^c_j", r"Q^c_i \cdot K^r_{\delta(i,j)}", r"K^c_j \cdot Q^r_{\delta(i,j)}")
    assert names[0] == [rf"\frac{{{product}}}{{\sqrt{{3d}}}}" for product in products]
    assert names[1] == [*names[0][:2], names[0][2].replace("i,j", "j,i")]
