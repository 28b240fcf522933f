"""The numbers of a figure as files: CSV, and arrays for NPZ, from one source."""

import csv
import io
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from typing_extensions import override

from embedlib.figures import heatmap_alt, lines_alt
from embedlib.tables import csv_header, float32_rows, write_columns
from embedlib.tokenizers import Token
from ui.export.grids import Grid, grid_rows
from ui.i18n import _

Arrays = Mapping[str, Tensor | NDArray[Any]]
_NUMBER = re.compile(r"[-+−]?\d+([.,]\d+)*(e[-+−]?\d+)?", re.ASCII)


class Numbers(ABC):
    """Numbers that can be saved."""

    @abstractmethod
    def csv(self) -> str:
        """Return them as CSV; float32 with the fewest digits that read back as the same number."""

    @abstractmethod
    def arrays(self) -> Arrays:
        """Return them as arrays by name."""

    def alt(self) -> str:
        """Return one sentence about them for screen readers; "" for none."""
        return ""


@dataclass(frozen=True)
class Columns(Numbers):
    """Vectors of one length side by side: one CSV line per entry, numbered under the header `row`."""

    vectors: Mapping[str, Tensor]
    row: str

    @override
    def csv(self) -> str:
        vectors = [float32_rows(vector) for vector in self.vectors.values()]
        return table_csv([self.row, *self.vectors], [[np.arange(len(vectors[0])), *vectors]])

    @override
    def arrays(self) -> Arrays:
        return self.vectors

    @override
    def alt(self) -> str:
        values = lines_alt(torch.stack(list(self.vectors.values())))
        return _("{lines} lines of {points} points, {lowest:.2f} to {highest:.2f}.").format(**values)


@dataclass(frozen=True)
class Matrix(Numbers):
    """One matrix: a CSV line per row under the header `row`, `column`_0, `column`_1 and so on."""

    values: Tensor
    row: str
    column: str
    name: str = "values"
    more: Arrays = field(default_factory=dict)  # arrays beside it, which no CSV has

    @override
    def csv(self) -> str:
        header = [self.row, *_column_names(self.column, self.values)]
        return table_csv(header, [[np.arange(len(self.values)), *_columns(self.values)]])

    @override
    def arrays(self) -> Arrays:
        return {self.name: self.values, **self.more}

    @override
    def alt(self) -> str:
        return _("{rows} × {columns}, {lowest:.2f} to {highest:.2f}.").format(**heatmap_alt(self.values))


@dataclass(frozen=True)
class Matrices(Numbers):
    """Matrices of any sizes below each other: one CSV line per matrix and row, masked cells empty.

    A matrix narrower than the widest leaves its last cells empty.
    """

    by_name: Mapping[str, Tensor]
    name: str = "scheme"  # header of the matrices' names

    @override
    def csv(self) -> str:
        widest = max((matrix.shape[1] for matrix in self.by_name.values()), default=0)
        lines = (
            [name, row, *("" if np.isnan(value) else value for value in values), *[""] * (widest - len(values))]
            for name, matrix in self.by_name.items()
            for row, values in enumerate(float32_rows(matrix))
        )
        return lines_csv([self.name, "row", *(f"column_{column}" for column in range(widest))], lines)

    @override
    def arrays(self) -> Arrays:
        return self.by_name


@dataclass(frozen=True)
class Parts(Numbers):
    """Matrices of one shape that are parts of a whole: one CSV line per part and position, with its token."""

    by_name: Mapping[str, Tensor]
    column: str
    tokens: Sequence[Token] = ()
    first: int = 0  # position of the first row
    more: Arrays = field(default_factory=dict)  # arrays beside them, which no CSV has

    @override
    def csv(self) -> str:
        header = ["position", *["token"][: len(self.tokens)], "part"]
        header += _column_names(self.column, next(iter(self.by_name.values())))
        texts = [[decode_token(token.bytes) for token in self.tokens]] if self.tokens else []
        blocks = [
            [np.arange(self.first, self.first + len(rows)), *texts, [part] * len(rows), *_columns(rows)]
            for part, rows in self.by_name.items()
        ]
        return table_csv(header, blocks)

    @override
    def arrays(self) -> Arrays:
        return {**self.by_name, **self.more}


