"""Text tables of any separator and encoding, with or without a header and labels, and files of labels alone.

The first rows show the layout (layout.py). PyArrow then reads all numbers as float32 at once; a table beyond it, with
"1,000", labels with spaces or lists in cells, is read row by row, which also locates errors.
"""

import codecs
import csv
import io
import re
import tempfile
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from embedlib.tables.checks import LARGEST, choose_table
from embedlib.tables.errors import TableError
from embedlib.tables.layout import (
    TablePlan,
    TextLayout,
    deduplicate_names,
    is_missing,
    join_label,
    label_name,
    parse_number,
    plan_table,
    split_rows,
    vector_cells,
)
from embedlib.tables.table import Limits, Parts, TableFile, TableNote

MEASURED = re.compile(r"\s*[+-]?\d", re.ASCII)
BLOCK = 4 * 2**20  # bytes; also the longest line that PyArrow reads
SNIFFED_LINES = 1_000
USUAL_VECTORS = ("embedding", "embeddings", "vector", "vectors")
METADATA_EXTENSIONS = (".tsv", ".txt")
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16's, which it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def read_text(file: TableFile, limits: Limits, choice: str | None, layout: TextLayout | None = None) -> Parts:
    """Read a table of numbers, or of lists of numbers, from text; the rest of `layout` is detected."""
    with utf8_stream(file, limits, layout.encoding if layout else None) as (stream, encoding):
        start, lines = _first_lines(stream)
        try:
            given = replace(layout or TextLayout(), encoding=encoding)
            plan = plan_table(lines, given, partial(limits.check_columns, file.name))
            if plan is None:
                raise TableError("shape", file=file.name, found="0 rows")
            if given.label_column not in (None, plan.layout.label_column):
                raise TableError("choose", file=file.name, choices=tuple(plan.names))
            start += len("".join(lines[: plan.skipped]).encode())
            if plan.numbers and (table := _read_with_arrow(stream, start, plan, file.name, limits)):
                return _sort_texts(plan, *table, [])
            with closing(_rows(stream, start, plan)) as rows:
                return read_rows(rows, plan, file.name, limits, choice)
        except csv.Error as error:
            raise TableError("damaged", file=file.name, format="text") from error


def read_rows(
    rows: Iterable[tuple[int, list[str]]], plan: TablePlan, file: str, limits: Limits, choice: str | None
) -> Parts:
    """Read a table row by row; errors name rows by the numbers that come with them."""
    if not plan.numbers and not plan.vectors:
        n_rows = 0
        for line, cells in rows:
            n_rows += 1
            for name, cell in zip(plan.names[1:], cells[1:], strict=False):
                if MEASURED.match(cell):  # a number with its unit, or a date
                    raise TableError("value", file=file, value=cell, row=line, column=name)
        if n_rows < 2:
            raise TableError("no_rows", file=file)
        raise TableError("labels", file=file, labels=n_rows, rows=0)
    notes: list[TableNote] = []
    column = None
    if plan.vectors:
        name, notes = choose_table(file, [plan.names[source] for source in plan.vectors], choice, usual=USUAL_VECTORS)
        column = plan.names.index(name)
    return _sort_texts(plan, *_parse_rows(rows, plan, column, file, limits), notes)


def _sort_texts(
    plan: TablePlan, vectors: NDArray[np.float32], texts: dict[int, list[str]], notes: list[TableNote]
) -> Parts:
    """Split texts into labels and further columns, and note the columns that give no dimension."""
    if plan.announced not in (None, len(vectors)):
        notes.append(TableNote("announced_rows", {"announced": plan.announced, "rows": len(vectors)}))
    empty = {column for column in plan.doubtful if all(map(is_missing, texts[column]))}
    last = len(plan.names) - 1
    for code, columns in (
        # A separator at each line's end makes no column.
        ("empty_columns", {c for c in empty if c != last or c not in plan.unnamed or any(texts[c])}),
        ("further_columns", ({*texts} - {plan.label} | plan.doubtful) - empty),
    ):
        if columns:
            notes.append(TableNote(code, {"names": tuple(plan.names[column] for column in sorted(columns))}))
    named = {plan.names[column]: cells for column, cells in texts.items() if column not in empty}
    label = plan.layout.label_column
    return Parts(vectors, named.pop(label) if label else None, named, notes, plan.layout)


@contextmanager
def utf8_stream(file: TableFile, limits: Limits, encoding: str | None = None) -> Iterator[tuple[BinaryIO, str]]:
    """Open a text file as bytes of UTF-8, with its original encoding; a file in another is copied."""
    with file.open() as stream:
        found, errors = (encoding, "strict") if encoding else _find_encoding(stream)
        if found is None:
            raise TableError("damaged", file=file.name, format="text")
        stream.seek(0)
        if encoding is None and (found, errors) == ("utf-8", "strict"):
            yield stream, found
            return
        with tempfile.TemporaryFile() as copy:
            reader = codecs.getreader(found)(stream, errors)
            try:
                while text := reader.read(BLOCK):
                    copy.write(text.encode())
                    limits.check_bytes(file.name, copy.tell())
            except UnicodeError as error:
                raise TableError("damaged", file=file.name, format="text") from error
            copy.seek(0)
            yield copy, found


