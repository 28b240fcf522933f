from typing import Any

import pytest
import torch
from torch import Tensor

from embedlib import embed_text, embedding_table, examples, get_tokenizer, lookup, make_scheme, one_hot_lookup
from embedlib.embedding import check_lookup_sizes
from embedlib.examples import EXAMPLES, HAND_POSITION, HAND_TOKEN, LAYER_EXAMPLES
from embedlib.texts import sliding_windows

SIX_ROWS = torch.tensor(
    [
        [0.3374, -0.1778, -0.1690],
        [0.9178, 1.5810, 1.3010],
        [1.2753, -0.2010, -0.1606],
        [-0.4015, 0.9666, -1.1481],
        [-1.1589, 0.3255, -0.6315],
        [-2.8400, -0.7849, -1.4096],
    ]
)
FOX_ROWS = torch.tensor(
    [
        [1.9269, 1.4873, -0.4974],
        [0.4396, -0.7581, 1.0783],
        [0.8008, 1.6806, 0.3559],
        [-0.6866, 0.6105, 1.3347],
        [-0.2316, 0.0418, -0.2516],
        [0.8599, -0.3097, -0.3957],
    ]
)


def assert_prints_as(actual: Tensor, printed: Tensor) -> None:
    """Compare with numbers that were rounded to four decimals: off by at most half of the last digit."""
    torch.testing.assert_close(actual, printed, rtol=0, atol=0.51e-4)


def without_heads(example: examples.Example) -> dict[str, Any]:
    """Return a random example's settings but for the heads: no attention is computed here."""
    assert example.settings["table"] == "random"
    return {name: value for name, value in example.settings.items() if name not in ("heads", "table")}


def test_1_the_loadable_example_shows_the_table() -> None:
    example = EXAMPLES["six_rows"]
    assert_prints_as(embed_text(example.text, **without_heads(example)).input_embeddings, SIX_ROWS)


def test_2_the_loadable_example_shows_the_rows_in_text_order() -> None:
    example = EXAMPLES["fox"]
    assert_prints_as(embed_text(example.text, **without_heads(example)).token_embeddings, FOX_ROWS[[4, 0, 3, 2, 5, 1]])


def test_3_an_embedding_layer_is_a_linear_layer_fed_one_hot_vectors() -> None:
    table = embedding_table(6, 3, seed=123)
    token_ids = torch.tensor([2, 3, 5, 1])
    linear = torch.nn.Linear(6, 3, bias=False)
    linear.weight = torch.nn.Parameter(table.T)
    one_hot = torch.nn.functional.one_hot(token_ids, 6).float()
    assert torch.equal(lookup(table, token_ids), linear(one_hot))
    assert torch.equal(one_hot_lookup(table, token_ids), linear(one_hot))


def test_4_a_batch_of_windows_with_targets_shifted_by_one() -> None:
    token_ids = get_tokenizer("gpt2").encode(examples.LONG_TEXT)
    inputs, targets = sliding_windows(token_ids, max_length=4, stride=4)
    batch = inputs[:8]
    assert batch.shape == (8, 4)
    assert batch.flatten().tolist() == token_ids[:32]
    assert targets[:8].flatten().tolist() == token_ids[1:33]
    table = embedding_table(50_257, 256)
    rows = lookup(table, batch)
    assert rows.shape == (8, 4, 256)
    assert make_scheme("learned", d_model=256, n_heads=1, max_seq_len=4).encode(rows).shape == (8, 4, 256)


def test_5_a_learned_position_is_one_row_for_every_sample_of_the_batch() -> None:
    scheme = make_scheme("learned", d_model=256, n_heads=1, max_seq_len=4, seed=5)
    torch.manual_seed(5)
    second_table = torch.nn.Embedding(4, 256).weight
    rows = lookup(embedding_table(100, 256), torch.arange(32).view(8, 4))
    with_positions = scheme.encode(rows)
    for sample in range(8):
        for position in range(4):
            assert torch.equal(with_positions[sample, position], rows[sample, position] + second_table[position])


def test_6_the_sum_by_hand() -> None:
    example = EXAMPLES["nlp"]
    scheme = make_scheme("learned", d_model=3, n_heads=1, max_seq_len=3)
    scheme.load_state_dict({"table": examples.by_hand_positions()})
    actual = embed_text(
        example.text, tokenizer="words", table=examples.by_hand_table(["I", "love", "NLP"]), scheme=scheme
    )
    expected = torch.tensor([[0.11, 0.32, 0.43], [0.24, 0.65, 0.56], [0.77, 0.98, 0.89]])
    torch.testing.assert_close(actual.input_embeddings, expected, rtol=0, atol=1e-6)
    three = torch.tensor(HAND_TOKEN) + torch.tensor(HAND_POSITION)
    torch.testing.assert_close(three, torch.tensor([0.6, 0.1, 0.0]), rtol=0, atol=1e-6)


