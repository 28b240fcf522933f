"""Disentangled attention: against transformers' DeBERTa and the formula as a loop, in both readings of the paper."""

import math

import pytest
import torch
from torch import Tensor
from transformers.models.deberta.configuration_deberta import DebertaConfig
from transformers.models.deberta.modeling_deberta import DisentangledSelfAttention, build_relative_position

from embedlib.positional import PositionalScheme, make_scheme
from tests.oracles.attention import dot, loop_logits

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


@pytest.mark.parametrize("p2c", ["code", "paper"])
@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize(("seq_len", "d_model", "n_heads", "span"), SIZES[:3])
def test_each_term_and_their_sum_are_the_formula_as_a_loop(
    seq_len: int, d_model: int, n_heads: int, span: int, causal: bool, p2c: str
) -> None:
    scheme = deberta(d_model, n_heads, span, p2c)
    table, key_projection, query_projection = weights(scheme)
    q, k, _ = heads(seq_len, d_model, n_heads)
    root = math.sqrt(3 * d_model / n_heads)

    def delta(i: int, j: int) -> int:
        if i - j <= -span:
            return 0
        return 2 * span - 1 if i - j >= span else i - j + span

    def relative(projection: Tensor, head: int, row: int) -> Tensor:
        return torch.tensor([dot(line, table[row]) for line in projection[head]], dtype=torch.float64)

    loops = [
        lambda h, i, j: dot(q[h, i], k[h, j]) / root,
        lambda h, i, j: dot(q[h, i], relative(key_projection, h, delta(i, j))) / root,
        lambda h, i, j: (
            dot(k[h, j], relative(query_projection, h, delta(i, j) if p2c == "code" else delta(j, i))) / root
        ),
    ]
    terms = list(scheme.terms(q, k, causal=causal).values())
    total = torch.zeros(n_heads, seq_len, seq_len, dtype=torch.float64)
    for term, loop in zip(terms, loops, strict=True):
        expected = loop_logits(q, k, loop, causal=False)
        torch.testing.assert_close(term, expected)
        total = total + expected
    later = torch.ones(seq_len, seq_len, dtype=torch.bool).triu(1)
    total = total.masked_fill(later, -math.inf) if causal else total
    torch.testing.assert_close(scheme.scores(q, k, causal=causal), total)


def test_the_terms_say_which_distance_the_key_meets() -> None:
    q, k, _ = heads(4, 8, 2)
    names = [list(deberta(8, 2, 3, p2c).terms(q, k)) for p2c in ("code", "paper")]
    products = (r"Q^c_i \cdot K^c_j", r"Q^c_i \cdot K^r_{\delta(i,j)}", r"K^c_j \cdot Q^r_{\delta(i,j)}")
    assert names[0] == [rf"\frac{{{product}}}{{\sqrt{{3d}}}}" for product in products]
    assert names[1] == [*names[0][:2], names[0][2].replace("i,j", "j,i")]


def test_paper_and_code_differ_in_the_third_term_only_and_not_on_the_diagonal() -> None:
    q, k, _ = heads(7, 12, 3)
    code, paper = (list(deberta(12, 3, 9, p2c).terms(q, k).values()) for p2c in ("code", "paper"))
    assert torch.equal(code[0], paper[0])
    assert torch.equal(code[1], paper[1])
    torch.testing.assert_close(code[2].diagonal(dim1=1, dim2=2), paper[2].diagonal(dim1=1, dim2=2))
    away = ~torch.eye(7, dtype=torch.bool)
    assert ((code[2] - paper[2]).abs()[:, away] > 1e-6).all()


def test_distances_past_the_span_share_one_vector_either_way() -> None:
    index = make_scheme("deberta", d_model=2, n_heads=1, span=2).distance_index(5)  # type: ignore[operator]
    assert index.tolist() == [[2, 1, 0, 0, 0], [3, 2, 1, 0, 0], [3, 3, 2, 1, 0], [3, 3, 3, 2, 1], [3, 3, 3, 3, 2]]


def test_logits_of_one_query_and_one_key_depend_on_their_distance_alone() -> None:
    q, k = torch.randn(2, 3, 1, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0)).expand(2, 3, 9, 4)
    logits = deberta(12, 3, 4).scores(q, k, causal=False)
    torch.testing.assert_close(logits[:, 1:, 1:], logits[:, :-1, :-1])


def test_a_batch_is_each_of_its_samples() -> None:
    q, k, v = torch.randn(3, 2, 4, 3, 6, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(2))
    scheme = deberta(12, 3, 4)
    torch.testing.assert_close(scheme.attend(q, k, v)[1, 2], scheme.attend(q[1, 2], k[1, 2], v[1, 2]))


def test_there_are_twice_span_vectors_and_gradients_reach_all_that_a_text_can() -> None:
    scheme = make_scheme("deberta", d_model=12, n_heads=3, span=4)
    q, k, v = heads(9, 12, 3).float()
    scheme.attend(q, k, v, causal=False).square().sum().backward()
    shapes = {}
    for name, weight in scheme.named_parameters():
        shapes[name] = tuple(weight.shape)
        assert weight.grad is not None
        assert (weight.grad.abs().flatten(1).sum(1) > 0).all()
    assert shapes == {"distance_vectors": (8, 12), "key_projection": (3, 4, 12), "query_projection": (3, 4, 12)}


def test_the_seed_chooses_the_weights_and_leaves_the_global_random_state_alone() -> None:
    before = torch.get_rng_state()
    one, same, other = (make_scheme("deberta", d_model=8, n_heads=2, seed=seed) for seed in (1, 1, 2))
    assert torch.equal(torch.get_rng_state(), before)
    for a, b, c in zip(one.parameters(), same.parameters(), other.parameters(), strict=True):
        assert torch.equal(a, b)
        assert not torch.equal(a, c)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"p2c": "both"}, "p2c='both' must be one of code, paper"),
        ({"span": 0}, "span=0 must be at least 1"),
        ({"span": 8193}, "span=8193 must be at most 8192"),
    ],
)
def test_wrong_parameters_are_refused_with_the_rule(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_scheme("deberta", d_model=8, n_heads=2, **parameters)
