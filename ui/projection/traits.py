"""What is known of every row of a table in view, worked out once per table: kind, script, length, norm, likeness."""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from embedlib.neighbours.search import Neighbours, likeness_to, nearest_neighbours, row_norms
from embedlib.tokenizers.kinds import KINDS, SCRIPTS, character_counts, kinds, scripts
from embedlib.tokenizers.labels import token_bytes_of
from ui.cache.bounded import BoundedCache
from ui.projection.shown_table import ShownTable

NEIGHBOURS = 10
_WORD = 5  # characters, a space among them; shorter words say little of where they stand

_arrays: BoundedCache[tuple[object, ...], NDArray[Any]] = BoundedCache(100_000_000, lambda array: array.nbytes)
_found: BoundedCache[tuple[object, ...], Neighbours] = BoundedCache(20_000_000, lambda found: 24 * found.ids.numel())


def kinds_of_rows(table: ShownTable) -> NDArray[np.int64]:
    """Number each row's kind, (n_rows,) in the order of KINDS."""
    return _numbered(table, "kind", list(KINDS), kinds)


def scripts_of_rows(table: ShownTable) -> NDArray[np.int64]:
    """Number each row's script, (n_rows,) in the order of SCRIPTS."""
    return _numbered(table, "script", list(SCRIPTS), scripts)


def lengths_of_rows(table: ShownTable) -> NDArray[np.float32]:
    """Count each row's characters, (n_rows,)."""
    return _arrays.get((table.key, "length"), lambda: character_counts(_pieces(table)).astype(np.float32))


def norms_of_rows(table: ShownTable) -> NDArray[np.float32]:
    """Measure each row's length, (n_rows,)."""
    return _arrays.get((table.key, "norm"), lambda: row_norms(table.vectors).float().cpu().numpy())


def landmarks(table: ShownTable) -> NDArray[np.int64]:
    """Rank rows by how well their names serve to find one's way, (n_rows,): words first, each in the table's order."""

    def rank() -> NDArray[np.int64]:
        word = (kinds_of_rows(table) == list(KINDS).index("word_start")) & (lengths_of_rows(table) >= _WORD)
        order = np.argsort(~word, kind="stable")
        places = np.empty(len(order), dtype=np.int64)
        places[order] = np.arange(len(order))
        return places

    return _arrays.get((table.key, "landmarks"), rank)


def similarities(table: ShownTable, row: int, metric: str) -> NDArray[np.float32]:
    """Measure how alike every row is to one, (n_rows,); the greater the more alike."""
    return _arrays.get(
        (table.key, "similar", row, metric), lambda: likeness_to(table.vectors, table.rows([row])[0], metric).numpy()
    )


def neighbours_of(table: ShownTable, row: int, metric: str) -> Neighbours:
    """Find a row's nearest others in the full space."""

    def find() -> Neighbours:
        return nearest_neighbours(
            table.vectors,
            table.rows([row]),
            min(NEIGHBOURS, table.n_rows - 1),
            metric,
            exclude=[row],
            row_norms=torch.from_numpy(norms_of_rows(table)),
        )

    return _found.get((table.key, row, metric), find)


def _numbered(table: ShownTable, name: str, order: list[str], tell: Any) -> NDArray[np.int64]:
    number = {key: index for index, key in enumerate(order)}
    return _arrays.get(
        (table.key, name), lambda: np.array([number[found] for found in tell(_pieces(table))], dtype=np.int64)
    )


def _pieces(table: ShownTable) -> list[bytes]:
    names = table.names
    return list(names.pieces) if names.pieces is not None else token_bytes_of(names.texts)
