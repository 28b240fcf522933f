"""The rules that a table's numbers keep, checked in blocks, so that a mapped file is never in memory as a whole."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embedlib.tables.errors import TableError
from embedlib.tables.table import Progress, TableNote

BLOCK = 4 * 2**20  # numbers looked at in one go
FLOAT32_MAX = float(np.finfo(np.float32).max)
# 4 GiB of numbers up to here have squares whose sum, 1e37, is still finite in float32; and where the greatest number
# reaches the other bound, products of two lengths are far from float32's least, 1e-38.
LARGEST, SMALLEST = float(np.float32(1e14)), float(np.float32(1e-14))


def check_dtype(file: str, dtype: np.dtype[Any]) -> None:
    """Refuse what is no real number; objects first, since they are pickles."""
    if dtype.hasobject:
        raise TableError("pickle", file=file)
    if dtype.kind not in "fiu" or dtype.itemsize > 8:
        raise TableError("dtype", file=file, dtype=str(dtype))


def check_shape(file: str, shape: tuple[int, ...]) -> None:
    """Refuse what is no table, or one that no picture can be made of."""
    if len(shape) != 2:
        raise TableError("dimensions", file=file, shape=str(shape))
    n_rows, n_columns = shape
    for count, none, one in ((n_rows, "no_rows", "one_row"), (n_columns, "no_columns", "one_column")):
        if count < 2:
            raise TableError(none if count == 0 else one, file=file)


def as_float32(vectors: NDArray[Any]) -> tuple[NDArray[np.float32], list[TableNote]]:
    """Copy real numbers of any dtype and byte order into float32, too large ones as infinity; note rounding."""
    if vectors.dtype == np.float32 and vectors.flags.c_contiguous and vectors.flags.aligned:
        return vectors.astype(np.float32, copy=False), []
    copy = np.empty(vectors.shape, np.float32)
    exact = True
    with np.errstate(over="ignore"):  # said by check_numbers
        for start, block in _blocks(vectors):
            copy[start : start + len(block)] = block
            if vectors.dtype.itemsize > 2 and vectors.dtype != np.float32:
                exact = exact and np.array_equal(
                    copy[start : start + len(block)], block, equal_nan=vectors.dtype.kind == "f"
                )
    return copy, [] if exact else [TableNote("narrowed", {"dtype": vectors.dtype.name})]


def check_numbers(file: str, vectors: NDArray[Any], progress: Progress | None = None) -> list[TableNote]:
    """Refuse numbers that float32 cannot hold or square, and tables whose rows are all the same.

    The error names the first such row and column; some constant columns give a note. `progress` is called with the
    share done, in (0, 1], and may raise to stop.
    """
    varies = np.zeros(vectors.shape[1], dtype=bool)  # (d_model,)
    first, peak = np.array(vectors[0]), 0.0
    for start, block in _blocks(vectors):
        good = np.isfinite(block) if block.dtype.itemsize < 8 else np.abs(block) <= FLOAT32_MAX
        if not good.all():
            row, column = (int(index) for index in np.argwhere(~good)[0])
            raise TableError(_trouble(float(block[row, column])), file=file, row=start + row, column=column)
        greatest = max(float(block.max()), -float(block.min()))
        if greatest > LARGEST:
            row, column = (int(index) for index in np.argwhere(np.abs(block) > LARGEST)[0])
            raise TableError("too_large_numbers", file=file, row=start + row, column=column)
        peak = max(peak, greatest)
        varies |= (block != first).any(axis=0)
        if progress:
            progress((start + len(block)) / len(vectors))
    constant = int((~varies).sum())
    if constant == len(varies):
        raise TableError("all_rows_equal", file=file)
    if peak < SMALLEST:
        raise TableError("too_small_numbers", file=file)
    return [TableNote("constant_columns", {"constant": constant, "columns": len(varies)})] if constant else []


def _trouble(number: float) -> str:
    if np.isnan(number):
        return "not_a_number_value"
    return "infinite" if np.isinf(number) else "beyond_float32"


def _blocks(vectors: NDArray[Any]) -> Iterator[tuple[int, NDArray[Any]]]:
    """Yield (first row, rows) from top to bottom; those of a memory map are unmapped before the next."""
    n_rows, n_columns = vectors.shape
    step = max(1, BLOCK // n_columns)
    remap = isinstance(vectors, np.memmap) and vectors.flags.c_contiguous
    for start in range(0, n_rows, step):
        count = min(step, n_rows - start)
        if remap:  # pages once read would count as ours for as long as the whole map is kept
            offset = vectors.offset + start * vectors.strides[0]  # type: ignore[attr-defined]
            name = vectors.filename  # type: ignore[attr-defined]
            yield start, np.memmap(name, vectors.dtype, "r", offset, (count, n_columns))
        else:
            yield start, vectors[start : start + count]


def chosen(
    file: str, tables: Sequence[str], names: Sequence[str], choice: str | None, *, usual: Sequence[str] = ()
) -> tuple[str, list[TableNote]]:
    """Return the name of the table that is meant, and a note where there are others.

    It is the one asked for; else the first that goes by a usual name, which may have more in front, such as "model."
    before "embed_tokens.weight"; else the only one. Where none of these is, the error has all that there is.
    """
    if not tables:
        raise TableError("no_table", file=file, names=tuple(names))
    if choice is not None and choice not in tables:
        raise TableError("unknown_choice", file=file, choice=choice, choices=tuple(tables))
    name = choice or (tables[0] if len(tables) == 1 else usual_name(tables, usual))
    if name is None:
        raise TableError("choose", file=file, choices=tuple(tables))
    others = len(tables) > 1
    return name, [TableNote("chosen", {"file": file, "choice": name})] if others else []


def usual_name(tables: Sequence[str], usual: Sequence[str]) -> str | None:
    """Return the table of the most usual name; where two end in it, it takes somebody to choose."""
    for name in usual:
        matches = [table for table in tables if table == name] or [
            table for table in tables if table.endswith(f".{name}")
        ]
        if len(matches) == 1:
            return matches[0]
        if matches:
            return None
    return None
