"""The lesson's examples show the digits that courses print."""

import torch

from embedlib import embedding_table, examples, get_tokenizer, lookup, one_hot_lookup
from embedlib.embedding import check_lookup_sizes
from embedlib.examples import HAND_POSITION, HAND_TOKEN, LAYER_EXAMPLES


def rounded(rows: torch.Tensor) -> list[list[float]]:
    return [[round(number, 4) for number in row] for row in rows.tolist()]


def test_six_rows_and_the_one_that_is_looked_up() -> None:
    example = LAYER_EXAMPLES["six_rows"]
    tokenizer = get_tokenizer(example.tokenizer, text=example.text)
    table = embedding_table(tokenizer.vocab_size, example.d_model, seed=example.seed)
    assert rounded(table) == [
        [0.3374, -0.1778, -0.1690],
        [0.9178, 1.5810, 1.3010],
        [1.2753, -0.2010, -0.1606],
        [-0.4015, 0.9666, -1.1481],
        [-1.1589, 0.3255, -0.6315],
        [-2.8400, -0.7849, -1.4096],
    ]
    chosen = torch.tensor([tokenizer.encode(example.text)[example.chosen]])
    assert chosen.tolist() == [3]
    for read in (lookup, one_hot_lookup):
        assert rounded(read(table, chosen)) == [[-0.4015, 0.9666, -1.1481]]


def test_the_fox_and_a_second_layer_from_the_same_stream() -> None:
    example = LAYER_EXAMPLES["fox"]
    tokenizer = get_tokenizer(example.tokenizer, text=example.text)
    token_ids = tokenizer.encode(example.text)
    assert token_ids == [4, 0, 3, 2, 5, 1]
    stream = torch.Generator().manual_seed(example.seed)
    table = embedding_table(tokenizer.vocab_size, example.d_model, seed=stream)
    second = embedding_table(4, 5, seed=stream)
    assert rounded(lookup(table, torch.tensor([2, 3, 5, 1]))) == [
        [0.8008, 1.6806, 0.3559],
        [-0.6866, 0.6105, 1.3347],
        [0.8599, -0.3097, -0.3957],
        [0.4396, -0.7581, 1.0783],
    ]
    assert rounded(second[:1]) == [[-0.2234, 1.7174, 0.3189, -0.4245, -0.8140]]
    assert torch.equal(lookup(second, torch.tensor([0, 2])), second[::2])


def test_the_lessons_size_can_be_measured() -> None:
    example = LAYER_EXAMPLES["gpt2_size"]
    assert (example.vocab_size, example.d_model, example.n_tokens) == (50_257, 768, 1_024)
    assert get_tokenizer(example.tokenizer).vocab_size == example.vocab_size
    check_lookup_sizes(example.vocab_size or 0, example.d_model, example.n_tokens or 0)


def test_the_sums_by_hand() -> None:
    assert [round(a + b, 4) for a, b in zip(HAND_TOKEN, HAND_POSITION, strict=True)] == [0.6, 0.1, 0.0]
    words = LAYER_EXAMPLES["nlp"].text.split()
    summed = examples.by_hand_table(words) + examples.by_hand_positions()
    assert rounded(summed) == [[0.11, 0.32, 0.43], [0.24, 0.65, 0.56], [0.77, 0.98, 0.89]]


def test_a_learned_position_is_one_row_for_every_sample() -> None:
    stream = torch.Generator().manual_seed(123)
    table, positions = embedding_table(100, 256, seed=stream), embedding_table(4, 256, seed=stream)
    batch = torch.arange(32).view(8, 4)
    summed = lookup(table, batch) + positions
    assert summed.shape == (8, 4, 256)
    for sample in range(8):
        for place in range(4):
            assert torch.equal(summed[sample, place], table[batch[sample, place]] + positions[place])


def test_every_example_is_known_by_its_name() -> None:
    for name, example in LAYER_EXAMPLES.items():
        assert example.name == name
        assert get_tokenizer(example.tokenizer, text=example.text).encode(example.text)[example.chosen :]
