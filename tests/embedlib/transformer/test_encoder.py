"""What a random encoder can see of word order: the exact facts, and a plain loop."""

import copy
import math

import pytest
import torch

from embedlib.positional import SCHEMES, PositionalScheme, make_scheme
from embedlib.transformer import random_layers
from embedlib.transformer.encoder import (
    ROUNDING,
    float64_copy,
    hidden_states,
    pooled_vector,
    pooled_vectors,
    relative_change,
)

BIDIRECTIONAL = [name for name, scheme in SCHEMES.items() if not scheme.causal_only]


def rows_of(seq_len: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(seq_len, 24, generator=torch.Generator().manual_seed(seed))


def scheme_of(name: str) -> PositionalScheme:
    return make_scheme(name, d_model=24, n_heads=3, max_seq_len=64)


def swapped(rows: torch.Tensor, a: int, b: int) -> torch.Tensor:
    order = list(range(len(rows)))
    order[a], order[b] = order[b], order[a]
    return rows[order]


def change(name: str, before: torch.Tensor, after: torch.Tensor, **how: int) -> float:
    scheme = scheme_of(name)
    return relative_change(pooled_vector(before, scheme, seed=1, **how), pooled_vector(after, scheme, seed=1, **how))


@pytest.mark.parametrize("n_layers", [1, 2])
@pytest.mark.parametrize("seq_len", [2, 3, 11, 40])
def test_without_positions_no_order_is_seen(seq_len: int, n_layers: int) -> None:
    rows = rows_of(seq_len)
    shuffled = rows[torch.randperm(seq_len, generator=torch.Generator().manual_seed(5))]
    for other in (swapped(rows, 0, seq_len // 2), rows.flip(0), shuffled):
        assert change("none", rows, other, n_layers=n_layers) == 0


@pytest.mark.parametrize("causal", [False, True])
def test_schemes_that_go_through_together_are_as_if_each_went_alone(causal: bool) -> None:
    texts = torch.stack([rows_of(7), rows_of(7, seed=3)])
    schemes = [scheme_of(name) for name in (SCHEMES if causal else BIDIRECTIONAL)]
    layers = random_layers(2, seed=1, like=torch.empty(24, dtype=torch.float64))
    together = pooled_vectors(texts, schemes, layers, seed=1, causal=causal)
    for n_layers, by_scheme in enumerate(together, 1):
        for scheme, vectors in zip(schemes, by_scheme, strict=True):
            for rows, vector in zip(texts, vectors, strict=True):
                alone = pooled_vector(rows, scheme, seed=1, n_layers=n_layers, causal=causal)
                assert torch.allclose(vector, alone, rtol=0, atol=1e-12)


def test_schemes_with_the_mask_and_without_go_through_together() -> None:
    names, masks = ["none", "none", "sinusoidal", "xpos", "learned", "alibi"], [False, True, False, True, True, False]
    schemes = [scheme_of(name) for name in names]
    layers = random_layers(2, seed=1, like=torch.empty(24, dtype=torch.float64))
    together = pooled_vectors(rows_of(7), schemes, layers, seed=1, causal=masks)
    for n_layers, by_scheme in enumerate(together, 1):
        for scheme, causal, vector in zip(schemes, masks, by_scheme, strict=True):
            alone = pooled_vector(rows_of(7), scheme, seed=1, n_layers=n_layers, causal=causal)
            torch.testing.assert_close(vector, alone, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", ["none", "sinusoidal", "deberta", "xpos"])
def test_the_vector_under_the_mask_is_the_last_of_all_hidden_states(name: str) -> None:
    scheme, rows = float64_copy(scheme_of(name)), rows_of(6).double()
    end = torch.randn(1, 24, generator=torch.Generator().manual_seed(2)).double()
    for n_layers in (1, 2, 3):
        states = hidden_states(torch.cat([rows, end]), scheme, seed=2, n_layers=n_layers, causal=True)
        vector = pooled_vector(rows, scheme, seed=2, n_layers=n_layers, causal=True)
        torch.testing.assert_close(vector, states[-1], rtol=0, atol=1e-12)


@pytest.mark.parametrize("seq_len", [3, 11])
def test_under_a_causal_mask_one_layer_without_positions_sees_no_order_and_two_do(seq_len: int) -> None:
    rows = rows_of(seq_len)
    for other in (swapped(rows, 0, seq_len // 2), rows.flip(0)):
        assert change("none", rows, other, n_layers=1, causal=True) == 0
        assert change("none", rows, other, n_layers=2, causal=True) > 1e-3
        assert change("alibi", rows, other, n_layers=1, causal=True) > 1e-3


@pytest.mark.parametrize(("name", "order"), [("none", "swap"), ("none", "flip"), ("alibi", "flip"), ("kerple", "flip")])
def test_what_is_called_0_shrinks_with_the_precision_and_what_is_seen_does_not(name: str, order: str) -> None:
    rows, scheme = rows_of(30), scheme_of(name)
    other = rows.flip(0) if order == "flip" else swapped(rows, 0, 15)

    def raw(dtype: torch.dtype, scheme: PositionalScheme, other: torch.Tensor) -> float:
        a, b = (hidden_states(x.to(dtype), scheme.to(dtype), seed=1).double().mean(0) for x in (rows, other))
        return float((a - b).norm() / a.norm())

    assert raw(torch.float64, scheme, other) < 1e-14 < ROUNDING
    assert 1e-9 < raw(torch.float32, scheme, other) < 1e-5
    seeing = scheme_of("sinusoidal")
    assert raw(torch.float64, seeing, other) == pytest.approx(raw(torch.float32, seeing, other), rel=1e-3)


@pytest.mark.parametrize("causal", [False, True])
def test_a_layer_is_the_formula_as_a_loop(causal: bool) -> None:
    rows = rows_of(5).double()
    generator = torch.Generator().manual_seed(4)
    draws = [torch.randn(size, generator=generator) for size in [(4, 24, 24), (24, 48), (48, 24)]]
    w_q, w_k, w_v, w_o = (draws[0] * 24**-0.5).double()
    w_in, w_out = (draws[1] * 24**-0.5).double(), (draws[2] * 48**-0.5).double()

    def normal(row: torch.Tensor) -> torch.Tensor:
        return (row - row.mean()) / (row.var(correction=0) + 1e-5).sqrt()

    x = [row.clone() for row in rows]
    seen = [normal(row) for row in rows]
    for i in range(5):
        heads = []
        for head in range(3):
            columns = slice(8 * head, 8 * head + 8)
            keys = range(i + 1 if causal else 5)
            logits = [float((seen[i] @ w_q)[columns] @ (seen[j] @ w_k)[columns]) / math.sqrt(8) for j in keys]
            whole = sum(math.exp(logit) for logit in logits)
            heads.append(sum(math.exp(logits[j]) / whole * (seen[j] @ w_v)[columns] for j in keys))
        x[i] = x[i] + torch.cat(heads) @ w_o
        inner = normal(x[i]) @ w_in
        x[i] = normal(x[i] + (inner * (1 + torch.erf(inner / math.sqrt(2))) / 2) @ w_out)
    expected = torch.stack(x)
    scheme = float64_copy(scheme_of("none"))
    torch.testing.assert_close(
        hidden_states(rows, scheme, seed=4, n_layers=1, causal=causal), expected, rtol=0, atol=1e-5
    )
    if not causal:
        torch.testing.assert_close(pooled_vector(rows, scheme, seed=4, n_layers=1), expected.mean(0), rtol=0, atol=1e-5)


@pytest.mark.parametrize("name", ["sinusoidal", "sandwich"])
def test_the_scheme_is_computed_in_float64_too(name: str) -> None:
    exact = pooled_vector(rows_of(9), scheme_of(name).double(), seed=0)
    assert torch.equal(pooled_vector(rows_of(9), scheme_of(name), seed=0), exact)


def test_a_scheme_that_is_causal_only_says_so() -> None:
    with pytest.raises(ValueError, match="use causal=True"):
        pooled_vector(rows_of(4), scheme_of("xpos"), seed=0)


def test_the_relative_change_is_a_share_of_the_length() -> None:
    a, b = torch.tensor([3.0, 4.0]), torch.tensor([3.0, 4.5])
    assert relative_change(a, b) == pytest.approx(0.1)
    assert relative_change(a.double(), a.double() * (1 + 1e-13)) == 0
    assert relative_change(a.double(), a.double() * (1 + 1e-11)) == pytest.approx(1e-11, rel=1e-3)


def test_what_cannot_be_computed_is_refused() -> None:
    with pytest.raises(ValueError, match="n_layers=0 must be at least 1"):
        pooled_vector(rows_of(4), scheme_of("none"), seed=0, n_layers=0)
    with pytest.raises(ValueError, match="asks for position 79, which is undefined"):
        pooled_vector(rows_of(16), scheme_of("learned"), seed=0, offset=64)
    with pytest.raises(ValueError, match="a is all zeros"):
        relative_change(torch.zeros(3), torch.ones(3))
    with pytest.raises(ValueError, match=r"a has shape \(3,\) and b \(4,\)"):
        relative_change(torch.ones(3), torch.ones(4))


@pytest.mark.parametrize("name", list(SCHEMES))
def test_a_copy_in_float64_is_what_a_deep_copy_is_and_leaves_the_scheme_alone(name: str) -> None:
    scheme = make_scheme(name, d_model=16, n_heads=2)
    before = {key: value.clone() for key, value in scheme.state_dict().items()}
    actual, expected = float64_copy(scheme), copy.deepcopy(scheme).to("cpu", torch.float64)
    parts = {**dict(actual.named_parameters()), **dict(actual.named_buffers())}
    wanted = {**dict(expected.named_parameters()), **dict(expected.named_buffers())}
    assert parts.keys() == wanted.keys()
    for key, value in wanted.items():
        assert parts[key].dtype == value.dtype, key
        assert torch.equal(parts[key], value), key
    assert not any(parameter.requires_grad for parameter in actual.parameters())
    assert {key: value.dtype for key, value in scheme.state_dict().items()} == {k: v.dtype for k, v in before.items()}
    assert all(torch.equal(value, before[key]) for key, value in scheme.state_dict().items())
