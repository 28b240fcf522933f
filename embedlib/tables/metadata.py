"""The second file of the projector's pair: a line of labels for each vector, with a heading where it has columns."""

import codecs

from embedlib.tables.errors import TableError
from embedlib.tables.layout import TABS, UTF16, different, first_lines, is_number, label_name, layout_of
from embedlib.tables.table import Limits, Parts, TableFile


def read_metadata(file: TableFile, limits: Limits) -> Parts:
    """Read labels: a single column has no heading; of several, the heading may tell which is the label, else the first.

    Raises:
        TableError: "not_utf8", "ragged_line", or a limit.
    """
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
    columns = dict(zip(different(names), map(list, zip(*rows, strict=True)), strict=False))
    label = label_name(list(columns))
    assert label is not None  # there are two columns at least
    return Parts(labels=columns.pop(label), columns=columns)


def which_is_metadata(one: TableFile, other: TableFile) -> tuple[TableFile, TableFile]:
    """Tell the vectors of two files from the labels, in whichever order they come.

    Returns:
        The file of vectors, and the file of labels.

    Raises:
        TableError: "two_tables" or "vectors_missing".
    """
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
