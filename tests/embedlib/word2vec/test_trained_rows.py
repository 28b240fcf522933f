"""Rows of words are those of the file that ships, and all others those that torch draws, made as large."""

import pytest
import torch
from safetensors import safe_open

from embedlib import get_tokenizer
from embedlib.word2vec.pretrained import SHIPPED, TrainedTable, trained_rows, trained_table

TEXT = "The king fed a KING, the bunnies and the piglet 日"


@pytest.fixture(scope="module")
def shipped() -> TrainedTable:
    return trained_table()


@pytest.mark.parametrize("tokenizer", ["gpt2", "words", "characters", "bytes"])
def test_each_row_is_the_files_or_torchs(tokenizer: str, shipped: TrainedTable) -> None:
    encoder = get_tokenizer(tokenizer, text=TEXT)
    table, known = trained_rows(encoder, seed=7)
    with safe_open(str(SHIPPED), "pt") as file:
        vectors = file.get_tensor("vectors")
    torch.manual_seed(7)
    expected = torch.nn.Embedding(encoder.vocab_size, 64).weight.detach() * vectors.pow(2).mean().sqrt()
    trained = set()
    for token_id in range(encoder.vocab_size):
        text = encoder.token_bytes(token_id).decode(errors="replace")
        word = (text[1:] if text.startswith(" ") else text).casefold()
        if word in shipped.words:
            trained.add(token_id)
            expected[token_id] = vectors[shipped.words.index(word)]
    assert torch.equal(table, expected)
    assert set(known.nonzero().flatten().tolist()) == trained
    assert (tokenizer == "gpt2") == (len(trained) > 1_000)


def test_pieces_of_words_and_words_that_were_never_met_are_not_trained() -> None:
    tokenizer = get_tokenizer("gpt2")
    _, known = trained_rows(tokenizer)
    tokens = tokenizer.tokenize(TEXT)
    random = [token.bytes.decode(errors="replace") for token in tokens if not known[token.id]]
    assert random[:5] == [",", " b", "unn", "ies", "let"]  # and " pig" has the row of pig


def test_a_token_without_bytes_has_a_random_row(monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = get_tokenizer("bytes")

    def nameless(token_id: int) -> bytes:
        raise ValueError(f"token_id={token_id}")

    monkeypatch.setattr(tokenizer, "token_bytes", nameless)
    assert not trained_rows(tokenizer)[1].any()


def test_another_table_can_be_given_and_the_global_random_state_stays(shipped: TrainedTable) -> None:
    small = TrainedTable(torch.ones(1, 3) * 2, ["king"], [5], shipped.config, 1, "")
    state = torch.random.get_rng_state()
    table, known = trained_rows(get_tokenizer("words", text="king of Spain"), trained=small)
    assert torch.equal(torch.random.get_rng_state(), state)
    assert table[known].tolist() == [[2, 2, 2]]
    torch.manual_seed(123)
    drawn = torch.nn.Embedding(3, 3).weight.detach() * 2
    assert torch.equal(table[~known], drawn[~known])
