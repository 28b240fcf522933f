"""Scaled rotations: against transformers' own frequencies and rotations, and rotary-embedding-torch."""

import math

import pytest
import torch
from rotary_embedding_torch import RotaryEmbedding
from torch import Tensor
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.llama.configuration_llama import LlamaConfig
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding
from transformers.models.llama.modeling_llama import apply_rotary_pos_emb as llama_rotary

from embedlib.positional import make_scheme
from embedlib.positional.rope_scaling import SCALINGS, RopeScaling, scaled_frequencies

THEIR_NAMES = {"linear": "linear", "dynamic_ntk": "dynamic", "yarn": "yarn", "llama3": "llama3"}


def their_config(scaling: RopeScaling, *, d_model: int, n_heads: int, base: float) -> LlamaConfig:
    parameters = {"rope_type": THEIR_NAMES[scaling.kind], "rope_theta": base, "factor": scaling.factor}
    if scaling.kind == "llama3":
        parameters |= {
            "low_freq_factor": scaling.low_freq_factor,
            "high_freq_factor": scaling.high_freq_factor,
            "original_max_position_embeddings": scaling.original_max_seq_len,
        }
    if scaling.kind == "yarn":
        parameters |= {
            "beta_fast": scaling.beta_fast,
            "beta_slow": scaling.beta_slow,
            "truncate": scaling.truncate,
            "attention_factor": scaling.attention_factor or None,
            "mscale": scaling.mscale or None,
            "mscale_all_dim": scaling.mscale_all_dim or None,
            "original_max_position_embeddings": scaling.original_max_seq_len,
        }
    trained = scaling.original_max_seq_len
    # dynamic reads the trained length from max_position_embeddings; the others want it to be the longer one.
    longest = trained if scaling.kind == "dynamic_ntk" else int(trained * scaling.factor)
    return LlamaConfig(
        hidden_size=d_model,
        num_attention_heads=n_heads,
        num_key_value_heads=n_heads,
        max_position_embeddings=longest,
        rope_parameters=parameters,
    )


