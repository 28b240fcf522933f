"""Checks of a table's numbers, in blocks, so that a mapped file is never in memory as a whole."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embedlib.blocks import row_blocks
from embedlib.progress import Progress
from embedlib.tables.errors import TableError
from embedlib.tables.table import TableNote

BLOCK = 4 * 2**20  # numbers looked at in one go
# 4 GiB of numbers up to here have squares whose sum, 1e37, is still finite in float32; and where the greatest number
# reaches the other bound, products of two lengths are far from float32's least, 1e-38.
LARGEST, SMALLEST = float(np.float32(1e14)), float(np.float32(1e-14))
NO_PICKLES = (".csv", ".parquet", ".safetensors")  # formats that cannot hold one


def check_dtype(file: str, dtype: np.dtype[Any], shape: tuple[int, ...]) -> None:
    """Refuse all but real numbers; object arrays are pickles."""
    if dtype.hasobject:
        raise TableError("file", file=file, known=NO_PICKLES)
    if dtype.kind not in "fiu" or dtype.itemsize > 8:
        raise shape_error(file, dtype, shape)


def check_shape(file: str, dtype: object, shape: tuple[int, ...]) -> None:
    """Refuse all but (n_rows, n_columns), both at least 2."""
    if len(shape) != 2 or min(shape) < 2:
        raise shape_error(file, dtype, shape)


def shape_error(file: str, dtype: object, shape: tuple[int, ...], more: str = "") -> TableError:
    """Return the error of an array that is no table, such as "complex64 (3, 4)"."""
    return TableError("shape", file=file, found=f"{dtype} {shape}{more}")


def as_float32(vectors: NDArray[Any]) -> tuple[NDArray[np.float32], list[TableNote]]:
    """Copy real numbers of any dtype and byte order into float32, too large ones as infinity; note rounding."""
    if vectors.dtype == np.float32 and vectors.flags.c_contiguous and vectors.flags.aligned:
        return vectors.astype(np.float32, copy=False), []
    copy = np.empty(vectors.shape, np.float32)
    exact = True
    with np.errstate(over="ignore"):  # refused by check_numbers
        for start, block in row_blocks(vectors, block_length(vectors.shape[1])):
            copy[start : start + len(block)] = block
            if vectors.dtype.itemsize > 2 and vectors.dtype != np.float32:
                exact = exact and np.array_equal(
                    copy[start : start + len(block)], block, equal_nan=vectors.dtype.kind == "f"
                )
    return copy, [] if exact else [TableNote("narrowed", {"dtype": vectors.dtype.name})]


def check_numbers(file: str, vectors: NDArray[Any], progress: Progress | None = None) -> list[TableNote]:
    """Refuse numbers that are not finite or cannot be squared in float32, and tables whose rows are all alike.

    The error names the first such row and column; constant columns give a note. `progress` is called with the share
    done, in (0, 1], and may raise to stop.
    """
    return check_blocks(
        file, row_blocks(vectors, block_length(vectors.shape[1])), vectors.shape, vectors.dtype, progress
    )


def check_blocks(
    file: str,
    blocks: Iterable[tuple[int, NDArray[Any]]],
    shape: tuple[int, ...],
    dtype: object,
    progress: Progress | None = None,
) -> list[TableNote]:
    """Check the rows of a table as check_numbers does, given block by block, each with the number of its first row."""
    varies, first, peak = np.zeros(shape[1], dtype=bool), None, 0.0
    for start, block in blocks:
        first = np.array(block[0]) if first is None else first
        greatest = max(float(block.max()), -float(block.min()))  # NaN where any number is
        if not greatest <= LARGEST:
            row, column = np.argwhere(~(np.abs(block.astype(np.float64)) <= LARGEST))[0].tolist()
            raise value_error(file, float(block[row, column]), start + row, column)
        peak = max(peak, greatest)
        varies |= (block != first).any(axis=0)
        if progress:
            progress((start + len(block)) / shape[0])
    constant = int((~varies).sum())
    if constant == len(varies):
        raise shape_error(file, dtype, shape, ", all rows equal")
    if peak < SMALLEST:
        raise shape_error(file, dtype, shape, ", all rows alike to 1e-14")
    return [TableNote("constant_columns", {"constant": constant, "columns": len(varies)})] if constant else []


def block_length(n_columns: int) -> int:
    """Return how many rows are checked at a time."""
    return max(1, BLOCK // n_columns)


def value_error(file: str, value: object, row: int, column: int | str) -> TableError:
    """Return the error of a cell; row and a column's number are counted from 0, and shown from 1."""
    value = f"{value:.6g}" if isinstance(value, float) else str(value)
    column = str(column + 1) if isinstance(column, int) else column
    return TableError("value", file=file, value=value, row=row + 1, column=column)


def choose_table(
    file: str, tables: Sequence[str], choice: str | None, *, usual: Sequence[str] = ()
) -> tuple[str, list[TableNote]]:
    """Return the name of the table to read, and a note if there are others.

    The chosen one; else the one with a usual name, also after a prefix such as "model." before "embed_tokens.weight";
    else the only one. Otherwise the error lists all.
    """
    name = choice or (tables[0] if len(tables) == 1 else usual_name(tables, usual))
    if name is None or name not in tables:
        raise TableError("choose", file=file, choices=tuple(tables))
    return name, [TableNote("chosen", {"file": file, "choice": name})] if len(tables) > 1 else []


def usual_name(tables: Sequence[str], usual: Sequence[str]) -> str | None:
    """Return the table with the most usual name; None where two end in it."""
    for name in usual:
        matches = [table for table in tables if table == name] or [
            table for table in tables if table.endswith(f".{name}")
        ]
        if matches:
            return matches[0] if len(matches) == 1 else None
    return None
