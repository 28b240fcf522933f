"""Straight lines down: against BLOOM as released, and the paper's slopes."""

import pytest
import torch
from transformers.models.bloom.modeling_bloom import build_alibi_tensor

from embedlib.positional import alibi_slopes, make_scheme
from embedlib.positional.alibi import geometric_slopes


@pytest.mark.parametrize("seq_len", [1, 7, 40])
@pytest.mark.parametrize("n_heads", [1, 2, 3, 5, 6, 7, 8, 12, 16, 20])
def test_attention_under_it_is_blooms(seq_len: int, n_heads: int) -> None:
    # Theirs is m·j: ours plus m·i in every row, which the softmax takes out.
    theirs = build_alibi_tensor(torch.ones(1, seq_len), n_heads, torch.float32).expand(-1, seq_len, -1)
    later = torch.ones(seq_len, seq_len, dtype=torch.bool).triu(1)
    ours = make_scheme("alibi", d_model=n_heads, n_heads=n_heads).bias(seq_len)
    position = torch.arange(seq_len)
    slopes = alibi_slopes(n_heads)[:, None, None]
    torch.testing.assert_close((ours + slopes * position[:, None]).tril(), theirs.tril(), rtol=1e-5, atol=1e-5)
    weights = [bias.masked_fill(later, float("-inf")).softmax(-1) for bias in (ours, theirs)]
    torch.testing.assert_close(*weights, rtol=0, atol=2e-6)


def test_the_formula_has_the_exponent_and_the_divisor_of_the_scheme() -> None:
    plain, mpts, falcons = (
        make_scheme("alibi", d_model=4, n_heads=2, **given).latex()
        for given in ({}, {"max_exponent": 16}, {"divided": True})
    )
    assert plain == make_scheme("alibi", d_model=4, n_heads=2).formula
    assert mpts == plain.replace("-8", "-16")
    assert r"\frac{q_m \cdot k_n - s_h\,|m-n|}{\sqrt{d}}" in falcons


def test_half_precision_rounds_the_product_and_not_the_distance() -> None:
    scheme = make_scheme("alibi", d_model=8, n_heads=8)
    exact = scheme.bias(300)
    assert torch.equal(scheme.bfloat16().bias(300), exact.bfloat16())


@pytest.mark.parametrize("n_heads", [1, 3, 6, 8, 12])
def test_the_series_of_the_paper_is_the_published_one_for_powers_of_two_only(n_heads: int) -> None:
    series = geometric_slopes(n_heads)
    assert series.tolist() == pytest.approx([2 ** (-8 * head / n_heads) for head in range(1, n_heads + 1)])
    assert torch.equal(series, alibi_slopes(n_heads)) == (n_heads in (1, 8))
