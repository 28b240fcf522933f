"""Labels, words, order of frequency and unused tokens of vocabularies of four kinds."""

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from embedlib.checkpoints import FileTokenizer, Vocabulary, length_bands, minilm, read_vocabulary, undertrained_scores

TEXTS = ["the king and the queen fed the dog and the cat", "the kings saw the kingdom and the queens"] * 20


def trained(kind: str, *, special: tuple[str, ...] = ()) -> Tokenizer:
    if kind == "bytes":
        tokenizer = Tokenizer(models.BPE())
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel()
        tokenizer.decoder = decoders.ByteLevel()
        alphabet = pre_tokenizers.ByteLevel.alphabet()
        trainer = trainers.BpeTrainer(vocab_size=290, initial_alphabet=alphabet, special_tokens=list(special))
    elif kind == "wordpiece":
        tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
        tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
        trainer = trainers.WordPieceTrainer(vocab_size=60, special_tokens=["[UNK]", *special])
    else:
        pieces = ["<unk>", *special, "▁the", "▁king", "s", "▁", "dom", "▁and", "e"]
        tokenizer = Tokenizer(models.Unigram([(piece, -float(at)) for at, piece in enumerate(pieces)], unk_id=0))
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
        tokenizer.decoder = decoders.Metaspace()
        tokenizer.add_special_tokens(["<unk>", *special])
        return tokenizer
    tokenizer.train_from_iterator(TEXTS, trainer)
    return tokenizer


def vocabulary_of(tokenizer: Tokenizer, n_rows: int | None = None) -> Vocabulary:
    return read_vocabulary(FileTokenizer("test", tokenizer.to_str().encode()), n_rows or tokenizer.get_vocab_size())


@pytest.mark.parametrize(("kind", "mark"), [("bytes", "Ġ"), ("wordpiece", ""), ("unigram", "▁")])
def test_a_word_has_the_row_of_its_token_and_pieces_that_go_on_are_no_words(kind: str, mark: str) -> None:
    tokenizer = trained(kind)
    vocabulary = vocabulary_of(tokenizer)
    assert vocabulary.words["the"] == tokenizer.token_to_id(f"{mark}the")
    spelled = {tokenizer.id_to_token(row) for row in vocabulary.words.values()}
    assert all(piece.startswith(mark) and not piece.startswith("##") for piece in spelled)
    assert "[UNK]" not in spelled
    learned = [row for piece, row in tokenizer.get_vocab().items() if piece.startswith("##")]
    assert all(vocabulary.labels[row].startswith("##") for row in learned)


@pytest.mark.parametrize("kind", ["bytes", "wordpiece", "unigram"])
def test_ranks_follow_the_vocabulary_without_signs_and_special_tokens(kind: str) -> None:
    special = ("<|pad|>", "[unused1]", "<unused7>")
    tokenizer = trained(kind, special=special)
    vocabulary = vocabulary_of(tokenizer, tokenizer.get_vocab_size() + 2)
    last = tokenizer.get_vocab_size()
    assert vocabulary.unused.tolist() == sorted(
        [tokenizer.token_to_id("[unused1]"), tokenizer.token_to_id("<unused7>"), last, last + 1]
    )
    assert vocabulary.labels[last:] == ["", ""]
    expected = [
        row
        for row in range(last)
        if len(tokenizer.id_to_token(row).removeprefix("##")) > 1
        and tokenizer.id_to_token(row) not in (*special, "[UNK]", "<unk>")
    ]
    assert vocabulary.ranked.tolist() == expected


def test_minilm_ranks_the_first_and_has_994_unused_tokens() -> None:
    vocabulary = read_vocabulary(minilm().tokenizer(), 30_522)
    assert [vocabulary.labels[row] for row in vocabulary.ranked[:5]] == ["the", "of", "and", "in", "to"]
    assert [vocabulary.labels[row] for row in vocabulary.unused] == [f"[unused{number}]" for number in range(994)]
    assert vocabulary.words["king"] == 2332
    assert vocabulary.labels[2075] == "##ing"


def test_distances_from_unused_rows_are_those_of_the_published_indicator() -> None:
    table = torch.randn(50, 6, generator=torch.Generator().manual_seed(1))
    unused = torch.tensor([3, 7, 41])
    numbers = table.double().numpy()
    expected = [np.sqrt(sum((row - numbers[[3, 7, 41]].mean(axis=0)) ** 2)) for row in numbers]
    np.testing.assert_allclose(undertrained_scores(table, unused), expected, rtol=1e-5)
    none = torch.empty(0, dtype=torch.int64)
    np.testing.assert_allclose(
        undertrained_scores(table.bfloat16(), none), np.linalg.norm(table.bfloat16().float(), axis=1)
    )


def test_of_minilm_unused_tokens_are_found_by_it() -> None:
    checkpoint = minilm()
    vocabulary = read_vocabulary(checkpoint.tokenizer(), checkpoint.vocab_size)
    distances = undertrained_scores(checkpoint.rows(range(checkpoint.vocab_size)), vocabulary.unused)
    of_unused, of_words = distances[vocabulary.unused], distances[list(vocabulary.words.values())]
    above = (of_words[:, None] > of_unused[:: len(of_unused) // 50]).double().mean()  # the area under the ROC curve
    assert above > 0.99


@pytest.mark.parametrize("n_ranked", [1, 2, 3, 100, 5_000])
def test_bands_hold_the_quantiles_and_ends_of_each_bin(n_ranked: int) -> None:
    lengths = torch.rand(n_ranked, generator=torch.Generator().manual_seed(2))
    bands = length_bands(lengths, n_bins=12)
    counted = 0
    for place, rank in enumerate(bands.ranks.tolist()):
        start = counted + 1
        stop = round(rank**2 / start)  # the last rank of the bin, of whose ends the middle is the geometric mean
        part = lengths[start - 1 : stop].numpy()
        np.testing.assert_allclose(bands.quantiles[:, place], np.quantile(part, [0.1, 0.5, 0.9]), rtol=1e-5)
        assert bands.shortest[place] == start - 1 + part.argmin()
        assert bands.longest[place] == start - 1 + part.argmax()
        counted = stop
    assert counted == n_ranked
