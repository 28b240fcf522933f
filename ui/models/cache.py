"""Results computed from a model once for all visitors, cached under the model's key."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import torch
from torch import Tensor

from embedlib.checkpoints import (
    CheckpointError,
    FileTokenizer,
    LengthBands,
    Vocabulary,
    length_bands,
    model_parts,
    read_vocabulary,
    undertrained_scores,
)
from embedlib.components.chips import chips
from embedlib.neighbours import (
    Alignment,
    Neighbours,
    align_tables,
    centred_unit_rows,
    nearest_neighbours,
    row_norms,
    shared_neighbours,
)
from embedlib.projection import Pca, fit_pca
from embedlib.tokenizers import Token
from ui import cache
from ui.cache.bounded import LIMIT, Memo, estimate_bytes, memo
from ui.cache.minilm import minilm_table, minilm_tokenizer
from ui.components.token_chips import Chip
from ui.markdown import as_code
from ui.settings import MINILM
from ui.shared.model_choice import Model

NEIGHBOURS = 10
LEAST_COMMON = 2 * NEIGHBOURS  # words that two tables must share to be compared
Part = TypeVar("Part")
MOST_COMMON = 4_000  # words by which two tables are compared, the first in the first model's table


def _model_key(model: Model, *rest: object) -> tuple[object, ...]:
    return (model.key, *rest)


class ModelResult(Generic[Part]):
    """A cached function of a model; its error is cached too where another attempt would fail again.

    Otherwise every rerun would request a missing file from the Hub.
    """

    def __init__(
        self, make: Callable[[Model], Part], limit: int = LIMIT, size: Callable[[Part], int] = estimate_bytes
    ) -> None:
        self._make = make
        sized = memo(
            limit, size=lambda found: 1_000 if isinstance(found, CheckpointError) else size(found), key=_model_key
        )
        self._found: Memo[[Model], Part | CheckpointError] = sized(self.attempt)

    def attempt(self, model: Model) -> Part | CheckpointError:
        """Compute the result; return the error where another attempt would fail again."""
        try:
            return self._make(model)
        except CheckpointError as error:
            if error.is_lasting:
                return error
            raise

    def keep(self, found: Part | CheckpointError, model: Model) -> None:
        """Store a result that `attempt` has returned in the background."""
        self._found.keep(found, model)

    def __call__(self, model: Model) -> Part:
        """Return the cached result, or compute it; raise its CheckpointError."""
        found = self._found(model)
        if isinstance(found, CheckpointError):
            raise found
        return found


read_parts = ModelResult(lambda model: model_parts(model.checkpoint))
read_tokenizer: ModelResult[FileTokenizer] = ModelResult(
    lambda model: minilm_tokenizer() if model.source == MINILM else model.checkpoint.tokenizer(),
    200_000_000,
    lambda tokenizer: 400 * tokenizer.vocab_size,
)
# (n_positions, d_model) float32
read_positions = ModelResult(lambda model: model.checkpoint.position_table(dtype=torch.float32), 64_000_000)


@memo(key=_model_key)
def tokenize(model: Model, text: str) -> list[Token]:
    """Cut a text into the model's tokens."""
    return read_tokenizer(model).tokenize(text)


@memo(key=_model_key)
def token_chips(model: Model, text: str, most: int) -> list[Chip]:
    """Describe the first tokens of a text as chips."""
    tokens = tokenize(model, text)
    return chips(tokens, read_tokenizer(model).names(token.id for token in tokens))[:most]


@memo(100_000_000, size=lambda vocabulary: 300 * len(vocabulary.labels), key=_model_key)
def model_vocabulary(model: Model) -> Vocabulary:
    """Read the tokens that the rows of a model stand for."""
    return read_vocabulary(read_tokenizer(model), model.checkpoint.vocab_size)


@memo(1_000_000_000, key=_model_key)
def read_table(model: Model) -> Tensor:
    """Read all token rows of a model on this machine, (vocab_size, d_model) float32."""
    if model.source == MINILM:
        return minilm_table().cpu()  # which other pages have read
    return model.checkpoint.whole_table().to(torch.float32, copy=True)


@memo(key=_model_key)
def model_row_norms(model: Model) -> Tensor:
    """Measure all rows of a model, (vocab_size,)."""
    return row_norms(read_table(model)).cpu()


