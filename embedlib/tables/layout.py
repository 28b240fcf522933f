"""Layout of a text table: separator, decimal mark, header, label column and encoding.

Sniffers of others were tried on the files of tests/embedlib/tables/test_text.py. csv.Sniffer, pandas and DuckDB take
the commas of "0,5;1,5" for separators; clevercsv takes the spaces of `0,some text,"[0.1, 0.2]"`, and two minutes for
30,000 characters of "a.a.a". None looks for a decimal mark. A table of numbers allows a simpler test: the right marks
are those that make most numbers.
"""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from statistics import mode

SEPARATORS = ("\t", ";", ",", "|", " ")
QUOTES = ('"', "", "'")
SNIFFED_CHARACTERS, SNIFFED_ROWS, SNIFFED_CELLS = 30_000, 200, 10_000
# Names of columns that hold labels even if these are numbers, in lower case; pandas leaves its index without a name, or
# calls it "Unnamed: 0" where it was read back.
LABEL_COLUMNS = frozenset(
    {"", "char", "id", "index", "key", "label", "labels", "name", "position", "row", "string", "text", "title", "token"}
    | {"tokens", "unnamed: 0", "word", "words"}
)
UNNAMED = frozenset({"", "unnamed: 0"})
MISSING = frozenset({"", "#n/a", "-", "?", "n/a", "na", "nan", "nil", "none", "null"})
GROUPING = {".": r"[, '’\u00a0\u202f]", ",": r"[. '’\u00a0\u202f]"}  # decimal mark -> what may stand between thousands
GROUPED = {
    decimal: re.compile(rf"[+-]?[1-9]\d{{0,2}}({grouping})\d{{3}}(?:\1\d{{3}})*(?:[{decimal}]\d*)?", re.ASCII)
    for decimal, grouping in GROUPING.items()
}
PLAIN = {
    mark: re.compile(rf"[+-]?(?:(?:\d+[{mark}]?\d*|[{mark}]\d+)(?:e[+-]?\d+)?|nan|inf|infinity)", re.ASCII | re.I)
    for mark in GROUPING
}
# "[1, 2]", "[[1. 2.]]", "array([1, 2], dtype=float32)"
VECTOR = re.compile(r"[\s\w.(]*\[(.*)\](?:,\s*\w+=[\w.]+)*[\s)]*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class TextLayout:
    """Layout of a text table; None is detected.

    Attributes:
        separator: between two cells: tab, ";", ",", "|", or " " for any number of spaces.
        decimal: the decimal mark, "." or ",".
        header: whether the first row holds the columns' names.
        label_column: the name of the column of labels, "" for none. A column without a name is called "column 1" and so
            on.
        encoding: as Python names it, such as "utf-8".
        columns: the names of all columns, as found.
    """

    separator: str | None = None
    decimal: str | None = None
    header: bool | None = None
    label_column: str | None = None
    encoding: str | None = None
    columns: tuple[str, ...] = ()


@dataclass(slots=True)
class TablePlan:
    """Roles of a text table's columns, inferred from its first rows.

    Attributes:
        layout: complete.
        names: one per column, all different.
        numbers: the columns of numbers.
        vectors: the columns whose cells hold a list of numbers each; where there are any, `numbers` is empty.
        doubtful: columns of text that may be meant as numbers: all first cells are empty, or some are numbers.
        unnamed: the columns without a name of their own.
        quote: the quotation mark around some cells; "" for none.
        skipped: number of lines before the first row of data.
        announced: number of rows that the first line announces, as word2vec writes it.
    """

    layout: TextLayout
    names: list[str]
    numbers: list[int]
    vectors: list[int]
    doubtful: set[int]
    unnamed: set[int]
    quote: str = ""
    skipped: int = 0
    announced: int | None = None

    @property
    def label(self) -> int | None:
        """The column of labels."""
        return self.names.index(self.layout.label_column) if self.layout.label_column else None


def parse_number(cell: str, decimal: str) -> float | None:
    """Return the number in a cell, where thousands may be grouped; None for anything else."""
    text = cell.strip().replace("−", "-")
    if not PLAIN[decimal].fullmatch(text):
        if not GROUPED[decimal].fullmatch(text):
            return None
        text = re.sub(GROUPING[decimal], "", text)
    return float(text.replace(decimal, "."))


def vector_cells(cell: str) -> list[str] | None:
    """Return the numbers in a cell such as "[0.1, 0.2]" as text; None for another cell, such as "[UNK]" or "[1]"."""
    match = VECTOR.fullmatch(cell) if "[" in cell else None
    parts = [part for part in re.split(r"[\s,;\[\]]+", match[1]) if part] if match else []
    return parts if len(parts) > 1 and parse_number(parts[0], ".") is not None else None


def is_missing(cell: str) -> bool:
    """Return whether a cell is a missing value, such as NA."""
    return cell.strip().lower() in MISSING


def split_rows(lines: Iterable[str], separator: str, quote: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each row that is not blank, with the number of its first line, counted from 1."""
    csv.field_size_limit(2**31 - 1)  # a cell may hold a document
    reader = csv.reader(
        lines,
        delimiter=separator,
        quotechar=quote or None,
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
        skipinitialspace=separator == " ",  # several spaces are one
    )
    line = 1
    for cells in reader:
        if any(cells):
            yield line, cells
        line = reader.line_num + 1


def join_label(cells: Sequence[str], width: int) -> list[str]:
    """Join a label that was split at its spaces."""
    more = max(0, len(cells) - width)
    return [" ".join(cells[: more + 1]), *cells[more + 1 :]]


def plan_table(lines: Sequence[str], given: TextLayout, check_width: Callable[[int], None]) -> TablePlan | None:
    """Infer how a table is written; None where there is no row at all.

    `given` is not inferred, but labels are if no column has the name given.label_column. `check_width` is called with
    the number of columns before they are read; it may raise.
    """
    skipped, separator = _skip_preamble(lines)
    separator, quote, decimal = _find_marks(lines[skipped:], given.separator or separator, given.decimal)
    rows = list(islice(split_rows(lines[skipped:], separator, quote), SNIFFED_ROWS))
    if not rows:
        return None
    check_width(max(len(cells) for _, cells in rows))
    announced = _announced_rows(rows[0][1], rows[1][1]) if len(rows) > 1 else None
    if announced is not None:
        del rows[0]
    plan = plan_columns([cells for _, cells in rows], replace(given, separator=separator, decimal=decimal), announced)
    plan.quote = quote
    first_row = int(bool(plan.layout.header))
    plan.skipped = skipped + rows[first_row][0] - 1 if first_row < len(rows) else len(lines)
    return plan


def plan_columns(rows: Sequence[Sequence[str]], given: TextLayout, announced: int | None = None) -> TablePlan:
    """Infer the columns' roles from some first rows, given separator and decimal mark."""
    separator, decimal = given.separator or ",", given.decimal or "."
    width, first = _find_width(rows, separator, decimal), rows[0]
    rows = rows[: max(10, SNIFFED_CELLS // width)]
    if separator == " ":
        rows = [join_label(cells, width) for cells in rows]
    columns = _transpose(rows[1:] or rows, width)
    names = _header_cells(first, columns, separator)
    header = given.header
    if header is None:
        header = announced is None and len(rows) > 1 and _is_header(names, columns, decimal)
    if not header:
        names, columns = [""] * width, _transpose(rows, width)
    share = [_share_of_numbers(cells, decimal) for cells in columns]
    usual = [header and name.strip().lower() in LABEL_COLUMNS for name in names[:width]]
    plan = TablePlan(
        layout=replace(given, header=header),
        names=list(deduplicate_names(name.strip() or f"column {column + 1}" for column, name in enumerate(names))),
        # A column that may hold labels such as "7" takes more than half.
        numbers=[c for c in range(width) if share[c] > 0.5 or (share[c] == 0.5 and c and not usual[c])],
        vectors=[column for column in range(width) if _holds_vectors(columns[column])],
        doubtful={c for c in range(width) if share[c] < 0.5 and (share[c] or all(map(is_missing, columns[c])))},
        unnamed={c for c in range(width) if not names[c].strip()},
        announced=announced,
    )
    plan.layout = replace(plan.layout, columns=tuple(plan.names))
    _choose_labels(plan, columns, usual)
    return plan


def _skip_preamble(lines: Sequence[str]) -> tuple[int, str | None]:
    """Count the lines before the table, and return the separator that Excel's own line "sep=;" names."""
    if lines and lines[0].lower().startswith("sep=") and lines[0][4:5] in SEPARATORS:
        return 1, lines[0][4]
    skipped = 0
    while len(lines) > skipped + 1 and lines[skipped].startswith("# ") and lines[skipped + 1].startswith("# "):
        skipped += 1  # comments; the last one may be the header
    return skipped, None


def _find_marks(lines: Sequence[str], separator: str | None, decimal: str | None) -> tuple[str, str, str]:
    """Find the separator, quotation mark and decimal mark under which most of a sample is numbers."""
    long_header = len(lines) > 1 and len(lines[0]) > SNIFFED_CHARACTERS // 2
    text = "".join(lines[long_header:])[:SNIFFED_CHARACTERS]
    sample = [line + "\n" for line in re.split(r"\r\n|\r|\n", text)]
    best, marks = (0.0, 0), (separator or ",", '"', decimal or ".")
    for mark in SEPARATORS if separator is None else separator:
        if mark not in text:
            continue
        for quote in (sign for sign in QUOTES if sign in text or (sign == '"' and mark in ",;")):
            rows = [cells for _, cells in split_rows(sample, mark, quote)]
            cells = [cell for row in (rows[1:] or rows) for cell in row if cell]
            lengths = [len(vector_cells(cell) or [0]) for cell in cells]
            for point in decimal or ".,":
                counts = [
                    length if length > 1 else int(parse_number(cell, point) is not None)
                    for cell, length in zip(cells, lengths, strict=True)
                ]
                # Between semicolons "1,250" has a decimal comma, elsewhere it is a thousand.
                uses = (
                    sum(point in cell for cell, count in zip(cells, counts, strict=True) if count) if mark == ";" else 0
                )
                score = (sum(counts) ** 2 / max(1, sum(lengths)), uses)
                if score > best:
                    best, marks = score, (mark, quote, point)
    return marks


def _announced_rows(first: Sequence[str], second: Sequence[str]) -> int | None:
    """Return how many rows follow by a first row such as "2000 300", which announces 300 numbers in each."""
    cells = [cell for cell in first if cell]
    if len(cells) != 2 or not all(cell.isascii() and cell.isdigit() for cell in cells):
        return None
    n_columns = int(cells[1])
    found = len([cell for cell in second if cell])
    return int(cells[0]) if found > n_columns >= 2 or found == n_columns > 2 else None


def _header_cells(first: Sequence[str], columns: Sequence[Sequence[str]], separator: str) -> list[str]:
    """Return the first row as the names of all columns, if it is a header."""
    width = len(columns)
    if len(first) == width + 1 and first[0] == "#":  # NumPy's comment
        return list(first[1:])
    if separator == " ":
        first = join_label(first, width)
    if len(first) == width - 1:  # separators end the other rows, or R names no column of row names
        return [*first, ""] if not any(columns[-1]) else ["", *first]
    return [first[0].removeprefix("# "), *first[1:], *[""] * (width - len(first))]


def _find_width(rows: Sequence[Sequence[str]], separator: str, decimal: str) -> int:
    """Count the columns; where spaces separate cells and are in labels too, a label and the numbers behind it."""
    lengths = [len(cells) for cells in rows]
    if separator != " " or len(set(lengths[1:])) < 2:
        return mode(lengths)
    ends = mode([not cells[-1] for cells in rows])  # spaces at the ends of lines
    numbers = []
    for cells in rows:
        filled = [cell for cell in reversed(cells) if cell]
        numbers.append(next((n for n, cell in enumerate(filled) if parse_number(cell, decimal) is None), len(filled)))
    return mode(numbers) + 1 + ends


def _transpose(rows: Sequence[Sequence[str]], width: int) -> list[list[str]]:
    return [[cells[column] for cells in rows if column < len(cells)] for column in range(width)]


def _is_header(first: Sequence[str], columns: Sequence[Sequence[str]], decimal: str) -> bool:
    """Return whether a row has the names of the columns below: texts above numbers, or counts such as pandas writes."""
    numbers = [
        c for c, cells in enumerate(columns) if _share_of_numbers(cells, decimal) >= 0.5 or _holds_vectors(cells)
    ]
    known = [first[column] for column in numbers if not is_missing(first[column])]
    texts = [cell for cell in known if parse_number(cell, decimal) is None and vector_cells(cell) is None]
    if not known or 2 * len(texts) > len(known):
        return bool(known)
    counted = first if parse_number(first[0], decimal) is not None else first[1:]
    if not counted or not all(cell.isascii() and cell.isdigit() for cell in (*counted, *known)):
        return False
    below = [cells for column in numbers[-len(counted) :] for cells in columns[column]]
    whole = all(cell.strip().lstrip("+-").isdigit() for cell in below if not is_missing(cell))
    count = [int(cell) for cell in counted]
    steps = {later - one for one, later in pairwise(count)}
    if (len(count) > 3 or min(count) > 1000) and len(steps) == 1 and min(steps) > 0:  # columns or years
        following = [cells[:1] for cells in columns[-len(count) :]]
        return not whole or following != [[str(number + len(count))] for number in count]  # else it only counts on
    return not whole and (count == list(range(len(count))) or first[0].strip().lower() in LABEL_COLUMNS - UNNAMED)


def _holds_vectors(cells: Sequence[str]) -> bool:
    known = [cell for cell in cells if not is_missing(cell)]
    return bool(known) and 2 * sum(vector_cells(cell) is not None for cell in known) >= len(known)


def _share_of_numbers(cells: Sequence[str], decimal: str) -> float:
    known = [cell for cell in cells if not is_missing(cell)]
    return sum(parse_number(cell, decimal) is not None for cell in known) / max(1, len(known))


def _choose_labels(plan: TablePlan, columns: Sequence[Sequence[str]], usual: Sequence[bool]) -> None:
    """Decide which column has the labels and which have numbers."""
    given = plan.layout.label_column if plan.layout.label_column in ("", *plan.names) else None
    if given is not None:
        plan.numbers = [column for column in plan.numbers if plan.names[column] != given]
    elif usual[0]:
        plan.numbers = [column for column in plan.numbers if column]
    if plan.vectors:
        plan.numbers = []

    def rank(column: int) -> tuple[int, int]:
        """Rank the texts: those with a label's name, numbers with one, other texts, numbers without any."""
        whole = all(cell.isdigit() for cell in columns[column])
        if usual[column]:
            return (3 if column in plan.unnamed else 1) if whole else 0, column
        return 2, column

    if given is None:
        taken = {*plan.numbers, *plan.vectors}
        texts = [column for column, cells in enumerate(columns) if column not in taken and any(cells)]
        plan.layout = replace(plan.layout, label_column=plan.names[min(texts, key=rank)] if texts else "")
    plan.doubtful = plan.doubtful - {plan.label}
    if len(plan.numbers) < 2 and not plan.vectors:  # too few to be a table: those with some numbers were meant as such
        meant = {column for column in plan.doubtful if not all(map(is_missing, columns[column]))}
        plan.numbers = sorted([*plan.numbers, *meant])
        plan.doubtful -= meant


def label_name(names: Sequence[str]) -> str | None:
    """Return the column of text that holds the labels: the first with a label's name, else the first."""
    usual = [name for name in names if name.strip().lower() in LABEL_COLUMNS]
    return next(iter(usual or names), None)


def deduplicate_names(names: Iterable[str]) -> Iterator[str]:
    """Yield the names, with a number behind each repeated one."""
    seen: dict[str, int] = {}
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        yield name if seen[name] == 1 else f"{name} ({seen[name]})"
