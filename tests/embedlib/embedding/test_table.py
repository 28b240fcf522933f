import pytest
import torch

from embedlib.embedding import embedding_table, lookup, one_hot_lookup


@pytest.mark.parametrize(("vocab_size", "d_model"), [(1, 1), (3, 2), (6, 3), (300, 64)])
def test_table_is_bit_equal_to_a_seeded_torch_embedding(vocab_size: int, d_model: int) -> None:
    torch.manual_seed(7)
    expected = torch.nn.Embedding(vocab_size, d_model).weight
    assert torch.equal(embedding_table(vocab_size, d_model, seed=7), expected)


def test_the_global_random_state_is_left_alone() -> None:
    before = torch.random.get_rng_state()
    embedding_table(50, 8, seed=1)
    assert torch.equal(torch.random.get_rng_state(), before)


def test_a_generator_goes_on_where_it_stopped() -> None:
    torch.manual_seed(42)
    first, second = torch.nn.Embedding(6, 3).weight, torch.nn.Embedding(4, 5).weight
    generator = torch.Generator().manual_seed(42)
    assert torch.equal(embedding_table(6, 3, seed=generator), first)
    assert torch.equal(embedding_table(4, 5, seed=generator), second)


def test_lookup_and_one_hot_lookup_read_the_same_rows() -> None:
    table = embedding_table(100, 16, seed=0)
    token_ids = torch.tensor([[3, 99, 0], [3, 3, 50]])
    expected = torch.stack([torch.stack([table[int(i)] for i in row]) for row in token_ids])
    assert torch.equal(lookup(table, token_ids), expected)
    assert torch.equal(one_hot_lookup(table, token_ids), expected)


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int16, torch.int32])
def test_ids_of_any_integer_type_are_read(dtype: torch.dtype) -> None:
    table = embedding_table(5, 2)
    token_ids = torch.tensor([4, 0], dtype=dtype)
    assert torch.equal(lookup(table, token_ids), table[[4, 0]])
    assert torch.equal(one_hot_lookup(table, token_ids), table[[4, 0]])


def test_gradients_reach_only_the_rows_that_were_read() -> None:
    table = embedding_table(5, 2).requires_grad_()
    lookup(table, torch.tensor([1, 1, 4])).sum().backward()
    assert table.grad is not None
    assert table.grad[:, 0].tolist() == [0, 2, 0, 0, 1]
