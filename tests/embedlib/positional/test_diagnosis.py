"""A rotation is found from queries before and after it: against the code of GPT-J and Llama."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor
from transformers.models.gptj.modeling_gptj import apply_rotary_pos_emb as gptj_rotary
from transformers.models.gptj.modeling_gptj import create_sinusoidal_positions
from transformers.models.llama.configuration_llama import LlamaConfig
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding
from transformers.models.llama.modeling_llama import apply_rotary_pos_emb as llama_rotary

from embedlib.checkpoints import read_rope_config
from embedlib.positional import diagnose_rotation, make_scheme, rotate_pairs


def queries(*shape: int) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(len(shape)))


def test_gpt_j_is_found_with_its_fraction() -> None:
    q = queries(2, 3, 50, 32)
    sin, cos = create_sinusoidal_positions(50, 16)[None].chunk(2, dim=-1)
    turned = gptj_rotary(q[..., :16].transpose(1, 2), sin, cos).transpose(1, 2)
    found = diagnose_rotation(q, torch.cat([turned, q[..., 16:]], dim=-1))
    best = found.candidates[0]
    assert (best.pairing, best.direction, best.rotary_dim, best.base, best.factor, best.offset) == (
        "interleaved", 1, 16, 10_000.0, 1.0, 0,
    )  # fmt: skip
    assert found.is_explained
    assert best.max_error < 1e-5
    halves = next(one for one in found.candidates if one.pairing == "halves")
    assert halves.max_error > 1


def rotated_by_llama(q: Tensor) -> Tensor:
    """Rotate (batch, heads, seq_len, head_dim) as transformers' Llama does, with base 10,000."""
    config = LlamaConfig(hidden_size=q.shape[-1], num_attention_heads=1)
    cos, sin = LlamaRotaryEmbedding(config)(q, torch.arange(q.shape[-2])[None])
    return llama_rotary(q, q, cos, sin)[0]


def rotated_by_gpt_j(q: Tensor) -> Tensor:
    """Rotate (batch, heads, seq_len, head_dim) as transformers' GPT-J does."""
    sin, cos = create_sinusoidal_positions(q.shape[-2], q.shape[-1])[None].chunk(2, dim=-1)
    return gptj_rotary(q.transpose(1, 2), sin, cos).transpose(1, 2)


