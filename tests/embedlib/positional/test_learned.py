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


def test_rows_set_by_hand_add_up_as_on_paper() -> None:
    scheme = make_scheme("learned", d_model=3, n_heads=1, max_seq_len=3)
    scheme.load_state_dict({"table": torch.tensor([[0.01, 0.02, 0.03], [0.04, 0.05, 0.06], [0.07, 0.08, 0.09]])})
    tokens = torch.tensor([[0.1, 0.3, 0.4], [0.2, 0.6, 0.5], [0.7, 0.9, 0.8]])
    expected = torch.tensor([[0.11, 0.32, 0.43], [0.24, 0.65, 0.56], [0.77, 0.98, 0.89]])
    torch.testing.assert_close(scheme.encode(tokens), expected)


def test_gradients_reach_the_rows_in_use_and_no_other() -> None:
    scheme = make_scheme("learned", d_model=4, n_heads=1, max_seq_len=6)
    scheme.encode(torch.zeros(5, 3, 4), offset=1).sum().backward()
    gradient = dict(scheme.named_parameters())["table"].grad
    assert gradient is not None
    assert torch.equal(gradient, torch.tensor([0.0, 5, 5, 5, 0, 0])[:, None].expand(6, 4))


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