@pytest.mark.parametrize("kind", list(THEIR_NAMES))
@pytest.mark.parametrize("base", [10_000.0, 500_000.0])
@pytest.mark.parametrize(("rotary_dim", "trained"), [(16, 64), (128, 2048), (64, 8192)])
@pytest.mark.parametrize("factor", [1.0, 4.0, 8.0])
def test_frequencies_are_transformers(kind: str, base: float, rotary_dim: int, trained: int, factor: float) -> None:
    scaling = RopeScaling(kind, factor=factor, original_max_seq_len=trained)
    config = their_config(scaling, d_model=3 * rotary_dim, n_heads=3, base=base)
    for seq_len in (trained // 2, trained, trained + 1, 3 * trained):
        theirs, amplitude = ROPE_INIT_FUNCTIONS[THEIR_NAMES[kind]](config, torch.device("cpu"), seq_len=seq_len)
        ours = scaled_frequencies(rotary_dim, scaling, base=base, seq_len=seq_len)
        torch.testing.assert_close(ours.float(), theirs, rtol=2e-6, atol=0)
        assert scaling.amplitude() == pytest.approx(amplitude, rel=1e-12)


@pytest.mark.parametrize(
    "scaling",
    [
        RopeScaling("llama3", factor=32.0, original_max_seq_len=100, low_freq_factor=0.5, high_freq_factor=9.0),
        RopeScaling("yarn", factor=16.0, original_max_seq_len=300, beta_fast=8.0, beta_slow=2.0),
        RopeScaling("yarn", factor=2.0, original_max_seq_len=4),  # all that could turn often is out of range
        RopeScaling("yarn", factor=2.0, original_max_seq_len=64, beta_fast=9.0, beta_slow=9.0),
        RopeScaling("yarn", factor=32.0, original_max_seq_len=4096, truncate=False),  # gpt-oss
        RopeScaling("yarn", factor=40.0, original_max_seq_len=4096, mscale=1.0, mscale_all_dim=1.0),  # DeepSeek-V3: 1
        RopeScaling("yarn", factor=40.0, original_max_seq_len=4096, mscale=0.707, mscale_all_dim=0.5),
        RopeScaling("yarn", factor=40.0, mscale=0.707),  # alone it is not read
        RopeScaling("yarn", factor=8.0, attention_factor=1.2, mscale=2.0, mscale_all_dim=1.0),
    ],
)
def test_frequencies_are_transformers_for_other_numbers(scaling: RopeScaling) -> None:
    config = their_config(scaling, d_model=160, n_heads=5, base=10_000.0)
    theirs, amplitude = ROPE_INIT_FUNCTIONS[scaling.kind](config, torch.device("cpu"))
    assert scaling.amplitude() == pytest.approx(amplitude, rel=1e-12)
    torch.testing.assert_close(scaled_frequencies(32, scaling).float(), theirs, rtol=2e-6, atol=0)


@pytest.mark.parametrize("kind", list(THEIR_NAMES))
@pytest.mark.parametrize(("seq_len", "d_model", "n_heads"), [(7, 24, 3), (80, 64, 2)])
def test_rotations_are_llamas(kind: str, seq_len: int, d_model: int, n_heads: int) -> None:
    generator = torch.Generator().manual_seed(0)
    q, k = torch.randn(2, 2, n_heads, seq_len, d_model // n_heads, generator=generator)
    config = their_config(RopeScaling(kind, original_max_seq_len=32), d_model=d_model, n_heads=n_heads, base=10_000.0)
    cos, sin = LlamaRotaryEmbedding(config)(q, torch.arange(seq_len)[None])
    scheme = make_scheme(
        "rope", d_model=d_model, n_heads=n_heads, pairing="halves", scaling=kind, original_max_seq_len=32
    )
    for mine, theirs in zip(scheme.rotate(q, k), llama_rotary(q, k, cos, sin), strict=True):
        torch.testing.assert_close(mine, theirs, rtol=0, atol=3e-5)


LISTS = {"short_factor": [1 + i / 8 for i in range(8)], "long_factor": [1.4**i for i in range(8)]}


@pytest.mark.parametrize("base", [10_000.0, 500_000.0])
@pytest.mark.parametrize("more", [{}, {"factor": 1.0}, {"factor": 32.0}, {"attention_factor": 1.19}])
def test_longropes_lists_are_taken_as_transformers_takes_them(base: float, more: dict[str, float]) -> None:
    trained, longest = 64, 512
    parameters = {"rope_type": "longrope", "rope_theta": base, "original_max_position_embeddings": trained}
    config = LlamaConfig(
        hidden_size=48,
        num_attention_heads=3,
        max_position_embeddings=longest,
        rope_parameters=parameters | LISTS | more,
    )
    lists = {name: tuple(numbers) for name, numbers in LISTS.items()}
    given = {"factor": longest / trained} | more
    scaling = RopeScaling("longrope", original_max_seq_len=trained, **lists, **given)  # type: ignore[arg-type]
    for seq_len in (1, trained, trained + 1, longest):
        theirs, amplitude = ROPE_INIT_FUNCTIONS["longrope"](config, torch.device("cpu"), seq_len=seq_len)
        ours = scaled_frequencies(16, scaling, base=base, seq_len=seq_len)
        torch.testing.assert_close(ours.float(), theirs, rtol=1e-6, atol=0)
        assert scaling.amplitude() == pytest.approx(amplitude, rel=1e-12)


@pytest.mark.parametrize("share", [0.25, 0.3, 1.0])
@pytest.mark.parametrize("factor", [1.0, 8.0])
def test_proportional_rotates_the_first_pairs_as_transformers_does(share: float, factor: float) -> None:
    parameters = {"rope_type": "proportional", "rope_theta": 1e6, "factor": factor, "partial_rotary_factor": share}
    config = LlamaConfig(hidden_size=128, num_attention_heads=2, rope_parameters=parameters)
    theirs, _amplitude = ROPE_INIT_FUNCTIONS["proportional"](config, torch.device("cpu"))
    columns = int(share * 64) // 2 * 2
    given = {"scaling": "proportional", "base": 1e6, "factor": factor, "rotary_fraction": columns / 64}
    scheme = make_scheme("rope", d_model=128, n_heads=2, pairing="halves", **given)
    torch.testing.assert_close(scheme.angles(2)[1].float(), theirs, rtol=1e-6, atol=0)  # type: ignore[operator]
    q = torch.randn(2, 5, 64, generator=torch.Generator().manual_seed(0))
    cos, sin = LlamaRotaryEmbedding(config)(q, torch.arange(5)[None])
    turned = llama_rotary(q[None], q[None], cos, sin)[0][0]
    torch.testing.assert_close(scheme.rotate(q, q)[0], turned, rtol=0, atol=1e-5)


@pytest.mark.parametrize(("rotary_dim", "factor"), [(16, 2.0), (64, 8.0)])
def test_ntk_is_rotary_embedding_torchs(rotary_dim: int, factor: float) -> None:
    theirs = RotaryEmbedding(rotary_dim, theta_rescale_factor=factor).freqs.detach()
    ours = scaled_frequencies(rotary_dim, RopeScaling("ntk", factor=factor))
    torch.testing.assert_close(ours.float(), theirs, rtol=2e-6, atol=0)


def angles(kind: str, seq_len: int, **parameters: float) -> Tensor:
    scheme = make_scheme("rope", d_model=64, n_heads=2, scaling=kind, original_max_seq_len=32, **parameters)
    return scheme.angles(seq_len)  # type: ignore[operator]


def test_dynamic_ntk_counts_the_length_from_position_0() -> None:
    q = torch.randn(2, 40, 8, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    scheme = make_scheme("rope", d_model=16, n_heads=2, scaling="dynamic_ntk", original_max_seq_len=8)
    torch.testing.assert_close(scheme.rotate(q[:, 30:], q[:, 30:], offset=30)[0], scheme.rotate(q, q)[0][:, 30:])


@pytest.mark.parametrize("kind", SCALINGS)
@pytest.mark.parametrize("fraction", [0.5, 1.0])
def test_similarity_is_the_product_of_all_ones_over_head_dim(kind: str, fraction: float) -> None:
    scheme = make_scheme(
        "rope", d_model=24, n_heads=3, scaling=kind, original_max_seq_len=16, rotary_fraction=fraction
    ).double()
    ones = torch.ones(3, 40, 8, dtype=torch.float64)
    logits = scheme.scores(ones, ones, causal=False)[0] / math.sqrt(8)
    torch.testing.assert_close(scheme.similarity(40), logits)
