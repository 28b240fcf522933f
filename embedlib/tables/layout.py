"""What the columns of a text table are, told from its first lines: numbers or text, the label, a heading."""

import codecs
import csv
import io
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO

from embedlib.tables.errors import TableError

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
    """How cells are told apart.

    Attributes:
        delimiter: between two cells.
        quoted: whether a cell may stand in double quotes, which lets it hold delimiters and line ends.
    """

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
    """Read the cells of the first lines that are not empty.

    Args:
        stream: at the file's beginning.
        file: the name to say in a sentence.
        dialect: None finds the delimiter: the first of comma, semicolon and tab in the first line.

    Returns:
        At most SNIFFED_LINES lists of cells, and the dialect.

    Raises:
        TableError: "not_utf8" for UTF-16; "long_line" where the first line does not end within SNIFFED bytes;
            "bad_text".
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
