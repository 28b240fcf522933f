"""Rotations: against GPT-J, LLaMA and GPT-NeoX as released, and what they keep."""

import math

import pytest
import torch
from torch import Tensor
from transformers.models.gpt_neox.modeling_gpt_neox import apply_rotary_pos_emb as neox_rotary
from transformers.models.gptj.modeling_gptj import apply_rotary_pos_emb as gptj_rotary
from transformers.models.gptj.modeling_gptj import create_sinusoidal_positions
from transformers.models.llama.configuration_llama import LlamaConfig
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding
from transformers.models.llama.modeling_llama import apply_rotary_pos_emb as llama_rotary

from embedlib.positional import make_scheme, rotary_angles
from embedlib.positional.rope import RotaryPositions

SIZES = [(1, 8, 2), (9, 24, 3), (40, 64, 4)]  # seq_len, d_model, n_heads


def queries_and_keys(seq_len: int, d_model: int, n_heads: int) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(seq_len)
    q, k = torch.randn(2, 2, n_heads, seq_len, d_model // n_heads, generator=generator)
    return q, k


@pytest.mark.parametrize(("seq_len", "d_model", "n_heads"), SIZES)
def test_interleaved_is_gpt_js(seq_len: int, d_model: int, n_heads: int) -> None:
    q, k = queries_and_keys(seq_len, d_model, n_heads)
    sin, cos = create_sinusoidal_positions(seq_len, d_model // n_heads)[None].chunk(2, dim=-1)
    ours = make_scheme("rope", d_model=d_model, n_heads=n_heads).rotate(q, k)
    for mine, given in zip(ours, (q, k), strict=True):
        theirs = gptj_rotary(given.transpose(1, 2), sin, cos).transpose(1, 2)  # they put positions before heads
        torch.testing.assert_close(mine, theirs, rtol=0, atol=2e-5)


@pytest.mark.parametrize("base", [10_000.0, 500_000.0])
@pytest.mark.parametrize(("seq_len", "d_model", "n_heads"), SIZES)
def test_halves_is_llamas(seq_len: int, d_model: int, n_heads: int, base: float) -> None:
    q, k = queries_and_keys(seq_len, d_model, n_heads)
    config = LlamaConfig(
        hidden_size=d_model,
        num_attention_heads=n_heads,
        num_key_value_heads=n_heads,
        rope_parameters={"rope_type": "default", "rope_theta": base},
    )
    cos, sin = LlamaRotaryEmbedding(config)(q, torch.arange(seq_len)[None])
    theirs = llama_rotary(q, k, cos, sin)
    ours = make_scheme("rope", d_model=d_model, n_heads=n_heads, pairing="halves", base=base).rotate(q, k)
    for mine, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(mine, other, rtol=0, atol=2e-5)


@pytest.mark.parametrize(("fraction", "rotary_dim"), [(0.25, 4), (0.5, 8)])
def test_a_fraction_is_gpt_neoxs(fraction: float, rotary_dim: int) -> None:
    q, k = queries_and_keys(11, 48, 3)
    frequencies = 1 / 10_000 ** (torch.arange(0, rotary_dim, 2) / rotary_dim)
    angle = torch.outer(torch.arange(11.0), frequencies).repeat(1, 2)[None]
    theirs = neox_rotary(q, k, angle.cos(), angle.sin())
    scheme = make_scheme("rope", d_model=48, n_heads=3, pairing="halves", rotary_fraction=fraction)
    for mine, other, given in zip(scheme.rotate(q, k), theirs, (q, k), strict=True):
        torch.testing.assert_close(mine, other, rtol=0, atol=5e-6)
        assert torch.equal(mine[..., rotary_dim:], given[..., rotary_dim:])


def test_angles_hold_at_position_100_000() -> None:
    angle = rotary_angles(1, 64, offset=100_000)
    for i in range(32):
        assert float(angle[0, i]) == pytest.approx(100_000 * 10_000 ** (-2 * i / 64), rel=1e-14)
    q = torch.ones(1, 1, 64)
    turned = make_scheme("rope", d_model=64, n_heads=1).rotate(q, q, offset=100_000)[0][0, 0]
    for i in range(32):
        theta = 100_000 * 10_000 ** (-2 * i / 64)
        assert float(turned[2 * i]) == pytest.approx(math.cos(theta) - math.sin(theta), abs=1e-6)


def test_half_precision_is_turned_in_float32_and_comes_back_short() -> None:
    q, k = queries_and_keys(9, 24, 3)
    scheme = make_scheme("rope", d_model=24, n_heads=3)
    short = scheme.rotate(q.bfloat16(), k.bfloat16(), offset=5000)[0]
    assert short.dtype == torch.bfloat16
    assert torch.equal(short, scheme.rotate(q.bfloat16().float(), k, offset=5000)[0].bfloat16())


def test_the_whole_part_of_a_fraction_is_not_lost_to_floating_point() -> None:
    assert int(100 * 0.58) == 57
    assert RotaryPositions(d_model=100, n_heads=1, rotary_fraction=0.58).rotary_dim == 58