def _find_encoding(stream: BinaryIO) -> tuple[str | None, str]:
    """Return a text's encoding, or None, and the handling of invalid bytes."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    while block := stream.read(BLOCK):
        for mark, encoding in BYTE_ORDER_MARKS:
            if block.startswith(mark) and stream.tell() == len(block):
                return encoding, "strict"
        if b"\0" in block:  # every second byte of digits and separators
            first, second = block[::2].count(0), block[1::2].count(0)
            found = "utf-16-le" if second > first else "utf-16-be"
            return found if abs(second - first) > len(block) / 8 else None, "strict"
        if block.isascii() and not decoder.getstate()[0]:
            continue
        try:
            decoder.decode(block, final=len(block) < BLOCK)
        except UnicodeDecodeError:
            text = block.decode("utf-8", "replace")
            if 2 * text.count("\ufffd") < sum(sign > "\x7f" for sign in text):  # a few tokens of word2vec are cut
                return "utf-8", "replace"
            return "windows-1252", "strict"  # which Excel writes in Western Europe
    return "utf-8", "strict"


def _first_lines(stream: BinaryIO) -> tuple[int, list[str]]:
    """Return where the text begins behind its byte order mark, and the first complete lines."""
    stream.seek(0)
    data = stream.read(BLOCK)
    start = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    end = max(data.rfind(b"\n"), data.rfind(b"\r")) + 1 if len(data) == BLOCK else 0
    text = data[start : end or len(data)].decode("utf-8", "replace")
    return start, list(islice(io.StringIO(text, newline=""), SNIFFED_LINES))


def _read_with_arrow(
    stream: BinaryIO, start: int, plan: TablePlan, file: str, limits: Limits
) -> tuple[NDArray[np.float32], dict[int, list[str]]] | None:
    """Read block by block with PyArrow, numbers and texts; None if the rows must be read one by one."""
    from pyarrow.lib import ArrowInvalid

    texts: dict[int, list[str]] = {column: [] for column in sorted({*range(len(plan.names))} - {*plan.numbers})}
    # A number takes two bytes at least, with what is behind it. Memory that is not written to is not taken.
    most = min((stream.seek(0, io.SEEK_END) - start) // (2 * len(plan.numbers)) + 2, limits.rows + 1)
    vectors = np.empty((most, len(plan.numbers)), np.float32)
    n_rows = 0
    stream.seek(start)
    try:
        with _open_batches(stream, plan) as batches:
            for batch in batches:
                stop = n_rows + batch.num_rows
                limits.check_shape(file, (stop, len(plan.numbers)))
                for column, source in enumerate(plan.numbers):
                    vectors[n_rows:stop, column] = batch.column(source).to_numpy()
                block = vectors[n_rows:stop]
                if not (block.max(initial=0) <= LARGEST and block.min(initial=0) >= -LARGEST):
                    return None
                for source, cells in texts.items():
                    cells.extend(batch.column(source).to_pylist())
                n_rows = stop
    except ArrowInvalid:
        return None
    return vectors[:n_rows], texts


def _open_batches(stream: BinaryIO, plan: TablePlan) -> Any:
    """Open a reader of blocks of rows; one thread, since only then rows come in order without a queue of them."""
    import pyarrow
    from pyarrow import csv as reader

    names = [str(column) for column in range(len(plan.names))]
    types = dict.fromkeys(names, pyarrow.string()) | {str(column): pyarrow.float32() for column in plan.numbers}
    return reader.open_csv(
        stream,
        reader.ReadOptions(column_names=names, block_size=BLOCK, use_threads=False),
        reader.ParseOptions(
            delimiter=plan.layout.separator, quote_char=plan.quote or False, newlines_in_values=bool(plan.quote)
        ),
        reader.ConvertOptions(
            column_types=types,
            null_values=[],
            strings_can_be_null=False,
            decimal_point=plan.layout.decimal,
            check_utf8=False,
        ),
    )


def _rows(stream: BinaryIO, start: int, plan: TablePlan) -> Generator[tuple[int, list[str]], None, None]:
    """Yield each row's line and cells; split labels are joined, missing or superfluous last cells added or dropped."""
    stream.seek(start)
    lines = io.TextIOWrapper(stream, "utf-8", newline="")
    width = len(plan.names)
    try:
        for line, cells in split_rows(lines, plan.layout.separator or ",", plan.quote):
            ends = width - 1 in plan.doubtful & plan.unnamed
            if len(cells) > width and not cells[-1] and not ends:
                cells.pop()
            if len(cells) == width - 1 and ends:
                cells.append("")
            if plan.layout.separator == " " and not plan.label:
                cells = join_label(cells, width)
            yield plan.skipped + line, cells
    finally:
        lines.detach()