# From (batch, heads, seq_len, head_dim); the axis of positions is counted from the last.
ORDERS: dict[str, tuple[Callable[[Tensor], Tensor], int]] = {
    "batch, heads, seq, head_dim": (lambda x: x, -2),
    "batch, seq, heads, head_dim": (lambda x: x.transpose(1, 2), -3),
    "seq, batch, heads, head_dim": (lambda x: x.permute(2, 0, 1, 3), -4),
    "heads, seq, head_dim": (lambda x: x[0], -2),
    "seq, heads, head_dim": (lambda x: x[0].transpose(0, 1), -3),
    "seq, one head, head_dim": (lambda x: x[0, :1].transpose(0, 1), -3),
    "seq, head_dim": (lambda x: x[0, 0], -2),
    "layers, batch, seq, heads, head_dim": (lambda x: torch.stack([x, x]).transpose(2, 3), -3),
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("seq_len", [12, 80])
@pytest.mark.parametrize(("model", "pairing"), [(rotated_by_llama, "halves"), (rotated_by_gpt_j, "interleaved")])
def test_every_order_of_the_axes_is_found(
    model: Callable[[Tensor], Tensor], pairing: str, seq_len: int, order: str
) -> None:
    arrange, axis = ORDERS[order]
    q = queries(2, 12, seq_len, 32)
    found = diagnose_rotation(arrange(q), arrange(model(q)))
    best = found.candidates[0]
    assert found.is_explained
    assert (found.seq_axis, found.explaining_axes) == (axis, (axis,))
    assert (best.pairing, best.direction, best.rotary_dim, best.base, best.offset) == (pairing, 1, 32, 10_000.0, 0)
    assert best.max_error < 1e-5


def test_an_order_can_be_asked_for_and_one_that_no_array_has_is_refused() -> None:
    q = queries(1, 3, 20, 16)[0]
    after = rotated_by_llama(q[None])[0]
    other = diagnose_rotation(q, after, seq_axis=-3)
    assert (other.seq_axis, other.seq_axes, other.explaining_axes) == (-3, (-2, -3), (-2,))
    assert not other.is_explained
    assert diagnose_rotation(q, q).explaining_axes == (-2, -3)  # without a rotation nothing tells them apart
    with pytest.raises(ValueError, match="seq_axis=-4 must be one of"):
        diagnose_rotation(q, after, seq_axis=-4)


@pytest.mark.parametrize("pairing", ["interleaved", "halves"])
@pytest.mark.parametrize(
    ("parameters", "base", "factor"),
    [({}, 10_000.0, 1.0), ({"base": 77.0}, 77.0, 1.0), ({"scaling": "linear", "factor": 8.0}, 10_000.0, 8.0)],
)
@pytest.mark.parametrize("direction", [1, -1])
def test_each_convention_is_found_in_both_directions(
    pairing: str, parameters: dict[str, Any], base: float, factor: float, direction: int
) -> None:
    scheme = make_scheme("rope", d_model=32, n_heads=1, pairing=pairing, **parameters)
    q = queries(64, 32)
    after = rotate_pairs(q, direction * scheme.angles(64, offset=5), pairing=pairing)
    found = diagnose_rotation(q.numpy(), after.numpy())
    best = found.candidates[0]
    assert (best.pairing, best.direction, best.base, best.factor, best.offset) == (pairing, direction, base, factor, 5)
    assert {(one.pairing, one.direction) for one in found.candidates if one.scaling in ("none", "linear")} == {
        (each, way) for each in ("interleaved", "halves") for way in (1, -1)
    }
    assert {one.scaling for one in found.candidates if one.original_max_seq_len} == {"yarn", "llama3"}
    assert min(one.max_error for one in found.candidates[1:]) > 100 * best.max_error
    assert best.amplitude == 1


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_short_types_are_told_apart_all_the_same(dtype: torch.dtype) -> None:
    q = queries(3, 100, 64).to(dtype)
    scheme = make_scheme("rope", d_model=192, n_heads=3, pairing="halves")
    found = diagnose_rotation(q, scheme.rotate(q, q)[0])
    best = found.candidates[0]
    assert found.is_explained
    assert (best.pairing, best.rotary_dim, best.offset, best.direction) == ("halves", 64, 0, 1)
    assert best.base == pytest.approx(10_000, rel=0.05)


def test_frequencies_that_follow_no_base_are_told_from_another_pairing() -> None:
    q = queries(2, 80, 32)
    arguments = {"pairing": "halves", "scaling": "llama3", "factor": 8.0, "original_max_seq_len": 64}
    scheme = make_scheme("rope", d_model=64, n_heads=2, **arguments)
    after = scheme.rotate(q, q)[0]
    found = diagnose_rotation(q, after)
    best = found.candidates[0]
    told = diagnose_rotation(q, after, arguments=arguments).candidates[0]
    assert (told.scaling, told.factor, told.original_max_seq_len, told.base) == ("llama3", 8.0, 64, 10_000.0)
    assert told.max_error < 1e-4
    assert best.pairing == "halves"
    assert found.is_explained
    assert best.max_error_fitted < 1e-4 < best.max_error
    torch.testing.assert_close(
        torch.tensor(best.frequencies, dtype=torch.float64), scheme.angles(2)[1], rtol=1e-3, atol=1e-6
    )


LLAMA = {"low_freq_factor": 1.0, "high_freq_factor": 4.0}
PUBLISHED: list[tuple[dict[str, Any], int]] = [
    ({"rope_type": "llama3", "rope_theta": 500_000.0, "factor": 8.0} | LLAMA, 8_192),
    ({"rope_type": "llama3", "rope_theta": 500_000.0, "factor": 32.0} | LLAMA, 8_192),
    ({"rope_type": "yarn", "rope_theta": 10_000.0, "factor": 16.0}, 4_096),
    ({"rope_type": "yarn", "rope_theta": 1_000_000.0, "factor": 4.0}, 32_768),
    ({"rope_type": "yarn", "rope_theta": 150_000.0, "factor": 32.0, "truncate": False}, 4_096),
    ({"rope_type": "yarn", "rope_theta": 10_000.0, "factor": 40.0, "mscale": 1.0, "mscale_all_dim": 1.0}, 4_096),
]


@pytest.mark.parametrize(("rope", "trained"), PUBLISHED)
@pytest.mark.parametrize("given", [False, True])
@pytest.mark.parametrize("offset", [0, 300])
def test_scaled_rotations_of_transformers_are_found(
    rope: dict[str, Any], trained: int, given: bool, offset: int
) -> None:
    if given:  # no model has these numbers: only its config.json tells them
        rope, trained = rope | {"rope_theta": 20_000.0, "factor": 3.0}, trained // 2
    config = LlamaConfig(
        hidden_size=256,
        num_attention_heads=2,
        max_position_embeddings=int(trained * rope["factor"]),
        rope_parameters=rope | {"original_max_position_embeddings": trained},
    )
    q = queries(1, 2, 256, 128)
    turn = LlamaRotaryEmbedding(config)
    after = llama_rotary(q, q, *turn(q, torch.arange(offset, offset + 256)[None]))[0]
    arguments = read_rope_config(config.to_dict()).arguments if given else None
    found = diagnose_rotation(q, after, arguments=arguments)
    best = found.candidates[0]
    assert found.is_explained
    assert (best.scaling, best.pairing, best.direction, best.rotary_dim, best.offset) == (
        rope["rope_type"], "halves", 1, 128, offset,
    )  # fmt: skip
    assert (best.base, best.factor, best.original_max_seq_len) == (rope["rope_theta"], rope["factor"], trained)
    assert best.max_error < 2e-4
    assert best.amplitude == pytest.approx(turn.attention_scaling, rel=1e-12)
    # The fitted frequencies, which no scaling went into, are transformers' own.
    fitted = torch.tensor(best.frequencies)
    torch.testing.assert_close(fitted, turn.inv_freq, rtol=1e-3, atol=1e-7)


@pytest.mark.parametrize("base", [10_000.0, 500_000.0, 1_000_000.0])
@pytest.mark.parametrize("seq_len", [8, 64, 256])
def test_a_plain_rotation_is_not_taken_for_a_scaled_one(base: float, seq_len: int) -> None:
    scheme = make_scheme("rope", d_model=128, n_heads=1, pairing="halves", base=base)
    q = queries(1, seq_len, 128)
    best = diagnose_rotation(q, scheme.rotate(q, q)[0]).candidates[0]
    assert (best.scaling, best.pairing, best.rotary_dim) == ("none", "halves", 128)


def test_a_rotation_that_also_stretches_has_its_amplitude() -> None:
    q = queries(64, 32)
    angle = make_scheme("rope", d_model=32, n_heads=1).angles(64)
    best = diagnose_rotation(q, rotate_pairs(q, angle, amplitude=1.25)).candidates[0]
    assert best.amplitude == pytest.approx(1.25, rel=1e-6)
    assert (best.pairing, best.base, best.scaling) == ("interleaved", 10_000.0, "none")
    assert best.max_error < 1e-5


def test_what_is_no_rotation_is_not_explained() -> None:
    assert not diagnose_rotation(queries(20, 8), queries(20, 8) + queries(1, 20, 8)[0]).is_explained
    still = diagnose_rotation(queries(20, 8), queries(20, 8))
    assert still.is_explained  # by no turn at all
    assert still.candidates[0].max_error_fitted == pytest.approx(0, abs=1e-9)


def test_the_order_and_the_code_take_one_convention_to_the_other() -> None:
    scheme = make_scheme("rope", d_model=24, n_heads=1, rotary_fraction=2 / 3)
    other = make_scheme("rope", d_model=24, n_heads=1, rotary_fraction=2 / 3, pairing="halves")
    q = queries(1, 40, 24)
    found = diagnose_rotation(q, scheme.rotate(q, q)[0])
    there, back = list(found.to_halves), list(found.to_interleaved)
    torch.testing.assert_close(other.rotate(q[..., there], q[..., there])[0], scheme.rotate(q, q)[0][..., there])
    assert torch.equal(q[..., there][..., back], q)
    space: dict[str, Any] = {}
    exec(found.code, space)
    assert torch.equal(space["to_halves"](q), q[..., there])
    assert torch.equal(space["to_interleaved"](space["to_halves"](q)), q)
    weights, x = queries(48, 7), queries(5, 7)
    turned = (x @ weights.T).view(5, 2, 24)[..., there]
    torch.testing.assert_close((x @ space["weights_to_halves"](weights).T).view(5, 2, 24), turned)
    assert torch.equal(space["weights_to_interleaved"](space["weights_to_halves"](weights)), weights)
