import pytest
import torch

from embedlib import embed_text, get_tokenizer
from embedlib.word2vec import trained_rows
from ui import cache
from ui.pipeline.request import linked_request


def test_a_request_computes_what_the_library_computes() -> None:
    request = linked_request({})
    table, known = trained_rows(get_tokenizer("gpt2"))
    found, expected = cache.embed_request(request), embed_text(request.text, table=table)
    assert cache.trained_tokens(request) == known[expected.token_ids].tolist()
    assert torch.equal(found.input_embeddings, expected.input_embeddings)
    assert cache.embed_request(request) is found


def test_a_table_is_kept() -> None:
    assert cache.random_table(100, 8, 1) is cache.random_table(100, 8, 1)
    assert cache.random_table(100, 8, 1) is not cache.random_table(100, 8, 2)


@pytest.mark.parametrize(("tokenizer", "kept"), [("gpt2", True), ("words", False)])
def test_a_table_with_trained_rows_is_kept_while_an_edit_leaves_its_vocabulary(tokenizer: str, kept: bool) -> None:
    one, other = (cache.partly_trained_table(tokenizer, text, 1)[0] for text in ("a king", "a king and a queen"))
    assert (one is other) == kept


def test_picked_rows_are_neither_scaled_nor_added_to() -> None:
    request = linked_request({})
    table = cache.request_table(request)
    ids = cache.embed_request(request).token_ids
    assert torch.equal(cache.picked_rows(request, 5), table[ids, :5])
