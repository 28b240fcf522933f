"""A small table trained on sentences of the grammar, shipped with the library, and its rows for any tokenizer."""

import os
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch import Tensor

from embedlib.embedding import embedding_table
from embedlib.grammar import grammar_text
from embedlib.tensor_files import check_tensors, read_tensors, run_file_error, write_tensors
from embedlib.tokenizers import Tokenizer
from embedlib.word2vec.checkpoint import is_word_list, parse_config
from embedlib.word2vec.corpus import WordCorpus, word_corpus
from embedlib.word2vec.skip_gram import SkipGramConfig, skip_gram

SHIPPED = Path(__file__).parents[1] / "data" / "grammar.safetensors"
N_SENTENCES = 40_000
TABLE_CONFIG = SkipGramConfig(steps=2_000)


@dataclass(frozen=True, eq=False, slots=True)
class TrainedTable:
    """A table with one row per word, and its training.

    Attributes:
        vectors: (vocab_size, d_model) float32.
        words: of the rows, the most frequent first.
        counts: frequency of each.
        n_sentences: number of the grammar's sentences in training.
        corpus: WordCorpus.digest of these.
    """

    vectors: Tensor
    words: list[str]
    counts: list[int]
    config: SkipGramConfig
    n_sentences: int
    corpus: str


def trained_table(path: str | os.PathLike[str] = SHIPPED) -> TrainedTable:
    """Read the table that ships with the library, or another one of make_table.

    CodedError if there is no such file, it is no such table, or its contents contradict each other.
    """
    about, tensors = read_tensors(path)
    name = Path(path).name
    if about.get("kind") != "table":
        raise run_file_error("no_run", name)
    config = parse_config(about.get("config"), name)
    words, n_sentences, corpus = about.get("words"), about.get("n_sentences"), about.get("corpus")
    if not (is_word_list(words) and isinstance(n_sentences, int) and isinstance(corpus, str)):
        raise run_file_error("no_run", name)
    n_words = len(words)
    shapes = {"vectors": ((n_words, config.d_model), torch.float32), "counts": ((n_words,), torch.int64)}
    check_tensors(name, tensors, shapes)
    return TrainedTable(tensors["vectors"], words, tensors["counts"].tolist(), config, n_sentences, corpus)


def table_corpus(n_sentences: int = N_SENTENCES) -> WordCorpus:
    """Return the table's training data: the first sentences of the grammar."""
    return word_corpus(grammar_text(n_sentences))


def make_table(
    path: str | os.PathLike[str] = SHIPPED, *, n_sentences: int = N_SENTENCES, config: SkipGramConfig = TABLE_CONFIG
) -> None:
    """Train the table and write it: to the same bytes each time on the same machine with one thread."""
    corpus = table_corpus(n_sentences)
    for step in skip_gram(corpus, config):
        last = step
    if last.diverged:
        raise ValueError(f"learning_rate={config.learning_rate} is too high for these sentences: lower it")
    about = {"kind": "table", "words": corpus.words, "config": asdict(config), "n_sentences": n_sentences}
    write_tensors(path, about | {"corpus": corpus.digest}, {"vectors": last.rows, "counts": corpus.counts})


def trained_rows(
    tokenizer: Tokenizer,
    *,
    seed: int = 123,
    trained: TrainedTable | None = None,
    device: torch.device | None = None,
) -> tuple[Tensor, Tensor]:
    """Return a table with the trained row of each token that is a trained word, and a random row for every other.

    (vocab_size, d_model) float32, and which of its rows are trained, (vocab_size,) bool. " King", "king" and "KING" are
    different tokens with the same row: the table was trained on case-folded words. Random rows are drawn with the root
    mean square of the trained numbers, so that both have about the same length. `trained` None reads the table that
    ships with the library, 64 columns wide; CodedError if that file is missing or broken.
    """
    shipped = trained_table() if trained is None else trained
    vocab_size, (n_words, d_model) = tokenizer.vocab_size, shipped.vectors.shape
    index = {word: row for row, word in enumerate(shipped.words)}
    words = torch.tensor([index.get(_word(tokenizer, token_id), n_words) for token_id in range(vocab_size)])
    known = words < n_words  # (vocab_size,)
    root_mean_square = shipped.vectors.square().mean().sqrt()
    table = embedding_table(vocab_size, d_model, seed=seed) * root_mean_square  # (vocab_size, d_model)
    table[known] = shipped.vectors[words[known]]
    return table.to(device), known.to(device)


def _word(tokenizer: Tokenizer, token_id: int) -> str:
    """Return the word that a token may be; "" if it is none."""
    try:
        return tokenizer.token_bytes(token_id).removeprefix(b" ").decode().casefold()
    except ValueError:  # part of a character, or one of the ids without a token that some encodings have
        return ""
