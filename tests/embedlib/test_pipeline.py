from typing import Any

import pytest
import torch

from embedlib import embed_text, embedding_table, fit_pca, get_tokenizer, make_scheme, nearest_neighbours
from embedlib.positional import SCHEMES

TEXT = "The cat sat on the mat"


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("scale", [False, True])
def test_the_sum_is_exact_to_the_bit(scheme: str, scale: bool) -> None:
    actual = embed_text(TEXT, scheme=scheme, scale_by_sqrt_d=scale, d_model=48)
    assert actual.input_embeddings.shape == (6, 48)
    assert torch.equal(actual.input_embeddings, actual.token_embeddings + actual.position_vectors)
    if "embedding" not in SCHEMES[scheme].acts_on:
        assert not actual.position_vectors.any()


def test_the_rows_are_those_of_a_torch_embedding() -> None:
    actual = embed_text(TEXT, d_model=64, seed=123)
    assert actual.token_ids.tolist() == [464, 3797, 3332, 319, 262, 2603]
    torch.manual_seed(123)
    layer = torch.nn.Embedding(50_257, 64)
    assert torch.equal(actual.token_embeddings, layer(actual.token_ids))
    scaled = embed_text(TEXT, d_model=64, seed=123, scale_by_sqrt_d=True)
    assert torch.equal(scaled.token_embeddings, layer(actual.token_ids) * 8.0)
    assert torch.equal(scaled.position_vectors, actual.position_vectors)


def test_a_given_table_and_scheme_are_used() -> None:
    tokenizer = get_tokenizer("bytes")
    table = embedding_table(256, 6, seed=9)
    scheme = make_scheme("learned", d_model=6, n_heads=1, max_seq_len=4, seed=2)
    actual = embed_text("abc", tokenizer=tokenizer, table=table, scheme=scheme)
    assert torch.equal(actual.token_embeddings, table[[97, 98, 99]])
    assert torch.equal(actual.position_vectors, scheme.position_table(3).detach())
    assert not actual.input_embeddings.requires_grad


def test_max_tokens_keeps_the_start() -> None:
    assert [token.id for token in embed_text(TEXT, max_tokens=2).tokens] == [464, 3797]


@pytest.mark.parametrize(
    ("call", "remedy"),
    [
        (lambda: embed_text(TEXT, max_tokens=0), "max_tokens=0 must be at least 1"),
        (lambda: embed_text(TEXT, max_tokens=-1), "max_tokens=-1 must be at least 1"),
        (lambda: embed_text(TEXT, d_model=8.0), "d_model=8.0 must be a whole number: give an int"),
        (lambda: embed_text(TEXT, d_model="8"), "d_model='8' must be a whole number: give an int"),
        (lambda: embed_text(TEXT, seed=1.5), "seed=1.5 must be a whole number: give an int"),
        (lambda: embed_text(None), "text=None must be a text: give a str"),
        (lambda: make_scheme("rope", d_model="8", n_heads=1), "d_model='8' must be a whole number: give an int"),
        (lambda: make_scheme("rope", d_model=8, n_heads=1).similarity(2.5), "seq_len=2.5 must be a whole number"),
        (
            lambda: fit_pca([[1.0], [2.0]], 1),
            r"x is a list: it must be a tensor or an array, such as torch.tensor\(x\)",
        ),
        (lambda: fit_pca(torch.eye(3), 1).transform([[1.0, 2.0, 3.0]]), "x is a list: it must be a tensor or an array"),
        (lambda: fit_pca(torch.eye(3), 2.0), "n_components=2.0 must be a whole number: give an int"),
        (lambda: nearest_neighbours([[1.0]], torch.ones(1, 1), 1), "table is a list: it must be a tensor or an array"),
        (lambda: nearest_neighbours(torch.ones(1, 1), [[1.0]], 1), "queries is a list: it must be a tensor"),
        (lambda: nearest_neighbours(torch.ones(1, 1), torch.ones(1, 1), 1.0), "k=1.0 must be a whole number"),
    ],
)
def test_what_is_out_of_range_or_of_another_type_is_one_error_with_the_remedy(call: Any, remedy: str) -> None:
    with pytest.raises(ValueError, match=remedy):
        call()


def test_scheme_parameters_are_passed_on() -> None:
    halves = embed_text(TEXT, d_model=8, parameters={"layout": "halves"}).position_vectors
    interleaved = embed_text(TEXT, d_model=8).position_vectors
    assert torch.equal(halves, torch.cat([interleaved[:, ::2], interleaved[:, 1::2]], dim=1))


@pytest.mark.parametrize(("text", "tokenizer"), [("", "gpt2"), (" \n ", "words")])
def test_a_text_without_tokens_is_refused(text: str, tokenizer: str) -> None:
    with pytest.raises(ValueError, match="text has no token"):
        embed_text(text, tokenizer=get_tokenizer(tokenizer, text="a word"))


def test_a_table_that_is_too_small_is_refused() -> None:
    with pytest.raises(ValueError, match="table has 9 rows but bytes has 256 tokens"):
        embed_text("a", tokenizer="bytes", table=torch.zeros(9, 4))


def test_more_tokens_than_a_learned_table_has_positions_are_refused() -> None:
    scheme = make_scheme("learned", d_model=8, n_heads=1, max_seq_len=4)
    with pytest.raises(ValueError, match="max_seq_len=4"):
        embed_text("abcde", tokenizer="bytes", d_model=8, scheme=scheme)


def test_all_tensors_of_an_embedded_text_go_to_another_device_together() -> None:
    moved = embed_text("the cat", d_model=8).to(torch.device("meta"))
    tensors = [value for value in vars(moved).values() if isinstance(value, torch.Tensor)]
    assert [tensor.device.type for tensor in tensors] == ["meta"] * 4
