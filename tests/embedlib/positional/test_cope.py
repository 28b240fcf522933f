"""Contextual positions: against x-transformers and the formula as a loop."""

import math
import warnings

import pytest
import torch
from torch import Tensor

from embedlib.positional import PositionalScheme, make_scheme

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # it scripts a function as it is imported, which torch warns of
    from x_transformers.x_transformers import CoPE

SIZES = [(1, 3, 2, 4), (6, 3, 4, 3), (9, 5, 8, 64), (24, 1, 16, 5)]  # seq_len, n_heads, head_dim, n_vectors


def cope(n_heads: int, head_dim: int, n_vectors: int, gates: str = "paper") -> PositionalScheme:
    return make_scheme(
        "cope", d_model=n_heads * head_dim, n_heads=n_heads, n_vectors=n_vectors, gates=gates, seed=5
    ).double()


def vectors(scheme: PositionalScheme) -> Tensor:
    return dict(scheme.named_parameters())["vectors"].detach()


def heads(seq_len: int, n_heads: int, head_dim: int) -> Tensor:
    generator = torch.Generator().manual_seed(seq_len)
    return torch.randn(3, n_heads, seq_len, head_dim, dtype=torch.float64, generator=generator)


@pytest.mark.parametrize("gates", ["paper", "code"])
@pytest.mark.parametrize(("seq_len", "n_heads", "head_dim", "n_vectors"), SIZES)
def test_logits_are_x_transformers(seq_len: int, n_heads: int, head_dim: int, n_vectors: int, gates: str) -> None:
    scheme = cope(n_heads, head_dim, n_vectors, gates)
    theirs = CoPE(head_dim, n_heads, n_vectors).double()
    theirs.pos_emb.data = vectors(scheme)
    q, k, _ = (x[None] for x in heads(seq_len, n_heads, head_dim))
    logits = q @ k.transpose(-1, -2)
    scaled = logits / math.sqrt(head_dim)
    later = torch.ones(seq_len, seq_len, dtype=torch.bool).triu(1)
    # Theirs opens the gates by whatever masked logits it is given.
    given = (scaled if gates == "code" else logits).masked_fill(later, -math.inf)
    expected = (scaled + theirs(q, given)).masked_fill(later, -math.inf).detach()
    torch.testing.assert_close(scheme.scores(q, k), expected)


def test_half_precision_counts_in_float32() -> None:
    q = torch.full((1, 300, 4), 10.0, dtype=torch.bfloat16)
    positions = cope(1, 4, 1000).positions(q, q)[0]  # type: ignore[operator]
    assert positions.dtype == torch.float32
    assert float(positions[299, 0]) == pytest.approx(300, abs=1e-3)  # bfloat16 cannot count past 256


@pytest.mark.parametrize("method", ["scores", "content_scores"])
def test_keys_after_the_query_have_no_position(method: str) -> None:
    q, k, _ = heads(4, 3, 4)
    with pytest.raises(ValueError, match="causal=False is not defined for scheme 'cope': use causal=True"):
        getattr(cope(3, 4, 6), method)(q, k, causal=False)