@dataclass(frozen=True)
class Lines(Numbers):
    """Rows of numbers, texts and empty cells (None) under a header.

    Attributes:
        header: a name for each column.
        lines: the cells of each line, or a function that makes them when they are saved.
        more: arrays beside the columns, which no CSV has.
    """

    header: Sequence[str]
    lines: Sequence[Sequence[object]] | Callable[[], Iterable[Sequence[object]]]
    more: Arrays = field(default_factory=dict)

    def _rows(self) -> list[Sequence[object]]:
        return list(self.lines() if callable(self.lines) else self.lines)

    @override
    def csv(self) -> str:
        return lines_csv(self.header, self._rows())

    @override
    def arrays(self) -> Arrays:
        rows = self._rows()
        columns = {name: _array([row[index] for row in rows]) for index, name in enumerate(self.header)}
        return {**columns, **self.more}


@dataclass(frozen=True)
class LabelledPoints(Numbers):
    """Points with labels: one CSV line each of row, label, x, y, z.

    Attributes:
        ids: (n,) rows of the table that the points stand for.
        labels: of each point.
        places: (n, 3) float32.
        more: arrays beside the places, which no CSV has.
    """

    ids: NDArray[np.int64]
    labels: Sequence[str]
    places: NDArray[np.float32]
    more: Arrays = field(default_factory=dict)

    @override
    def csv(self) -> str:
        return table_csv(["row", "label", "x", "y", "z"], [[self.ids, list(self.labels), *self.places.T]])

    @override
    def arrays(self) -> Arrays:
        return {"places": self.places, **self.more}


def grid_numbers(grid: Grid) -> Lines:
    """Return the texts of a grid as rows; cells of tokens are left empty."""
    return Lines(list(grid), [[cell if isinstance(cell, str) else "" for cell in row] for row in grid_rows(grid)])


@dataclass(frozen=True)
class Blocks(Numbers):
    """Large columns side by side, in blocks below each other, with a fast CSV writer.

    Attributes:
        header: a name for each column.
        blocks: each one array or list of texts per column; or a function that makes them when they are saved.
        by_name: the arrays of the NPZ; None for one per column.
    """

    header: Sequence[str]
    blocks: Sequence[Sequence[Any]] | Callable[[], Sequence[Sequence[Any]]]
    by_name: Arrays | None = None

    def _make_blocks(self) -> Sequence[Sequence[Any]]:
        return self.blocks() if callable(self.blocks) else self.blocks

    @override
    def csv(self) -> str:
        return table_csv(list(self.header), self._make_blocks())

    @override
    def arrays(self) -> Arrays:
        if self.by_name is not None:
            return self.by_name
        blocks = self._make_blocks()
        return {
            name: np.concatenate([np.asarray(block[index]) for block in blocks])
            for index, name in enumerate(self.header)
        }


def lines_csv(header: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """Write lines as CSV: numbers read back exactly, None is an empty cell, texts go through `escape_formula`."""
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([escape_formula(cell) if isinstance(cell, str) else cell for cell in line] for line in lines)
    return target.getvalue()


def table_csv(header: list[str], blocks: Sequence[Sequence[Any]]) -> str:
    """Write blocks of columns below each other under one CSV header."""
    target = io.BytesIO()
    target.write(csv_header(header))
    for columns in blocks:
        texts = [list(map(escape_formula, column)) if isinstance(column, list) else column for column in columns]
        write_columns(target, texts)
    return target.getvalue().decode()


def decode_token(token_bytes: bytes) -> str:
    """Return a token's text, with U+FFFD for bytes that are not whole characters."""
    return token_bytes.decode("utf-8", "replace")


def escape_formula(text: str) -> str:
    """Prefix an apostrophe to a text that a spreadsheet would run as a formula, such as =cmd|… or @SUM(1).

    Numbers with U+2212 as minus get an ASCII minus.

    Source: https://owasp.org/www-community/attacks/CSV_Injection
    """
    if _NUMBER.fullmatch(text):
        return text.replace("−", "-")
    return f"'{text}" if len(text) > 1 and text[0] in "=+-@\t\r" else text


def _array(cells: Sequence[object]) -> NDArray[Any]:
    if all(isinstance(cell, Integral) for cell in cells):
        return np.array(cells, dtype=np.int64)
    if all(cell is None or isinstance(cell, Real) for cell in cells):
        return np.array([np.nan if cell is None else cell for cell in cells], dtype=np.float64)
    return np.array(["" if cell is None else str(cell) for cell in cells])


def _column_names(column: str, matrix: Tensor) -> list[str]:
    return [f"{column}_{index}" for index in range(matrix.shape[1])]


def _columns(matrix: Tensor) -> list[NDArray[np.float32]]:
    return list(float32_rows(matrix).T)
