"""Parquet files: vectors in one column, or numbers in columns of their own, and columns of text as labels."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embedlib.tables.checks import choose_table, usual_name, value_error
from embedlib.tables.errors import TableError
from embedlib.tables.layout import LABEL_COLUMNS, deduplicate_names, label_name
from embedlib.tables.table import Limits, Parts, TableFile, TableNote

BATCH = 2**22  # numbers read in one go
SAMPLE = 64  # rows that tell what the columns are
USUAL = ("embedding", "embeddings", "vector", "vectors")
PANDAS_INDEX = "__index_level_"


def read_parquet(file: TableFile, limits: Limits, choice: str | None) -> Parts:
    """Read the vectors and the texts of a .parquet."""
    with open_parquet(file, choice, limits) as table:
        vectors = np.empty((table.n_rows, table.d_model), np.float32)
        columns: dict[str, list[str]] = {name: [] for name in table.texts}
        start = text_bytes = 0
        for block, texts in table.blocks(max(1, BATCH // max(1, table.d_model)), texts=table.texts):
            text_bytes += sum(values.nbytes for values in texts)
            limits.check_bytes(file.name, text_bytes)
            vectors[start : start + len(block)] = block
            for cells, values in zip(columns.values(), texts, strict=True):
                cells += map(_text, values.to_pylist())
            start += len(block)
        if start != table.n_rows:
            raise ValueError("fewer rows than announced")
        return Parts(vectors, columns.pop(table.label) if table.label is not None else None, columns, table.notes)


@contextmanager
def open_parquet(file: TableFile, choice: str | None, limits: Limits) -> Iterator["ParquetTable"]:
    """Open a .parquet to read it in blocks."""
    from pyarrow import parquet

    # Without pre_buffer and threads nothing is read ahead, and no thread is started.
    with file.open() as stream, parquet.ParquetFile(stream, pre_buffer=False) as opened:
        yield ParquetTable(file.name, opened, choice, limits)


class ParquetTable:
    """An open .parquet, read in blocks of rows, with its columns of vectors and of text.

    Attributes:
        n_rows: as announced.
        group_rows: number of rows of each row group.
        texts: names of the columns of text.
        label: the one that holds the labels; None without texts.
    """

    def __init__(self, file: str, opened: Any, choice: str | None, limits: Limits) -> None:
        about, schema = opened.metadata, opened.schema_arrow
        self._file, self._opened, self._fields = file, opened, schema.names
        groups = [about.row_group(group) for group in range(about.num_row_groups)]
        self.n_rows, self.group_rows = about.num_rows, [group.num_rows for group in groups]
        limits.check_shape(file, (self.n_rows, about.num_columns), 0)
        limits.check_bytes(file, sum(group.total_byte_size for group in groups))
        self._names = list(deduplicate_names(schema.names))  # two columns may have one name
        types = dict(zip(self._names, schema.types, strict=True))
        sample = next(opened.iter_batches(SAMPLE, use_threads=False), None)
        if sample is None or not len(sample):
            raise TableError("shape", file=file, found=f"{len(types)} columns, no rows")
        fields = zip(self._names, self._fields, sample.columns, strict=True)
        self._roles = {name: _role(field, values) for name, field, values in fields}
        self.notes: list[TableNote] = []
        self._vectors = self._choose_vectors(choice, types)
        labels, texts, numbers = map(self._columns_with_role, ("label", "text", "number"))
        self.texts = [*labels, *texts, *(numbers if self._vectors != numbers else [])]
        self.label = label_name([name for name in self._names if name in {*labels, *texts}])
        others = {*self._columns_with_role("other"), *self._columns_with_role("bytes")} - {*self._vectors}
        if others:
            left_out = tuple(f"{name} ({types[name]})" for name in self._names if name in others)
            self.notes.append(TableNote("left_out", {"names": left_out}))
        columns = dict(zip(self._names, sample.columns, strict=True))
        self.d_model = self._matrix(columns, 0).shape[1]
        limits.check_shape(file, (self.n_rows, self.d_model))

    def blocks(
        self, n_rows: int, groups: Iterable[int] | None = None, texts: Iterable[str] = ()
    ) -> Iterator[tuple[NDArray[np.float32], list[Any]]]:
        """Yield the vectors of some row groups, (up to n_rows, d_model), with columns of text as Arrow's arrays."""
        groups, texts = list(range(len(self.group_rows)) if groups is None else groups), list(texts)
        start = sum(self.group_rows[: groups[0]]) if groups else 0
        names: dict[str, list[str]] = {}  # of a field: a file's columns may have one
        for name, field in zip(self._names, self._fields, strict=True):
            names.setdefault(field, []).append(name)
        selected = [field for field, same in names.items() if {*same} & {*self._vectors, *texts}]
        for batch in self._opened.iter_batches(n_rows, row_groups=groups, columns=selected, use_threads=False):
            rest = {field: iter(same) for field, same in names.items()}
            columns = {
                next(rest[field.name]): values for field, values in zip(batch.schema, batch.columns, strict=True)
            }
            block = self._matrix(columns, start)  # (n_batch, d_model)
            if block.shape[1] != self.d_model:
                width, expected = block.shape[1], self.d_model
                raise TableError("ragged", file=self._file, row=start + 1, found=width, expected=expected)
            yield block, [columns[name] for name in texts]
            start += len(block)

    def _columns_with_role(self, role: str) -> list[str]:
        return [name for name, other in self._roles.items() if other == role]

    def _choose_vectors(self, choice: str | None, types: dict[str, Any]) -> list[str]:
        """Return the column of vectors, else all columns of numbers."""
        vectors, numbers, as_bytes = map(self._columns_with_role, ("vector", "number", "bytes"))
        if not vectors and (len(numbers) < 2 or usual_name(as_bytes, USUAL)):
            vectors = as_bytes
        if vectors:
            name, notes = choose_table(self._file, vectors, choice, usual=USUAL)
            self.notes += notes
            if name in as_bytes:
                self.notes.append(TableNote("bytes", {"column": name}))
            return [name]
        if numbers:
            return numbers
        if {"text", "label"} & {*self._roles.values()}:
            raise TableError("labels", file=self._file, labels=self.n_rows, rows=0)
        found = ", ".join(f"{name} ({kind})" for name, kind in types.items())
        raise TableError("shape", file=self._file, found=found)

    def _matrix(self, columns: dict[str, Any], start: int) -> NDArray[np.float32]:
        """Join the vectors' columns as float32; `start` is the number of the first row."""
        return np.column_stack([_numbers(columns[name], self._file, name, start) for name in self._vectors])


