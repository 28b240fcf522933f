"""Parquet files: numbers in columns of their own, or in one column of lists, and columns of text as labels."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embedlib.tables.arrow import arrow
from embedlib.tables.choices import chosen
from embedlib.tables.errors import TableError
from embedlib.tables.layout import LABEL_HEADINGS, label_name
from embedlib.tables.parquet_footer import announced
from embedlib.tables.table import Limits, Parts, TableFile, TableNote

BATCH = 2**22  # numbers read in one go
USUAL = ("embedding", "embeddings", "vector", "vectors")
PANDAS_INDEX = "__index_level_"


@dataclass(slots=True)
class Kinds:
    """The names of a file's columns by what they hold."""

    numbers: list[str] = field(default_factory=list)
    lists: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)


def read_parquet(file: TableFile, limits: Limits, choice: str | None) -> Parts:
    """Read the numbers and the texts of a .parquet."""
    pyarrow, parquet = arrow(), arrow("parquet")
    with file.open() as stream:
        try:
            n_values, unpacked = announced(stream, file.size())
            limits.check_bytes(file.name, unpacked)
            stream.seek(0)
            kinds = _kinds(parquet.read_schema(stream))
            stream.seek(0)
            # Texts that repeat stay one text each: a small file could hold a long one a million times.
            with parquet.ParquetFile(stream, read_dictionary=kinds.texts) as opened:
                _check_size(file.name, opened.metadata, n_values, limits)
                step = BATCH * opened.metadata.num_rows // max(1, n_values)
                return _read(opened, kinds, file.name, limits, choice, max(1, step))
        except TableError:
            raise
        except (pyarrow.lib.ArrowException, OSError, ValueError, LookupError) as error:
            raise TableError("damaged", file=file.name, format=".parquet") from error


def _kinds(schema: Any) -> Kinds:
    """Sort the columns; a whole number with the name of a label, such as an index, is text."""
    types, found = arrow("types"), Kinds()
    for entry in schema:
        kind = entry.type
        if _is_real(kind):
            label = entry.name.startswith(PANDAS_INDEX) or entry.name.strip().lower() in LABEL_HEADINGS
            (found.texts if label and types.is_integer(kind) else found.numbers).append(entry.name)
        elif hasattr(kind, "value_field") and _is_real(kind.value_type):
            found.lists.append(entry.name)
        else:
            inner = kind.value_type if types.is_dictionary(kind) else kind
            text = types.is_string(inner) or types.is_large_string(inner)
            (found.texts if text else found.others).append(entry.name)
    return found


def _is_real(kind: Any) -> bool:
    types = arrow("types")
    return bool(types.is_floating(kind) or types.is_integer(kind))


def _check_size(file: str, about: Any, n_values: int, limits: Limits) -> None:
    """Refuse what the file itself says is over the limits, before any of it is unpacked."""
    limits.check_rows(file, about.num_rows)
    limits.check_columns(file, about.num_columns)
    limits.check_bytes(file, 4 * n_values)


def _read(opened: Any, kinds: Kinds, file: str, limits: Limits, choice: str | None, step: int) -> Parts:
    """Read so many rows at a time, since lists and texts may take much more memory than numbers."""
    notes: list[TableNote] = []
    sources, texts = kinds.numbers, list(kinds.texts)
    if kinds.lists:
        name, notes = chosen(file, kinds.lists, kinds.lists, choice, usual=USUAL)
        sources, texts = [name], [*texts, *kinds.numbers]
    if not sources:
        raise TableError("vectors_missing" if texts else "no_table", file=file, names=tuple(kinds.others))
    if kinds.others:
        notes.append(TableNote("left_out", {"names": tuple(kinds.others)}))
    n_rows = opened.metadata.num_rows
    columns: dict[str, list[str]] = {name: [] for name in texts}
    vectors, start = np.empty((n_rows, 0), np.float32), 0
    for batch in opened.iter_batches(step, columns=[*sources, *texts], use_threads=False):
        block = _block(batch, sources, start, file, in_lists=bool(kinds.lists))  # (n_batch, d_model)
        if not start:
            limits.check_shape(file, (n_rows, block.shape[1]))
            vectors = np.empty((n_rows, block.shape[1]), np.float32)
        if block.shape[1] != vectors.shape[1]:
            raise TableError("ragged_rows", file=file, row=start, found=block.shape[1], expected=vectors.shape[1])
        vectors[start : start + len(block)] = block
        for name, cells in columns.items():
            cells.extend(_texts(batch.column(name)))
        start += len(block)
    if start != n_rows:
        raise TableError("damaged", file=file, format=".parquet")
    label = label_name(kinds.texts)
    return Parts(vectors, columns.pop(label) if label is not None else None, columns, notes)


def _block(batch: Any, sources: list[str], start: int, file: str, *, in_lists: bool) -> NDArray[np.float32]:
    """Give the numbers of one batch as rows."""
    if not in_lists:
        block = np.empty((batch.num_rows, len(sources)), np.float32)
        for column, name in enumerate(sources):
            block[:, column] = _numbers(batch.column(name), start, name, file)
        return block
    (name,) = sources
    lists = batch.column(name)
    if lists.null_count:
        raise TableError("missing_value", file=file, row=start + _first_null(lists), column=name)
    widths = arrow("compute").list_value_length(lists).to_numpy()
    uneven = np.flatnonzero(widths != widths[0])
    if len(uneven):
        row = int(uneven[0])
        raise TableError("ragged_rows", file=file, row=start + row, found=int(widths[row]), expected=int(widths[0]))
    width = int(widths[0])
    return _numbers(lists.flatten(), start, name, file, per_row=width).reshape(len(lists), width)


def _numbers(values: Any, start: int, name: str, file: str, *, per_row: int = 1) -> NDArray[np.float32]:
    if values.null_count:
        raise TableError("missing_value", file=file, row=start + _first_null(values) // per_row, column=name)
    with np.errstate(over="ignore"):  # too large ones become infinite and are refused with all that is
        return values.to_numpy(zero_copy_only=False).astype(np.float32)  # type: ignore[no-any-return]


def _first_null(values: Any) -> int:
    return int(np.argmax(values.is_null().to_numpy(zero_copy_only=False)))


def _texts(values: Any) -> list[str]:
    """Give a column's texts; each different one is made once."""
    if hasattr(values, "dictionary"):
        different = ["" if text is None else text for text in values.dictionary.to_pylist()]
        return ["" if index is None else different[index] for index in values.indices.to_pylist()]
    return ["" if value is None else str(value) for value in values.to_pylist()]
