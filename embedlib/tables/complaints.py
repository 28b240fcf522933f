"""Where and why a text table is none: a slow second reading, line by line, after the fast one gave up."""

import csv
from collections.abc import Iterator
from typing import BinaryIO

from embedlib.tables.errors import TableError
from embedlib.tables.layout import SNIFFED, Dialect, Layout, cells_of, is_number


def check_lines(stream: BinaryIO, file: str, layout: Layout, dialect: Dialect) -> None:
    """Raise for the first thing that is wrong.

    Args:
        stream: at the file's beginning.
        file: the name to say in a sentence.
        layout: what the columns are.
        dialect: how cells are told apart.

    Raises:
        TableError: "not_utf8", "long_line", "ragged_line", "no_number" or "bad_text", with the line, counted from 1.
    """
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
