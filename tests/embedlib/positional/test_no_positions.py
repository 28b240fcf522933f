"""Nothing, exactly."""

import torch

from embedlib.positional import make_scheme


def test_rows_queries_and_keys_come_back_as_they_were() -> None:
    scheme = make_scheme("none", d_model=12, n_heads=3)
    x = torch.randn(5, 12, generator=torch.Generator().manual_seed(0))
    q = x.reshape(5, 3, 4).transpose(0, 1)
    assert scheme.encode(x) is x
    assert scheme.rotate(q, q) == (q, q)
    assert scheme.acts_on == frozenset()


def test_reordering_the_tokens_reorders_the_result_and_nothing_else() -> None:
    scheme = make_scheme("none", d_model=12, n_heads=3)
    q, k, v = torch.randn(3, 3, 5, 4, generator=torch.Generator().manual_seed(0)).double()
    order = torch.tensor([3, 0, 4, 1, 2])
    there = scheme.attend(q, k, v, causal=False)[:, order]
    torch.testing.assert_close(scheme.attend(q[:, order], k[:, order], v[:, order], causal=False), there)


def test_no_position_is_like_another() -> None:
    assert torch.equal(make_scheme("none", d_model=8, n_heads=2).similarity(4), torch.zeros(4, 4))