@pytest.mark.parametrize(
    ("one", "other"),
    [("The cat sat on the mat", "The mat sat on the cat"), ("I love NLP", "NLP love I")],
)
def test_8_order_is_seen_only_with_positions(one: str, other: str) -> None:
    def bag(text: str, scheme: str) -> list[list[float]]:
        words = sorted(one.split())
        tokenizer = get_tokenizer("words", text=" ".join(words))
        return sorted(embed_text(text, tokenizer=tokenizer, scheme=scheme, d_model=8).input_embeddings.tolist())

    assert bag(one, "none") == bag(other, "none")
    assert bag(one, "sinusoidal") != bag(other, "sinusoidal")


def test_an_example_with_a_width_has_heads_that_divide_it() -> None:
    for example in EXAMPLES.values():
        assert example.settings.get("d_model", 64) % example.settings.get("heads", 4) == 0
    assert len(get_tokenizer("gpt2").encode(examples.LONG_TEXT)) <= 128, "as many as the page of all schemes shows"


def test_six_rows_and_the_one_that_is_looked_up() -> None:
    example = LAYER_EXAMPLES["six_rows"]
    tokenizer = get_tokenizer(example.tokenizer, text=example.text)
    table = embedding_table(tokenizer.vocab_size, example.d_model, seed=example.seed)
    assert_prints_as(table, SIX_ROWS)
    chosen = torch.tensor([tokenizer.encode(example.text)[example.chosen]])
    assert chosen.tolist() == [3]
    for read in (lookup, one_hot_lookup):
        assert_prints_as(read(table, chosen), SIX_ROWS[[3]])


def test_the_fox_and_a_second_layer_from_the_same_stream() -> None:
    example = LAYER_EXAMPLES["fox"]
    tokenizer = get_tokenizer(example.tokenizer, text=example.text)
    assert tokenizer.encode(example.text) == [4, 0, 3, 2, 5, 1]
    stream = torch.Generator().manual_seed(example.seed)
    assert_prints_as(embedding_table(tokenizer.vocab_size, example.d_model, seed=stream), FOX_ROWS)
    second = embedding_table(4, 5, seed=stream)
    assert_prints_as(second[0], torch.tensor([-0.2234, 1.7174, 0.3189, -0.4245, -0.8140]))


def test_the_lessons_size_can_be_measured() -> None:
    example = LAYER_EXAMPLES["gpt2_size"]
    assert (example.vocab_size, example.d_model, example.n_tokens) == (50_257, 768, 1_024)
    assert get_tokenizer(example.tokenizer).vocab_size == example.vocab_size
    check_lookup_sizes(example.vocab_size or 0, example.d_model, example.n_tokens or 0)


def test_every_example_is_known_by_its_name() -> None:
    for name, example in LAYER_EXAMPLES.items():
        assert example.name == name
        assert get_tokenizer(example.tokenizer, text=example.text).encode(example.text)[example.chosen :]


LANGUAGES = ("en", "fr", "zh")


def test_every_example_but_that_of_digits_has_a_text_of_its_own_in_every_language() -> None:
    texts = {
        name: {examples.in_language(example.text, code) for code in LANGUAGES} for name, example in EXAMPLES.items()
    }
    assert {name: len(own) for name, own in texts.items()} == dict.fromkeys(EXAMPLES, 3) | {"six_rows": 1}


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_example_is_in_every_language_what_its_page_needs(language: str) -> None:
    def text(name: str) -> str:
        return examples.in_language(EXAMPLES[name].text, language)

    gpt2 = get_tokenizer("gpt2")
    assert sorted(get_tokenizer("words", text=text("fox")).encode(text("fox"))) == [0, 1, 2, 3, 4, 5]
    assert get_tokenizer("words", text=text("sines")).vocab_size == 4
    assert 33 <= len(gpt2.encode(text("long"))) <= 128, "a batch of 8 × 4 and a target; what the page of schemes shows"
    rows = examples.by_hand_rows(text("nlp"))
    assert [rows[word] for word in text("nlp").split()] == [(0.1, 0.3, 0.4), (0.2, 0.6, 0.5), (0.7, 0.9, 0.8)]
    one, other = (part.strip().casefold() for part in text("mat").replace("，", ",").split(","))
    assert one != other
    assert sorted(one) == sorted(other)
    assert "[MASK]" in text("special")


@pytest.mark.parametrize("language", LANGUAGES)
def test_learned_positions_are_shown_with_five_samples_of_four(language: str) -> None:
    english = "A model never sees letters. It sees a list of whole numbers, one for each piece of text"
    assert len(get_tokenizer("gpt2").encode(examples.in_language(english, language))) == 20
