"""What holds for every scheme in SCHEMES, and for those that the four hooks are there for."""

import math
import re
from typing import ClassVar

import pytest
import torch
from torch import Tensor

from embedlib.positional import SCHEMES, PositionalScheme, make_scheme, with_cache
from embedlib.positional.base import PAST_TRAINING
from tests.oracles.attention import dot, loop_logits

NAMES = list(SCHEMES)
PLACES = {"embedding", "query_key", "score", "content"}


def scheme_of(name: str, n_heads: int = 3, head_dim: int = 4) -> PositionalScheme:
    return make_scheme(name, d_model=n_heads * head_dim, n_heads=n_heads, max_seq_len=64)


def random_heads(seq_len: int = 7, n_heads: int = 3, head_dim: int = 4, count: int = 3) -> Tensor:
    generator = torch.Generator().manual_seed(11)
    return torch.randn(count, 2, n_heads, seq_len, head_dim, dtype=torch.float64, generator=generator)


def has_similarity(scheme: PositionalScheme) -> bool:
    # A scheme that only reads content has none unless it says its own.
    return scheme.acts_on != {"content"} or "_similarity" in vars(type(scheme))


@pytest.mark.parametrize("name", NAMES)
def test_each_scheme_says_what_it_is(name: str) -> None:
    scheme = SCHEMES[name]
    assert scheme.name == name
    assert scheme.acts_on <= PLACES
    assert scheme.title
    assert scheme.summary.endswith(".")
    assert scheme.formula
    assert "https://" in scheme.source
    assert scheme.past_training in PAST_TRAINING
    assert (scheme.past_training == "undefined") == (not scheme.any_length)
    assert scheme.used_by
    assert scheme.__doc__ is not None
    assert all(parameter.summary for parameter in scheme.PARAMETERS)


@pytest.mark.parametrize("name", NAMES)
def test_each_parameter_can_be_given_its_default_and_each_of_its_choices(name: str) -> None:
    for parameter in SCHEMES[name].PARAMETERS:
        for value in parameter.choices or (parameter.default,):
            scheme = make_scheme(name, d_model=64, n_heads=4, **{parameter.name: value})  # with weights of both kinds
            assert scheme.parameter_values[parameter.name] == value
    defaults = {parameter.name: parameter.default for parameter in SCHEMES[name].PARAMETERS}
    assert make_scheme(name, d_model=16, n_heads=2).parameter_values == defaults


@pytest.mark.parametrize("name", NAMES)
def test_rows_are_the_tokens_plus_their_positions_to_the_bit(name: str) -> None:
    scheme = scheme_of(name)
    x = torch.randn(2, 5, 12, generator=torch.Generator().manual_seed(0))
    if "embedding" not in scheme.acts_on:
        assert scheme.encode(x) is x
        return
    table = scheme.position_table(5)
    assert table.shape == (5, 12)
    assert torch.equal(scheme.encode(x), x + table)
    assert torch.equal(scheme.encode(x, offset=3), x + scheme.position_table(8)[3:])
    assert scheme.encode(x.bfloat16()).dtype == torch.bfloat16


@pytest.mark.parametrize("name", [name for name in NAMES if "score" in SCHEMES[name].acts_on])
def test_a_bias_is_finite_and_zero_above_the_diagonal_when_causal(name: str) -> None:
    scheme = scheme_of(name)
    for causal in (True, False):
        bias = scheme.bias(6, causal=causal)
        assert bias.shape == (3, 6, 6)
        assert bias.isfinite().all()
        assert torch.equal(bias.tril(), scheme.bias(6, causal=True))


@pytest.mark.parametrize("name", NAMES)
def test_a_hook_of_a_place_in_which_a_scheme_does_not_act_is_refused(name: str) -> None:
    scheme, (q, k) = scheme_of(name), random_heads(count=2)
    hooks = {"embedding": lambda: scheme.position_table(5), "score": lambda: scheme.bias(6)}
    hooks["content"] = lambda: scheme.content_scores(q, k)
    for place in hooks.keys() - scheme.acts_on:
        with pytest.raises(ValueError, match=f"scheme '{name}' does not act on '{place}', so it has no"):
            hooks[place]()


@pytest.mark.parametrize("name", NAMES)
def test_named_terms_add_up_to_the_logits(name: str) -> None:
    scheme = scheme_of(name)
    q, k = random_heads(count=2)
    terms = scheme.terms(q, k)
    if terms:
        later = torch.ones(7, 7, dtype=torch.bool).triu(1)
        assert {term.shape for term in terms.values()} == {(2, 3, 7, 7)}
        torch.testing.assert_close(next(iter(terms.values())), q @ k.transpose(-1, -2) * scheme.logit_scale())
        together = sum(terms.values(), torch.zeros(())).masked_fill(later, -math.inf)
        torch.testing.assert_close(together, scheme.scores(q, k))