def _role(name: str, values: Any) -> str:
    """Classify a column by its first rows: "number", "vector", "bytes" (of float32), "label", "text" or "other"."""
    from pyarrow import compute, types

    kind = values.type
    if types.is_dictionary(kind):
        values, kind = values.dictionary_decode(), kind.value_type
    if _is_real(kind):
        is_label = name.startswith(PANDAS_INDEX) or name.strip().lower() in LABEL_COLUMNS
        return "label" if is_label and types.is_integer(kind) else "number"
    if _is_vector(kind):
        return "vector"
    if _is_binary(kind):
        cells = [cell for cell in values.to_pylist() if cell is not None]
        width = len(cells[0]) if cells else 0
        if width >= 8 and width % 4 == 0 and all(len(cell) == width for cell in cells):
            if np.isfinite(np.frombuffer(b"".join(cells), "<f4")).all():
                return "bytes"
        return "text" if all(_text(cell).encode() == cell for cell in cells) else "other"
    if _is_text(kind):
        in_brackets = compute.match_substring_regex(_plain_text(values), r"(?s)^\s*\[[\s\[]*[-+.\d].*[,\s].*\]\s*$")
        return "vector" if compute.all(in_brackets).as_py() else "text"
    return "other"


def _is_real(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_floating(kind) or types.is_integer(kind) or types.is_decimal(kind))


