"""Parquet files: numbers in columns of their own, or in one column of lists, and columns of text as labels.

How much a file announces to hold is read from its footer here: PyArrow tells the same, but its 26.0.1 ends the whole
process when asked for the columns of some damaged footers.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from embedlib.tables.checks import chosen
from embedlib.tables.errors import TableError
from embedlib.tables.layout import LABEL_HEADINGS, label_name
from embedlib.tables.table import Limits, Parts, TableFile, TableNote

BATCH = 2**22  # numbers read in one go
USUAL = ("embedding", "embeddings", "vector", "vectors")
PANDAS_INDEX = "__index_level_"
MAGIC = b"PAR1"
LONGEST_FOOTER = 16 * 2**20  # bytes; 65,000 columns take 7 MB
MOST_VALUES = 4_500_000  # of a footer: true ones take 4 bytes each, made-up ones one, and 100 in memory
# Places in the footer's structures, by the format's definition.
ROW_GROUPS, COLUMNS, ABOUT_COLUMN, NUM_VALUES, UNPACKED_SIZE = 4, 1, 3, 5, 6
# Thrift's compact types.
TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)


def announced(stream: BinaryIO, size: int) -> tuple[int, int]:
    """Add up how many values the columns of all row groups announce, and how many bytes their pages have when unpacked.

    A value that repeats takes next to nothing in a page: the first number tells what the table takes in memory, the
    second does not. A ValueError says that there is no footer, or a damaged one.

    Source: https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift and
        https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
    """
    stream.seek(max(0, size - 8))
    end = stream.read(8)
    length = int.from_bytes(end[:4], "little")
    if end[4:] != MAGIC or length > min(size - 12, LONGEST_FOOTER):
        raise ValueError("no footer")
    stream.seek(size - 8 - length)
    try:
        groups = _Footer(stream.read(length)).struct()[ROW_GROUPS]
        about = [column[ABOUT_COLUMN] for group in groups for column in group[COLUMNS]]
        values, unpacked = [entry[NUM_VALUES] for entry in about], [entry[UNPACKED_SIZE] for entry in about]
        if min([*values, *unpacked], default=0) < 0:
            raise ValueError("a negative size")
        return sum(values), sum(unpacked)
    except (IndexError, KeyError, TypeError, RecursionError) as error:
        raise ValueError("a damaged footer") from error


class _Footer:
    """Bytes of Thrift's compact protocol, read from the first to the last; IndexError where they end too soon."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = self._values = 0

    def struct(self) -> dict[int, Any]:
        fields: dict[int, Any] = {}
        field = 0
        while head := self._byte():
            field = field + (head >> 4) if head >> 4 else self._zigzag()
            fields[field] = self._value(head & 15)
        return fields

    def _value(self, kind: int) -> Any:
        self._values += 1
        if self._values > MOST_VALUES:
            raise IndexError
        if kind in (TRUE, FALSE):  # a field's type says it
            return kind == TRUE
        if kind in (I16, I32, I64):
            return self._zigzag()
        if kind == STRUCT:
            return self.struct()
        if kind in (LIST, SET):
            head = self._byte()
            count = head >> 4 if head >> 4 < 15 else self._varint()
            return [self._item(head & 15) for _ in range(count)]
        if kind == MAP:
            count = self._varint()
            kinds = self._byte() if count else 0
            return [(self._item(kinds >> 4), self._item(kinds & 15)) for _ in range(count)]
        return self._skip({BYTE: 1, DOUBLE: 8}[kind] if kind != BINARY else self._varint())

    def _item(self, kind: int) -> Any:
        return self._byte() if kind in (TRUE, FALSE) else self._value(kind)  # in a list a truth value takes a byte

    def _skip(self, count: int) -> None:
        self._place += count
        if self._place > len(self._data):
            raise IndexError

    def _byte(self) -> int:
        self._place += 1
        return self._data[self._place - 1]

    def _varint(self) -> int:
        number, shift = 0, 0
        while shift < 64:
            byte = self._byte()
            number |= (byte & 127) << shift
            if byte < 128:
                return number
            shift += 7
        raise IndexError

    def _zigzag(self) -> int:
        number = self._varint()
        return (number >> 1) ^ -(number & 1)


@dataclass(slots=True)
class Kinds:
    """The names of a file's columns by what they hold."""

    numbers: list[str] = field(default_factory=list)
    lists: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)


