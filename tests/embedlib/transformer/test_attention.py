"""Random queries and keys, the same for every scheme."""

import pytest
import torch

from embedlib.transformer.attention import join_heads, random_qk, split_heads


def some_rows(seq_len: int, d_model: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(seq_len, d_model, generator=torch.Generator().manual_seed(seed))


def test_queries_and_keys_are_rows_times_the_two_matrices_drawn_from_the_seed() -> None:
    rows = some_rows(5, 12)
    generator = torch.Generator().manual_seed(7)
    w_q, w_k = torch.randn(2, 12, 12, generator=generator) * 12**-0.5
    for got, weight in zip(random_qk(rows, 3, 7), (w_q, w_k), strict=True):
        for head in range(3):
            for i in range(5):
                for c in range(4):
                    expected = sum(float(rows[i, a] * weight[a, 4 * head + c]) for a in range(12))
                    assert float(got[head, i, c]) == pytest.approx(expected, abs=1e-5)


def test_the_weights_do_not_depend_on_the_heads_and_leave_the_global_state_alone() -> None:
    rows = some_rows(6, 24)
    state = torch.random.get_rng_state()
    one, many = random_qk(rows, 1, 3), random_qk(rows, 4, 3)
    assert torch.equal(torch.random.get_rng_state(), state)
    for a, b in zip(one, many, strict=True):
        assert torch.equal(join_heads(a), join_heads(b))
        assert torch.equal(split_heads(join_heads(b), 4), b)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match=r"n_heads=5 must divide d_model=12: choose among 1, 2, 3, 4, 6, 12"):
        random_qk(some_rows(4, 12), 5, 0)
    with pytest.raises(ValueError, match=r"rows is torch.int64 of shape \(3, 4\): it must be floating point"):
        random_qk(torch.zeros(3, 4, dtype=torch.int64), 1, 0)
    with pytest.raises(ValueError, match="with at least 1 position"):
        random_qk(torch.zeros(0, 4), 1, 0)
