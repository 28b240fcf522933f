"""What is computed of a model, once for all visitors, kept under the model's key."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from embedlib.checkpoints import (
    FileTokenizer,
    LengthBands,
    ModelParts,
    Vocabulary,
    length_bands,
    model_parts,
    read_vocabulary,
    under_training,
)
from embedlib.neighbours import (
    Alignment,
    Neighbours,
    align_tables,
    nearest_neighbours,
    prepared_rows,
    row_norms,
    shared_neighbours,
)
from embedlib.projection import Pca, fit_pca
from embedlib.tokenizers import Token, token_label
from ui import cache
from ui.cache.bounded import memo
from ui.cache.minilm import minilm_table, minilm_tokenizer
from ui.components.token_chips import Chip
from ui.settings import MINILM
from ui.shared.chips import chips
from ui.shared.markdown import as_code
from ui.shared.model_choice import Model

NEIGHBOURS = 10
MOST_COMMON = 4_000  # words by which two tables are compared, the first in the first model's table


def _of_model(model: Model, *rest: object) -> tuple[object, ...]:
    return (model.key, *rest)


@memo(key=_of_model)
def parts_of(model: Model) -> ModelParts:
    """Count a model's parameters."""
    return model_parts(model.checkpoint)


@memo(200_000_000, size=lambda tokenizer: 400 * tokenizer.vocab_size, key=_of_model)
def tokenizer_of(model: Model) -> FileTokenizer:
    """Make a model's tokenizer."""
    return minilm_tokenizer() if model.source == MINILM else model.checkpoint.tokenizer()


@memo(key=_of_model)
def tokens_of(model: Model, text: str) -> list[Token]:
    """Cut a text as the model does."""
    return tokenizer_of(model).tokenize(text)


@memo(key=_of_model)
def chips_of(model: Model, text: str, most: int) -> list[Chip]:
    """Describe the first tokens of a text as chips."""
    tokens = tokens_of(model, text)
    return chips(tokens, tokenizer_of(model).names(token.id for token in tokens))[:most]


@memo(100_000_000, size=lambda vocabulary: 300 * len(vocabulary.labels), key=_of_model)
def vocabulary_of(model: Model) -> Vocabulary:
    """Read what the rows of a model stand for."""
    return read_vocabulary(tokenizer_of(model), model.checkpoint.vocab_size)


@memo(1_000_000_000, key=_of_model)
def table_of(model: Model) -> Tensor:
    """Read all token rows of a model on this machine, (vocab_size, d_model) float32."""
    if model.source == MINILM:
        return minilm_table().cpu()  # which other pages have read
    return model.checkpoint.rows(torch.arange(model.checkpoint.vocab_size), dtype=torch.float32)


@memo(key=_of_model)
def lengths_of(model: Model) -> Tensor:
    """Measure all rows of a model, (vocab_size,)."""
    return row_norms(table_of(model)).cpu()


@memo(key=_of_model)
def bands_of(model: Model) -> LengthBands:
    """Summarise the lengths of rows by rank."""
    return length_bands(lengths_of(model)[vocabulary_of(model).ranked])


@memo(key=_of_model)
def under_training_of(model: Model) -> Tensor:
    """Measure how far each row is from those that training never touched, (vocab_size,)."""
    return under_training(table_of(model), vocabulary_of(model).unused)


@memo(64_000_000, key=_of_model)
def positions_of(model: Model) -> Tensor:
    """Read the position rows of a model, (n_positions, d_model) float32."""
    return model.checkpoint.position_table(dtype=torch.float32)


@memo(key=_of_model)
def position_pca_of(model: Model) -> Pca:
    """Fit the principal axes of the position rows."""
    return fit_pca(positions_of(model), min(3, model.checkpoint.d_model, model.checkpoint.n_positions - 1))


@dataclass(frozen=True, eq=False)
class Side:
    """One of two tables that are compared.

    Attributes:
        key: another table has another.
        title: what it is called, as text.
        shown: the same as markdown, in which foreign text is code.
        table: (n_rows, d_model) float32.
        labels: of each row.
        words: row of each word.
    """

    key: str
    title: str
    shown: str
    table: Tensor
    labels: list[str]
    words: dict[str, int]

    def named(self, row: int) -> str:
        """Return the word that a row stands for, or else its label, which no word of another table is equal to."""
        label = self.labels[row].removeprefix("·")
        return label if self.words.get(label) == row else self.labels[row]


def side_of(model: Model) -> Side:
    """Take a model as one of two tables."""
    vocabulary = vocabulary_of(model)
    shown = model.title if model.source == MINILM else as_code(model.title)
    return Side(model.key, model.title, shown, table_of(model), vocabulary.labels, vocabulary.words)


def grammar_side(title: str) -> Side:
    """Take the table that ships with the library as one of two."""
    shipped = cache.shipped_table()
    labels = [token_label(word.encode()) for word in shipped.words]
    return Side("grammar", title, title, shipped.vectors, labels, {word: row for row, word in enumerate(shipped.words)})


@dataclass(frozen=True, eq=False)
class Pair:
    """Two tables compared by the words that both have.

    Attributes:
        words: in the order of the first table's rows.
        rows: (n_words, 2) int64, the row of each in either table.
        shared: (n_words,) how many of its nearest words both share.
        alignment: the first turned onto the second.
    """

    words: list[str]
    rows: Tensor
    shared: Tensor
    alignment: Alignment


@memo(100_000_000, key=lambda first, second: (first.key, second.key))
def pair_of(first: Side, second: Side) -> Pair | None:
    """Compare two tables; None where they share too few words."""
    common = sorted((row, second.words[word], word) for word, row in first.words.items() if word in second.words)
    common = common[:MOST_COMMON]
    if len(common) < 2 * NEIGHBOURS:
        return None
    rows = torch.tensor([(own, other) for own, other, _ in common])
    one, other = first.table[rows[:, 0]], second.table[rows[:, 1]]
    return Pair(
        [word for _, _, word in common], rows, shared_neighbours(one, other, NEIGHBOURS), align_tables(one, other)
    )


@memo(key=lambda first, second, pair, drawn: (first.key, second.key, tuple(drawn)))
def aligned_rows(first: Side, second: Side, pair: Pair, drawn: Sequence[int]) -> tuple[Tensor, Tensor]:
    """Return some words' rows of the first table, turned onto the second, and of the second, (n_drawn, d) each."""
    tables = (side.table[pair.rows[:, place]] for place, side in enumerate((first, second)))
    source, target = (prepared_rows(table, len(pair.alignment.rotation))[list(drawn)] for table in tables)
    return (pair.alignment.scale * source @ pair.alignment.rotation).float(), target.float()


@memo(key=lambda side, row: (side.key, row))
def neighbours_of(side: Side, row: int) -> Neighbours:
    """Find the rows nearest to one, in all columns of the whole table."""
    return nearest_neighbours(side.table, side.table[row][None], NEIGHBOURS, exclude=[row])