@pytest.mark.parametrize("name", [name for name in NAMES if "seed" in [one.name for one in SCHEMES[name].PARAMETERS]])
def test_the_seed_chooses_the_weights_and_leaves_the_global_random_state_alone(name: str) -> None:
    before = torch.get_rng_state()
    one, same, other = (make_scheme(name, d_model=12, n_heads=3, seed=seed).state_dict() for seed in (1, 1, 2))
    assert torch.equal(torch.get_rng_state(), before)
    assert all(torch.equal(one[key], same[key]) for key in one)
    assert any(not torch.equal(one[key], other[key]) for key in one)


@pytest.mark.parametrize("name", NAMES)
def test_a_batch_is_each_of_its_samples(name: str) -> None:
    q, k, v = torch.randn(3, 2, 4, 3, 6, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(2))
    scheme = scheme_of(name)
    together = scheme.attend(q, k, v)
    assert together.shape == (2, 4, 3, 6, 4)
    torch.testing.assert_close(together[1, 2], scheme.attend(q[1, 2], k[1, 2], v[1, 2]))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_results_follow_the_dtype_of_what_comes_in(name: str, dtype: torch.dtype) -> None:
    scheme = scheme_of(name)
    q, k, v = random_heads().to(dtype)
    assert scheme.scores(q, k).dtype == dtype
    assert scheme.attend(q, k, v).dtype == dtype
    assert scheme.encode(torch.zeros(4, 12, dtype=dtype)).dtype == dtype


@pytest.mark.parametrize("name", NAMES)
def test_everything_can_be_made_in_float64(name: str) -> None:
    scheme = scheme_of(name).double()
    assert scheme.dtype == torch.float64
    if has_similarity(scheme):
        assert scheme.similarity(5).dtype == torch.float64
    if "embedding" in scheme.acts_on:
        assert scheme.position_table(5).dtype == torch.float64
    if "score" in scheme.acts_on:
        assert scheme.bias(5).dtype == torch.float64


@pytest.mark.parametrize("name", NAMES)
def test_similarity_is_square_finite_and_without_gradients(name: str) -> None:
    scheme = scheme_of(name)
    if not has_similarity(scheme):
        with pytest.raises(ValueError, match=f"similarity of positions is not defined for scheme '{name}'"):
            scheme.similarity(9)
        return
    similarity = scheme.similarity(9)
    assert similarity.shape == (9, 9)
    assert similarity.isfinite().all()
    assert not similarity.requires_grad


@pytest.mark.parametrize("name", NAMES)
def test_gradients_reach_the_inputs_and_every_weight(name: str) -> None:
    scheme = scheme_of(name).double()
    x = torch.randn(6, 12, dtype=torch.float64, generator=torch.Generator().manual_seed(0), requires_grad=True)
    heads = scheme.encode(x).reshape(6, 3, 4).transpose(0, 1)
    scheme.attend(heads, heads, heads).square().sum().backward()
    for tensor in (x, *scheme.parameters()):
        assert tensor.grad is not None
        assert tensor.grad.abs().sum() > 0


@pytest.mark.parametrize("name", NAMES)
def test_it_moves_to_another_device_whole(name: str) -> None:
    scheme = make_scheme(name, d_model=12, n_heads=3, device=torch.device("meta"))
    assert scheme.device.type == "meta"
    assert {weight.device.type for weight in scheme.parameters()} <= {"meta"}
    if "score" in scheme.acts_on:
        assert scheme.bias(4).device.type == "meta"
    if "embedding" in scheme.acts_on:
        assert scheme.position_table(4).device.type == "meta"
    q = torch.zeros(3, 4, 4, device="meta")
    assert scheme.attend(q, q, q).device.type == "meta"


@pytest.mark.parametrize("name", NAMES)
def test_it_prints_its_sizes_and_parameters(name: str) -> None:
    text = repr(scheme_of(name))
    assert "d_model=12, n_heads=3, max_seq_len=64" in text
    for parameter in SCHEMES[name].PARAMETERS:
        assert f"{parameter.name}={parameter.default!r}" in text


