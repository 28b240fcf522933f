"""xPos: against rotary-embedding-torch and the formula as a loop, and the fading with distance."""

import math

import pytest
import torch
from rotary_embedding_torch import RotaryEmbedding
from torch import Tensor

from embedlib.positional import make_scheme

SIZES = [(1, 8, 2), (9, 24, 3), (40, 64, 4)]  # seq_len, d_model, n_heads


def queries_and_keys(seq_len: int, d_model: int, n_heads: int) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(seq_len)
    q, k = torch.randn(2, n_heads, seq_len, d_model // n_heads, dtype=torch.float64, generator=generator)
    return q, k


def zeta(pair: int, head_dim: int) -> float:
    return (2 * pair / head_dim + 0.4) / 1.4


@pytest.mark.parametrize(("seq_len", "d_model", "n_heads"), SIZES)
def test_whole_sequences_are_rotary_embedding_torchs(seq_len: int, d_model: int, n_heads: int) -> None:
    q, k = queries_and_keys(seq_len, d_model, n_heads)
    head_dim = d_model // n_heads
    theirs = RotaryEmbedding(head_dim, use_xpos=True, xpos_scale_base=512).double()
    their_q, their_k = theirs.rotate_queries_and_keys(q[None], k[None])
    scheme = make_scheme("xpos", d_model=d_model, n_heads=n_heads)
    our_q, our_k = scheme.rotate(q, k)
    their_logits = (their_q @ their_k.transpose(-1, -2))[0].detach() / math.sqrt(head_dim)
    torch.testing.assert_close(our_q @ our_k.transpose(-1, -2) / math.sqrt(head_dim), their_logits, rtol=0, atol=2e-5)
    # Theirs counts from the middle: q and k differ by one power of zeta, the same at every position.
    pairs = torch.tensor([zeta(i // 2, head_dim) for i in range(head_dim)], dtype=torch.float64)
    middle = pairs ** (seq_len // 2 / 512)
    torch.testing.assert_close(our_q / middle, their_q[0].detach(), rtol=0, atol=2e-5)
    torch.testing.assert_close(our_k * middle, their_k[0].detach(), rtol=0, atol=2e-5)


@pytest.mark.parametrize("pairing", ["interleaved", "halves"])
def test_similarity_is_the_faded_mean_cosine_both_ways(pairing: str) -> None:
    scheme = make_scheme("xpos", d_model=24, n_heads=3, pairing=pairing).double()
    similarity = scheme.similarity(30)
    for i in range(30):
        for j in range(30):
            distance = abs(i - j)
            cosines = [math.cos(distance * 10_000 ** (-2 * p / 8)) * zeta(p, 8) ** (distance / 512) for p in range(4)]
            assert float(similarity[i, j]) == pytest.approx(sum(cosines) / 4, abs=1e-12)
    ones = torch.ones(3, 30, 8, dtype=torch.float64)
    logits = scheme.scores(ones, ones)[0] / math.sqrt(8)
    torch.testing.assert_close(similarity.tril(), logits.nan_to_num(neginf=0.0))


@pytest.mark.parametrize(("dtype", "last"), [(torch.float32, 33_427), (torch.bfloat16, 33_426), (torch.float16, 1699)])
def test_positions_whose_scale_the_dtype_cannot_hold_are_refused(dtype: torch.dtype, last: int) -> None:
    scheme = make_scheme("xpos", d_model=4, n_heads=1)
    large = torch.full((1, 1, 4), 500.0, dtype=dtype)
    q, k = scheme.rotate(large, large, offset=last)
    assert k.isfinite().all()
    assert k.norm() > torch.finfo(dtype).max / 8  # it is near the limit
    assert (q != 0).all()
    message = f"seq_len=1 at offset={last + 1} asks for position {last + 1}: {dtype} holds the scale of keys up to pos"
    with pytest.raises(ValueError, match=message):
        scheme.rotate(large, large, offset=last + 1)