def read_parquet(file: TableFile, limits: Limits, choice: str | None) -> Parts:
    """Read the numbers and the texts of a .parquet."""
    from pyarrow import parquet

    with _opened(file) as stream:
        n_values, unpacked = announced(stream, file.size())
        limits.check_bytes(file.name, unpacked)
        stream.seek(0)
        kinds = _kinds(parquet.read_schema(stream))
        stream.seek(0)
        # Texts that repeat stay one text each: a small file could hold a long one a million times.
        with parquet.ParquetFile(stream, read_dictionary=kinds.texts) as opened:
            limits.check_rows(file.name, opened.metadata.num_rows)
            limits.check_columns(file.name, opened.metadata.num_columns)
            limits.check_bytes(file.name, 4 * n_values)
            step = BATCH * opened.metadata.num_rows // max(1, n_values)
            return _read(opened, kinds, file.name, limits, choice, max(1, step))


@contextmanager
def _opened(file: TableFile) -> Iterator[BinaryIO]:
    """Open a file, and call damaged what neither pyarrow nor we can read in it."""
    from pyarrow.lib import ArrowException

    with file.open() as stream:
        try:
            yield stream
        except TableError:
            raise
        except (ArrowException, OSError, ValueError, LookupError) as error:
            raise TableError("damaged", file=file.name, format=".parquet") from error


class OpenedParquet:
    """The vectors of an open .parquet, read by row groups."""

    def __init__(self, opened: Any, sources: list[str], file: str, *, in_lists: bool) -> None:
        self._opened, self._sources, self._file, self._in_lists = opened, sources, file, in_lists
        about = opened.metadata
        self.group_rows = [about.row_group(group).num_rows for group in range(about.num_row_groups)]

    def blocks(self, groups: Iterable[int], n_rows: int) -> Iterator[NDArray[np.float32]]:
        """Yield the rows of some row groups, (up to n_rows, d_model); all of one width."""
        wanted, width = list(groups), None
        start = sum(self.group_rows[: wanted[0]]) if wanted else 0
        batches = self._opened.iter_batches(n_rows, row_groups=wanted, columns=self._sources, use_threads=False)
        for batch in batches:
            block = _block(batch, self._sources, start, self._file, in_lists=self._in_lists)
            width = width or block.shape[1]
            if block.shape[1] != width:
                raise TableError("ragged_rows", file=self._file, row=start, found=block.shape[1], expected=width)
            yield block
            start += len(block)


@contextmanager
def opened_parquet(file: TableFile, choice: str | None) -> Iterator[OpenedParquet]:
    """Open a .parquet of any size to read its vectors in pieces; no limit but a piece's own applies."""
    from pyarrow import parquet

    with _opened(file) as stream:
        announced(stream, file.size())
        stream.seek(0)
        with parquet.ParquetFile(stream) as opened:
            kinds = _kinds(opened.schema_arrow)
            sources = kinds.numbers
            if kinds.lists:
                sources = [chosen(file.name, kinds.lists, kinds.lists, choice, usual=USUAL)[0]]
            if not sources:
                raise TableError("no_table", file=file.name, names=tuple([*kinds.texts, *kinds.others]))
            yield OpenedParquet(opened, sources, file.name, in_lists=bool(kinds.lists))


def _kinds(schema: Any) -> Kinds:
    """Sort the columns; a whole number with the name of a label, such as an index, is text."""
    from pyarrow import types

    kinds = Kinds()
    for entry in schema:
        kind = entry.type
        if _is_real(kind):
            label = entry.name.startswith(PANDAS_INDEX) or entry.name.strip().lower() in LABEL_HEADINGS
            (kinds.texts if label and types.is_integer(kind) else kinds.numbers).append(entry.name)
        elif hasattr(kind, "value_field") and _is_real(kind.value_type):
            kinds.lists.append(entry.name)
        else:
            inner = kind.value_type if types.is_dictionary(kind) else kind
            text = types.is_string(inner) or types.is_large_string(inner)
            (kinds.texts if text else kinds.others).append(entry.name)
    return kinds


def _is_real(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_floating(kind) or types.is_integer(kind))


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
    from pyarrow import compute

    (name,) = sources
    lists = batch.column(name)
    if lists.null_count:
        raise TableError("missing_value", file=file, row=start + _first_null(lists), column=name)
    widths = compute.list_value_length(lists).to_numpy()
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
