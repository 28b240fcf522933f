"""A second table, looked up by position."""

import pytest
import torch

from embedlib.positional import make_scheme


@pytest.mark.parametrize(("max_seq_len", "d_model"), [(4, 256), (10, 6)])
def test_a_fresh_table_is_torchs_own_to_the_bit(max_seq_len: int, d_model: int) -> None:
    scheme = make_scheme("learned", d_model=d_model, n_heads=1, max_seq_len=max_seq_len, seed=123)
    with torch.random.fork_rng():
        torch.manual_seed(123)
        expected = torch.nn.Embedding(max_seq_len, d_model).weight
    assert torch.equal(scheme.position_table(max_seq_len), expected)


def test_std_scales_the_same_draw() -> None:
    one = make_scheme("learned", d_model=8, n_heads=1).position_table(9)
    gpt2 = make_scheme("learned", d_model=8, n_heads=1, std=0.02).position_table(9)
    torch.testing.assert_close(gpt2, one * 0.02)


@pytest.mark.parametrize(("seq_len", "offset", "position"), [(5, 0, 4), (1, 4, 4), (2, 3, 4), (1000, 0, 999)])
def test_a_position_past_the_table_is_undefined_and_never_clamped(seq_len: int, offset: int, position: int) -> None:
    scheme = make_scheme("learned", d_model=4, n_heads=1, max_seq_len=4)
    message = f"asks for position {position}, which is undefined: this table ends at position 3; .* max_seq_len=4"
    with pytest.raises(ValueError, match=message):
        scheme.position_table(seq_len, offset=offset)
    with pytest.raises(ValueError, match="undefined"):
        scheme.encode(torch.zeros(seq_len, 4), offset=offset)
    with pytest.raises(ValueError, match="undefined"):
        scheme.similarity(5)