@memo(key=_model_key)
def norm_bands(model: Model) -> LengthBands:
    """Summarise the lengths of rows by rank."""
    return length_bands(model_row_norms(model)[model_vocabulary(model).ranked])


@memo(key=_model_key)
def undertrained_distances(model: Model) -> Tensor:
    """Return how far each row is from rows that training never touched, (vocab_size,)."""
    return undertrained_scores(read_table(model), model_vocabulary(model).unused)


@memo(key=_model_key)
def position_pca(model: Model) -> Pca:
    """Fit the principal axes of the position rows."""
    positions = read_positions(model)
    return fit_pca(positions, min(3, positions.shape[1], len(positions) - 1))


@dataclass(frozen=True, eq=False)
class ComparedTable:
    """One of two tables that are compared.

    Attributes:
        key: another table has another.
        title: what it is called, as text.
        shown: the same as markdown, in which foreign text is code.
        table: (n_rows, d_model) float32.
        words: row of each word.
    """

    key: str
    title: str
    shown: str
    table: Tensor
    words: dict[str, int]

    @property
    def cache_key(self) -> str:
        """Identifies the table in the key of a cache."""
        return self.key


def model_side(model: Model) -> ComparedTable:
    """Return a model as one of two tables."""
    shown = model.title if model.source == MINILM else as_code(model.title)
    return ComparedTable(model.key, model.title, shown, read_table(model), model_vocabulary(model).words)


def grammar_side(title: str) -> ComparedTable:
    """Return the table that ships with the library as one of two."""
    shipped = cache.shipped_table()
    return ComparedTable(
        "grammar", title, title, shipped.vectors, {word: row for row, word in enumerate(shipped.words)}
    )


@dataclass(frozen=True, eq=False)
class TablePair:
    """Two tables compared by the words that both have.

    Attributes:
        key: of the two tables.
        words: in the order of the first table's rows.
        rows: (n_words, 2) int64, the row of each in either table.
        shared: (n_words,) how many of its nearest words both share.
        alignment: the first rotated onto the second.
    """

    key: tuple[str, str]
    words: list[str]
    rows: Tensor
    shared: Tensor
    alignment: Alignment

    @property
    def cache_key(self) -> tuple[str, str]:
        """Identifies both tables in the key of a cache."""
        return self.key


@memo(100_000_000, key=lambda first, second: (first.key, second.key))
def compare_tables(first: ComparedTable, second: ComparedTable) -> TablePair | None:
    """Compare two tables; None where they share too few words."""
    common = sorted((row, second.words[word], word) for word, row in first.words.items() if word in second.words)
    common = common[:MOST_COMMON]
    if len(common) < LEAST_COMMON:
        return None
    rows = torch.tensor([(own, other) for own, other, _ in common])
    one, other = first.table[rows[:, 0]], second.table[rows[:, 1]]
    words, shared = [word for _, _, word in common], shared_neighbours(one, other, NEIGHBOURS)
    return TablePair((first.key, second.key), words, rows, shared, align_tables(one, other))


@memo(key=lambda first, second, pair, drawn: (first.key, second.key, tuple(drawn)))
def aligned_rows(
    first: ComparedTable, second: ComparedTable, pair: TablePair, drawn: Sequence[int]
) -> tuple[Tensor, Tensor]:
    """Return words' rows of the first table, rotated onto the second, and of the second, (n_drawn, d) each."""
    tables = (side.table[pair.rows[:, place]] for place, side in enumerate((first, second)))
    source, target = (centred_unit_rows(table, len(pair.alignment.rotation))[list(drawn)] for table in tables)
    return (pair.alignment.scale * source @ pair.alignment.rotation).float(), target.float()


@memo(key=lambda side, pair, which, at: (side.key, pair.key, which, at))
def pair_neighbours(side: ComparedTable, pair: TablePair, which: int, at: int) -> Neighbours:
    """Find the words of a pair that are nearest to one of them in its first (0) or its second table (1)."""
    table = side.table[pair.rows[:, which]]  # (n_words, d_model)
    return nearest_neighbours(table, table[at][None], NEIGHBOURS, exclude=[at])
