"""Text tables, .csv and .tsv, with a heading and a column of labels or without, and files of labels alone.

The first lines tell what the columns are. PyArrow then reads all numbers as float32 at once; where it gives up, a slow
second reading, line by line, finds what is wrong.
"""

import codecs
import csv
import io
from collections import deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from embedlib.tables.errors import TableError
from embedlib.tables.table import Limits, Parts, TableFile

if TYPE_CHECKING:
    from _csv import Reader

SNIFFED = 4 * 2**20  # bytes; also the longest line there may be
SNIFFED_LINES = 200
UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# Headings that tell a label from a number, in lower case; "" is what pandas writes above its index.
LABEL_HEADINGS = frozenset(
    {"", "char", "id", "index", "key", "label", "labels", "name", "position", "row", "string", "text", "title", "token"}
    | {"tokens", "word", "words"}
)
FEWEST_COUNTED = 4  # columns that a heading 0, 1, 2, … must have: fewer could be a row of numbers


@dataclass(frozen=True, slots=True)
class Dialect:
    """How cells are told apart; a quoted cell, in double quotes, may hold delimiters and line ends."""

    delimiter: str
    quoted: bool


TABS = Dialect("\t", quoted=False)  # as the projector has it: a word such as " is itself


@dataclass(frozen=True, slots=True)
class Layout:
    """What the columns are.

    Attributes:
        names: one per column, all different; those of the heading, or "column 1" and so on.
        heading: whether the first line holds the names.
        numeric: for each column, whether at least half of its first cells are numbers; where it may hold labels such as
            "7", the first and those with a label's heading, more than half.
        labelled: whether the heading calls the first column a label, whatever it holds.
    """

    names: list[str]
    heading: bool
    numeric: list[bool]
    labelled: bool

    @property
    def numbers(self) -> list[int]:
        """Which columns hold numbers."""
        return [column for column, numeric in enumerate(self.numeric) if numeric and (column or not self.labelled)]

    def with_numbers(self, names: Collection[str]) -> "Layout":
        """Return the layout in which the columns of these names hold numbers besides those that do."""
        numeric = [known or name in names for name, known in zip(self.names, self.numeric, strict=True)]
        return replace(self, numeric=numeric)


def is_number(cell: str) -> bool:
    """Tell whether a cell is a number as the fast reader takes it: decimal, "nan" or "inf", without underscores."""
    try:
        float(cell)
    except ValueError:
        return False
    return "_" not in cell and cell.isascii()


def cells_of(lines: Iterable[str], dialect: Dialect) -> "Reader":
    """Cut lines into cells; the reader's line_num is the number of lines taken so far."""
    return csv.reader(
        lines, delimiter=dialect.delimiter, quoting=csv.QUOTE_MINIMAL if dialect.quoted else csv.QUOTE_NONE
    )


def first_lines(stream: BinaryIO, file: str, dialect: Dialect | None) -> tuple[list[list[str]], Dialect]:
    """Read the cells of the first lines that are not empty, at most SNIFFED_LINES.

    Without a dialect the delimiter is the first of comma, semicolon and tab that the first line holds.
    """
    data = stream.read(SNIFFED)
    if data.startswith(UTF16):
        raise TableError("not_utf8", file=file, line=1)
    cut = len(data) == SNIFFED
    end = max(data.rfind(b"\n"), data.rfind(b"\r")) if cut else len(data)
    if end < 0:
        raise TableError("long_line", file=file, limit_mb=SNIFFED / 1e6)
    # What is no UTF-8 is said when the whole is read.
    text = data[:end].decode("utf-8", "replace").removeprefix("\ufeff")
    if dialect is None:
        first = text.split("\n", 1)[0]
        dialect = Dialect(next((sign for sign in ",;\t" if sign in first), ","), quoted=True)
    reader = cells_of(io.StringIO(text, newline=""), dialect)
    try:
        rows = list(islice(filter(None, reader), SNIFFED_LINES))
    except csv.Error as error:
        raise TableError("bad_text", file=file, line=max(1, reader.line_num)) from error
    return rows[:-1] if cut and 1 < len(rows) < SNIFFED_LINES else rows, dialect  # the last may be cut inside a cell


def layout_of(rows: list[list[str]]) -> Layout:
    """Tell what the columns are from the first lines."""
    first, rest = rows[0], rows[1:] or rows
    share = [_share_of_numbers(rest, column) for column in range(len(first))]
    mostly = [part > 0.5 for part in share]
    heading = len(rows) > 1 and (
        any(most and not is_number(cell) for most, cell in zip(mostly, first, strict=True)) or _counts(first)
    )
    names = first if heading else [f"column {column + 1}" for column in range(len(first))]
    label = [name.strip().lower() in LABEL_HEADINGS for name in names]
    numeric = [part > 0.5 if column == 0 or label[column] else part >= 0.5 for column, part in enumerate(share)]
    return Layout(list(different(names)), heading, numeric, label[0])


def label_name(names: list[str]) -> str | None:
    """Tell which of some columns of text holds the labels: the first with the name of one, else the first."""
    usual = [name for name in names if name.strip().lower() in LABEL_HEADINGS]
    return next(iter(usual or names), None)


def _share_of_numbers(rows: list[list[str]], column: int) -> float:
    cells = [cells[column] for cells in rows if column < len(cells)]
    return sum(map(is_number, cells)) / max(1, len(cells))


def _counts(first: list[str]) -> bool:
    """Tell whether a line is the heading that pandas gives a matrix: 0, 1, 2, …, after the index's own or without."""
    counted = [str(column) for column in range(len(first))]
    return len(first) >= FEWEST_COUNTED and (
        first == counted or (first[1:] == counted[:-1] and not is_number(first[0]))
    )