@pytest.mark.parametrize("name", NAMES)
def test_wrong_shapes_are_refused_with_the_right_one(name: str) -> None:
    scheme = scheme_of(name)
    good = torch.zeros(3, 5, 4)
    shape = re.escape("it must be floating point of shape (…, n_heads=3, seq_len, head_dim=4)")
    for bad in (torch.zeros(3, 5, 6), torch.zeros(2, 5, 4), torch.zeros(5, 4), good.long()):
        for q, k, v in ((bad, good, good), (good, bad, good), (good, good, bad)):
            with pytest.raises(ValueError, match=shape):
                scheme.attend(q, k, v)
    with pytest.raises(ValueError, match=r"seq_len differs \(q 5, k 6\): it must be the same for all"):
        scheme.scores(good, torch.zeros(3, 6, 4))
    with pytest.raises(ValueError, match="seq_len=0 must be at least 1"):
        scheme.scores(good[:, :0], good[:, :0])
    with pytest.raises(ValueError, match="offset=-1 must be at least 0"):
        scheme.scores(good, good, offset=-1)
    with pytest.raises(ValueError, match="seq_len=0 must be at least 1"):
        scheme.similarity(0)
    for x in (torch.zeros(5, 11), torch.zeros(12), torch.zeros(5, 12, dtype=torch.int64)):
        with pytest.raises(ValueError, match=r"it must be floating point of shape \(…, seq_len, d_model=12\)"):
            scheme.encode(x)


class _Gated(PositionalScheme):
    """Counts gates between key and query as CoPE does, also of later keys, and has a bias too, as no other scheme."""

    name: ClassVar[str] = "gated"
    acts_on: ClassVar[frozenset[str]] = frozenset({"content", "score"})

    def logit_scale(self) -> float:
        return float((3 * self.head_dim) ** -0.5)  # as DeBERTa

    def content_scores(self, q: Tensor, k: Tensor, *, causal: bool = True) -> Tensor:
        gates = (q @ k.transpose(-1, -2)).sigmoid()
        gates = gates.tril() if causal else gates
        return gates.flip(-1).cumsum(-1).flip(-1) / self.logit_scale()

    def bias(self, seq_len: int, *, causal: bool = True, offset: int = 0) -> Tensor:
        key = torch.arange(offset, offset + seq_len, dtype=self.dtype) / 10  # not a function of the distance, as FIRE
        bias = key.expand(self.n_heads, seq_len, seq_len)
        return bias.tril() if causal else bias


@pytest.mark.parametrize("causal", [True, False])
def test_content_scale_and_bias_come_together_in_one_scheme(causal: bool) -> None:
    q, k, _ = random_heads()[:, 0]
    scheme = _Gated(d_model=12, n_heads=3).double()

    def logit(head: int, i: int, j: int) -> float:
        last = i if causal else q.shape[1] - 1
        gates = sum(1 / (1 + math.exp(-dot(q[head, i], k[head, t]))) for t in range(j, last + 1))
        return dot(q[head, i], k[head, j]) / math.sqrt(12) + gates + (j + 4) / 10

    torch.testing.assert_close(scheme.scores(q, k, causal=causal, offset=4), loop_logits(q, k, logit, causal=causal))


@pytest.mark.parametrize("name", NAMES)
def test_a_scheme_that_remembers_does_what_it_would_do_anyway(name: str) -> None:
    plain = scheme_of(name).double().requires_grad_(False)
    kept = with_cache(plain)
    causal = plain.causal_only
    for _ in range(2):  # the second time from memory
        for seq_len, offset in ((7, 0), (4, 0), (7, 3)):
            q, k, v = random_heads(seq_len)  # (2, n_heads, seq_len, head_dim) each
            rows = q.transpose(-3, -2).flatten(-2)  # (2, seq_len, d_model)
            assert torch.equal(kept.encode(rows, offset=offset), plain.encode(rows, offset=offset))
            expected = plain.attend(q, k, v, causal=causal, offset=offset)
            assert torch.equal(kept.attend(q, k, v, causal=causal, offset=offset), expected)
    halved = kept.attend(*random_heads().float(), causal=causal)  # other numbers than those it remembers
    torch.testing.assert_close(halved, plain.attend(*random_heads(), causal=causal).float())
    assert torch.equal(kept.attend(*random_heads(5).flip(0), causal=True), plain.attend(*random_heads(5).flip(0)))


def test_a_scheme_that_remembers_makes_a_bias_once_and_forgets_it_after_many_other_lengths() -> None:
    kept = with_cache(scheme_of("t5"))
    bias = kept.bias(3)
    assert kept.bias(3) is bias
    for seq_len in range(4, 60):
        kept.bias(seq_len)
    assert kept.bias(3) is not bias