def _parse_rows(
    numbered: Iterable[tuple[int, list[str]]], plan: TablePlan, vector_column: int | None, file: str, limits: Limits
) -> tuple[NDArray[np.float32], dict[int, list[str]]]:
    """Return the numbers and the texts of rows; the error names the row and the cell."""
    decimal, width = plan.layout.decimal or ".", 0
    # Tokens may begin with hundreds of numbers: a first column of numbers is read as text until its end.
    numbers = [column for column in plan.numbers if column]
    sources = numbers if vector_column is None else [vector_column]
    texts: dict[int, list[str]] = {column: [] for column in sorted({*range(len(plan.names))} - {*sources})}
    lines: list[int] = []
    rows: list[NDArray[np.float32]] = []
    for line, cells in numbered:
        if len(cells) != len(plan.names):
            raise TableError("ragged", file=file, row=line, found=len(cells), expected=len(plan.names))
        for column, kept in texts.items():
            kept.append(cells[column])
        if vector_column is None:
            row = [_read_number(cells[column], decimal, file, line, plan.names[column]) for column in numbers]
        else:
            name, parts = plan.names[vector_column], vector_cells(cells[vector_column])
            row = [_read_number(part, ".", file, line, name) for part in parts or [cells[vector_column]]]
            if len(row) != (width := width or len(row)):
                raise TableError("ragged", file=file, row=line, found=len(row), expected=width)
        lines.append(line)
        rows.append(np.array(row, np.float32))
        limits.check_shape(file, (len(rows), len(row)))
    vectors = np.array(rows, np.float32).reshape(len(rows), width or len(numbers))
    if 0 not in plan.numbers:
        return vectors, texts
    if len(numbers) > 1 and not plan.layout.label_column and _are_labels(texts[0], decimal):
        plan.layout = replace(plan.layout, label_column=plan.names[0])
        plan.doubtful.add(0)
        return vectors, texts
    checked = [
        _read_number(cell, decimal, file, line, plan.names[0]) for line, cell in zip(lines, texts.pop(0), strict=True)
    ]
    return np.column_stack([np.array(checked, np.float32), vectors]), texts


def _are_labels(cells: list[str], decimal: str) -> bool:
    """Return whether cells are tokens, some of them numbers, rather than numbers, some of them missing or misspelt."""
    others = [cell for cell in cells if parse_number(cell, decimal) is None]
    if all(map(is_missing, others)):
        return False
    n_whole = sum(cell.isdigit() for cell in cells)
    return 2 * len(others) >= len(cells) or (20 * len(others) >= len(cells) and n_whole + len(others) == len(cells))


def _read_number(cell: str, decimal: str, file: str, line: int, column: str) -> float:
    number = parse_number(cell, decimal)
    if number is None or not abs(number) <= LARGEST:
        raise TableError("value", file=file, value=cell, row=line, column=column)
    return number


def read_metadata(file: TableFile, limits: Limits) -> Parts:
    """Read labels: one column has no header; of several, the header may name the labels, else they are the first."""
    with utf8_stream(file, limits) as (stream, _):
        text = stream.read().removeprefix(codecs.BOM_UTF8).decode()
    lines = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")
    if all(line.endswith("\t") for line in lines):
        lines = [line[:-1] for line in lines]
    limits.check_rows(file.name, len(lines) - 1)  # one may be the header
    if "\t" not in lines[0]:
        return Parts(labels=lines)
    names, *rows = (line.split("\t") for line in lines)
    limits.check_columns(file.name, len(names))
    for line, cells in enumerate(rows, start=2):
        if len(cells) != len(names):
            raise TableError("ragged", file=file.name, row=line, found=len(cells), expected=len(names))
    columns = {name: [cells[column] for cells in rows] for column, name in enumerate(deduplicate_names(names))}
    label = label_name(list(columns))
    assert label is not None  # there are two columns at least
    return Parts(labels=columns.pop(label), columns=columns)


def split_vectors_and_metadata(one: TableFile, other: TableFile, limits: Limits) -> tuple[TableFile, TableFile]:
    """Return the file of vectors and that of labels, given in either order."""
    texts = [file for file in (one, other) if file.extension in METADATA_EXTENSIONS]
    if len(texts) == 1:
        return (other if texts[0] is one else one), texts[0]
    numbers = [_count_number_columns(file, limits) for file in texts]
    if not texts or numbers[0] == numbers[1]:
        raise TableError("labels", file=other.name, labels=0, rows=0)
    return (one, other) if numbers[0] > numbers[1] else (other, one)


def _count_number_columns(file: TableFile, limits: Limits) -> float:
    """Count the columns of numbers; infinitely many if all of several are, unlike in a file of labels."""
    with utf8_stream(file, limits) as (stream, _):
        plan = plan_table(_first_lines(stream)[1], TextLayout(), partial(limits.check_columns, file.name))
    if plan is None:
        return 0
    return float("inf") if len(plan.numbers) == len(plan.names) > 1 else len(plan.numbers)