def different(names: Iterable[str]) -> Iterator[str]:
    """Yield the names, with a number behind each that was there before."""
    seen: dict[str, int] = {}
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        yield name if seen[name] == 1 else f"{name} ({seen[name]})"


def check_lines(stream: BinaryIO, file: str, layout: Layout, dialect: Dialect) -> None:
    """Raise for the first thing that is wrong in a text table, with its line, counted from 1."""
    reader = cells_of(_decoded(stream, file), dialect)
    heading, expected = layout.heading, len(layout.names)
    numbers = [column for column in layout.numbers if column]  # the first one may hold labels
    line = 1
    try:
        for cells in reader:
            if cells and len(cells) != expected:
                raise TableError("ragged_line", file=file, line=line, found=len(cells), expected=expected)
            if cells and not heading:
                for column in numbers:
                    if not is_number(cells[column]):
                        raise TableError("no_number", file=file, cell=cells[column], line=line, column=column + 1)
            heading = heading and not cells
            line = reader.line_num + 1
    except csv.Error as error:
        raise TableError("bad_text", file=file, line=line) from error


def first_without_number(cells: list[str]) -> int | None:
    """Find the first cell that is no number, in a column of numbers; None where most cells are none."""
    without = [row for row, cell in enumerate(cells) if not is_number(cell)]
    return without[0] if without and len(without) * 2 < len(cells) else None


def _decoded(stream: BinaryIO, file: str) -> Iterator[str]:
    for line, data in enumerate(stream, start=1):
        if len(data) > SNIFFED:
            raise TableError("long_line", file=file, limit_mb=SNIFFED / 1e6)
        try:
            yield data.decode("utf-8-sig" if line == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise TableError("not_utf8", file=file, line=line) from error


def read_csv(file: TableFile, limits: Limits, choice: str | None) -> Parts:
    """Read a .csv: cells between commas, semicolons or tabs, in quotes where they need them."""
    del choice  # it holds one table
    return _read(file, limits, None)


def read_tsv(file: TableFile, limits: Limits, choice: str | None) -> Parts:
    """Read a .tsv: cells between tabs, without quotes; all of them numbers, or labels among them."""
    del choice
    return _read(file, limits, TABS)


def _read(file: TableFile, limits: Limits, dialect: Dialect | None) -> Parts:
    from pyarrow.lib import ArrowInvalid

    with file.open() as stream:
        rows, dialect = first_lines(stream, file.name, dialect)
        if not rows:
            raise TableError("empty_file", file=file.name)
        layout = layout_of(rows)
        limits.check_columns(file.name, len(layout.names))
        stream.seek(0)
        if not layout.numbers:
            deque(_decoded(stream, file.name), maxlen=0)  # bytes that are no text are no labels either
            raise TableError("vectors_missing", file=file.name)
        try:
            vectors, texts = _columns(stream, file, limits, layout, dialect)
        except ArrowInvalid as error:
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
    import pyarrow
    from pyarrow import csv as reader

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
    import pyarrow
    from pyarrow import compute

    cells = texts[0]
    try:
        first = compute.cast(pyarrow.array(cells, pyarrow.string()), pyarrow.float32()).to_numpy()
    except pyarrow.lib.ArrowInvalid:
        row = first_without_number(cells)
        if row is None:
            return vectors, texts
        line = row + 1 + layout.heading
        raise TableError("no_number", file=file.name, cell=cells[row], line=line, column=1) from None
    rest = {column: cells for column, cells in texts.items() if column}
    return np.column_stack([first, vectors]), rest


def read_metadata(file: TableFile, limits: Limits) -> Parts:
    """Read labels: one column has no heading; of several, the heading may tell which is the label, else the first."""
    with file.open() as stream:
        data = stream.read()
    if data.startswith(UTF16):
        raise TableError("not_utf8", file=file.name, line=1)
    try:
        text = data.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as error:
        raise TableError("not_utf8", file=file.name, line=data.count(b"\n", 0, error.start) + 1) from error
    lines = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")
    limits.check_rows(file.name, len(lines) - 1)  # one may be the heading
    if "\t" not in lines[0]:
        return Parts(labels=lines)
    names, *rows = (line.split("\t") for line in lines)
    limits.check_columns(file.name, len(names))
    for line, cells in enumerate(rows, start=2):
        if len(cells) != len(names):
            raise TableError("ragged_line", file=file.name, line=line, found=len(cells), expected=len(names))
    columns = {name: [cells[column] for cells in rows] for column, name in enumerate(different(names))}
    label = label_name(list(columns))
    assert label is not None  # there are two columns at least
    return Parts(labels=columns.pop(label), columns=columns)


def which_is_metadata(one: TableFile, other: TableFile) -> tuple[TableFile, TableFile]:
    """Return the file of vectors and that of labels, in whichever order the two come."""
    files = (one, other)
    texts = [file for file in files if file.extension == ".tsv"]
    if len(texts) < 2:
        if not texts:
            raise TableError("two_tables", file=one.name, other=other.name)
        return (other if texts[0] is one else one), texts[0]
    numbers = [_n_numbers(file) for file in files]
    if numbers[0] == numbers[1]:
        if not numbers[0]:
            raise TableError("vectors_missing", file=one.name)
        raise TableError("two_tables", file=one.name, other=other.name)
    return (one, other) if numbers[0] > numbers[1] else (other, one)


def _n_numbers(file: TableFile) -> float:
    """Count the columns of numbers; infinitely many where all of several are, which no file of labels has."""
    with file.open() as stream:
        rows, _ = first_lines(stream, file.name, TABS)
    if not rows:
        raise TableError("empty_file", file=file.name)
    if len(rows[0]) > 1 and all(map(is_number, rows[0])):
        return float("inf")
    return len(layout_of(rows).numbers)
