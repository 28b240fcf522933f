"""Text tables, .csv and .tsv: numbers read as float32 at once, a column of labels or none, a heading or none."""

from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from embedlib.tables.arrow import arrow
from embedlib.tables.complaints import check_lines, first_without_number
from embedlib.tables.errors import TableError
from embedlib.tables.layout import (
    SNIFFED,
    TABS,
    Dialect,
    Layout,
    first_lines,
    is_number,
    label_name,
    layout_of,
)
from embedlib.tables.table import Limits, Parts, TableFile


def read_csv(file: TableFile, limits: Limits, choice: str | None) -> Parts:
    """Read a .csv: cells between commas, semicolons or tabs, in quotes where they need them."""
    del choice  # it holds one table
    return _read(file, limits, None)


def read_tsv(file: TableFile, limits: Limits, choice: str | None) -> Parts:
    """Read a .tsv: cells between tabs, without quotes; all of them numbers, or labels among them."""
    del choice
    return _read(file, limits, TABS)


def _read(file: TableFile, limits: Limits, dialect: Dialect | None) -> Parts:
    with file.open() as stream:
        rows, dialect = first_lines(stream, file.name, dialect)
        if not rows:
            raise TableError("empty_file", file=file.name)
        layout = layout_of(rows)
        limits.check_columns(file.name, len(layout.names))
        if not layout.numbers:
            raise TableError("vectors_missing", file=file.name)
        stream.seek(0)
        try:
            vectors, texts = _columns(stream, file, limits, layout, dialect)
        except arrow("lib").ArrowInvalid as error:
            stream.seek(0)
            check_lines(stream, file.name, layout, dialect)
            raise TableError("bad_text", file=file.name, line=1) from error
        if 0 in texts and 0 in layout.numbers:  # the first column was read as text, to see whether all of it is numbers
            vectors, texts = _with_first_column(vectors, texts, file, layout)
        named = {layout.names[column]: cells for column, cells in texts.items()}
        label = label_name(list(named))
        if vectors.shape[1] < 2:  # too few to be a table: a column that holds some numbers was meant to hold them only
            meant = [name for name, cells in named.items() if name != label and any(map(is_number, cells))]
            stream.seek(0)
            check_lines(stream, file.name, layout.with_numbers(meant), dialect)
    return Parts(vectors, named.pop(label) if label is not None else None, named)


def _columns(
    stream: BinaryIO, file: TableFile, limits: Limits, layout: Layout, dialect: Dialect
) -> tuple[NDArray[np.float32], dict[int, list[str]]]:
    """Read block by block: the numbers of all numeric columns but the first, and the others as text."""
    numeric = [column for column in layout.numbers if column]
    texts: dict[int, list[str]] = {column: [] for column in range(len(layout.names)) if column not in set(numeric)}
    # A number takes two bytes at least, with what is behind it. Memory that is not written to is not taken.
    most = min(file.size() // (2 * max(1, len(numeric))) + 2, limits.rows + 1)
    vectors = np.empty((most, len(numeric)), np.float32)
    n_rows = 0
    with _batches(stream, layout, dialect, numeric) as batches:
        for batch in batches:
            stop = n_rows + batch.num_rows
            limits.check_shape(file.name, (stop, len(numeric)))
            for column, source in enumerate(numeric):
                vectors[n_rows:stop, column] = batch.column(source).to_numpy()
            for source, cells in texts.items():
                cells.extend(batch.column(source).to_pylist())
            n_rows = stop
    return vectors[:n_rows], texts


def _batches(stream: BinaryIO, layout: Layout, dialect: Dialect, numeric: list[int]) -> Any:
    """Open a reader of blocks of rows; one thread, since only then rows come in order without a queue of them."""
    pyarrow, reader = arrow(), arrow("csv")
    names = [str(column) for column in range(len(layout.names))]
    types = dict.fromkeys(names, pyarrow.string()) | {str(column): pyarrow.float32() for column in numeric}
    return reader.open_csv(
        stream,
        reader.ReadOptions(
            column_names=names, skip_rows_after_names=int(layout.heading), block_size=SNIFFED, use_threads=False
        ),
        reader.ParseOptions(
            delimiter=dialect.delimiter,
            quote_char='"' if dialect.quoted else False,
            double_quote=dialect.quoted,
            newlines_in_values=dialect.quoted,
        ),
        reader.ConvertOptions(column_types=types, null_values=[], strings_can_be_null=False),
    )


def _with_first_column(
    vectors: NDArray[np.float32], texts: dict[int, list[str]], file: TableFile, layout: Layout
) -> tuple[NDArray[np.float32], dict[int, list[str]]]:
    """Put the first column before the others where it holds numbers; words among which are numbers are labels."""
    pyarrow, cells = arrow(), texts[0]
    try:
        first = arrow("compute").cast(pyarrow.array(cells, pyarrow.string()), pyarrow.float32()).to_numpy()
    except pyarrow.lib.ArrowInvalid:
        row = first_without_number(cells)
        if row is None:
            return vectors, texts
        line = row + 1 + layout.heading
        raise TableError("no_number", file=file.name, cell=cells[row], line=line, column=1) from None
    rest = {column: cells for column, cells in texts.items() if column}
    return np.column_stack([first, vectors]), rest