def _is_binary(kind: Any) -> bool:
    from pyarrow import types

    tests = (types.is_binary, types.is_large_binary, types.is_binary_view, types.is_fixed_size_binary)
    return any(test(kind) for test in tests)


def _is_text(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def _is_vector(kind: Any) -> bool:
    """Return whether a type is a tensor, a struct of numbers, or lists of numbers or of such lists."""
    import pyarrow

    if isinstance(kind, pyarrow.FixedShapeTensorType):
        kind = kind.storage_type
    if isinstance(kind, pyarrow.StructType):
        return kind.num_fields > 1 and all(_is_real(kind.field(index).type) for index in range(kind.num_fields))
    if _is_list(kind) and _is_list(kind.value_type):
        kind = kind.value_type
    return _is_list(kind) and _is_real(kind.value_type)


def _is_list(kind: Any) -> bool:
    return hasattr(kind, "value_field")


def _plain_text(values: Any) -> Any:
    import pyarrow

    return values.cast(pyarrow.large_string())  # compute's functions do not take string_view


def _numbers(values: Any, file: str, name: str, start: int, per_row: int = 0) -> NDArray[np.float32]:
    """Read a column as float32, (n_rows,) or (n_rows, width); of the values in lists, `per_row` stand in one row."""
    import pyarrow
    from pyarrow import compute, types

    kind = values.type
    if values.null_count:
        row = int(np.argmax(values.is_null().to_numpy(zero_copy_only=False)))
        raise value_error(file, "null", start + row // max(1, per_row), name)
    if types.is_dictionary(kind):
        values, kind = values.dictionary_decode(), kind.value_type
    if isinstance(kind, pyarrow.BaseExtensionType):
        values, kind = values.storage, kind.storage_type
    if isinstance(kind, pyarrow.StructType):
        return np.column_stack([_numbers(field, file, name, start) for field in values.flatten()])
    if _is_binary(kind):
        cells = values.to_pylist()
        width = _width(np.array([len(cell) for cell in cells]), file, start)
        return np.frombuffer(b"".join(cells), "<f4").reshape(len(cells), width // 4)
    if _is_text(kind) and not per_row:  # JSON's or NumPy's text of a vector
        values = compute.split_pattern_regex(compute.utf8_trim(_plain_text(values), "[], \t\r\n"), r"[,\s]+")
        kind = values.type
    if _is_list(kind):
        widths = compute.list_value_length(values).to_numpy(zero_copy_only=False)
        width = _width(widths, file, start, max(1, per_row))
        numbers = _numbers(values.flatten(), file, name, start, max(1, per_row) * max(1, width))
        return numbers.reshape(len(values), numbers.size // len(values))
    if _is_text(kind):
        try:
            return values.cast(pyarrow.float32()).to_numpy()  # type: ignore[no-any-return]
        except pyarrow.ArrowInvalid as error:
            index, cell = next((index, cell) for index, cell in enumerate(values.to_pylist()) if not _is_number(cell))
            raise value_error(file, cell, start + index // per_row, name) from error
    if types.is_decimal(kind):
        values = values.cast(pyarrow.float64())
    with np.errstate(over="ignore"):  # too large ones become infinite, and are refused
        return values.to_numpy(zero_copy_only=False).astype(np.float32)  # type: ignore[no-any-return]


def _width(widths: NDArray[Any], file: str, start: int, per_row: int = 1) -> int:
    """Return how many numbers every row has, or raise."""
    uneven = np.flatnonzero(widths != widths[0])
    if len(uneven):
        row = start + int(uneven[0]) // per_row
        raise TableError("ragged", file=file, row=row + 1, found=int(widths[uneven[0]]), expected=int(widths[0]))
    return int(widths[0])


def _is_number(cell: str) -> bool:
    try:
        return bool(np.isfinite(float(cell)))
    except ValueError:
        return False


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)
