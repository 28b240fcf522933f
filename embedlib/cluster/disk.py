"""Tables on disk beyond memory, cut into parts that another machine can read by a short description."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embedlib.blocks import row_blocks
from embedlib.cluster.errors import ClusterError
from embedlib.cluster.zarr import chunk_rows, header_file, open_zarr, zarr_blocks
from embedlib.tables.checks import shape_error
from embedlib.tables.errors import TableError
from embedlib.tables.numpy import load_npy
from embedlib.tables.parquet import ParquetTable, open_parquet
from embedlib.tables.table import UNLIMITED, TableFile, library_errors

_KINDS = (".npy", ".parquet", ".zarr")


@dataclass(frozen=True, slots=True)
class TablePart:
    """Consecutive rows of a table.

    Attributes:
        path: of the file, or the folder of a .zarr, absolute.
        size: bytes of this file, or of the header in that folder, when the table was cut.
        first: number of the first row in the table.
        start: of a .npy or a .zarr the first row in the file, of a .parquet the first row group.
        stop: past the last of these.
    """

    path: str
    size: int
    first: int
    n_rows: int
    start: int
    stop: int

    def blocks(self, n_rows: int) -> Iterator[NDArray[Any]]:
        """Read the rows from the file, (up to n_rows, d_model), in their own float dtype, others as float32.

        TableError if the file is missing, damaged, or was changed after the cut.
        """
        file = TableFile(Path(self.path).name, Path(self.path))
        if _stored_size(file) != self.size:
            raise ClusterError("changed", file=file.name)
        if file.extension != ".parquet":
            for block in _READ[file.extension](file, self.start, self.stop, n_rows):
                yield block if block.dtype.kind == "f" else block.astype(np.float32)
        else:
            with _open_parquet(file) as opened:
                yield from (block for block, _ in opened.blocks(n_rows, range(self.start, self.stop)))


@dataclass(frozen=True, slots=True)
class TableOnDisk:
    """A table in one file or several, cut into parts, in order; blocks are float16, float32 or float64."""

    parts: tuple[TablePart, ...]
    n_rows: int
    d_model: int
    dtype: np.dtype[Any]


def table_on_disk(files: str | Path | Sequence[str | Path], *, rows_per_part: int = 65_536) -> TableOnDisk:
    """Cut a table of any size, of at least one row, into parts; only headers are read.

    Args:
        files: a .npy, .parquet or .zarr (a Zarr array in a folder), a folder of these, in the order of their names, or
            several in order; all of one width and dtype.
        rows_per_part: approximate; a .parquet is cut at row groups, a .zarr at chunks.

    Raises:
        TableError: a file that is missing, damaged, of another kind, or of another width or dtype than the first.
        ValueError: rows_per_part below 1.
    """
    if rows_per_part < 1:
        raise ValueError(f"rows_per_part={rows_per_part} must be at least 1")
    parts: list[TablePart] = []
    n_rows, kind = 0, None
    for path in _list_files(files):
        file = TableFile(path.name, path)
        if file.extension not in _KINDS:
            raise TableError("file", file=file.name, known=_KINDS)
        own, d_model, dtype = _CUT[file.extension](file, rows_per_part)
        if kind is not None and kind != (d_model, dtype):
            raise ClusterError(
                "other_kind", file=file.name, found=f"{d_model} × {dtype}", expected=f"{kind[0]} × {kind[1]}"
            )
        kind = d_model, dtype
        for count, start, stop in own:
            parts.append(TablePart(str(path.resolve()), _stored_size(file), n_rows, count, start, stop))
            n_rows += count
    if kind is None:
        raise TableError("file", file=Path(str(files)).name if isinstance(files, str | Path) else "", known=_KINDS)
    return TableOnDisk(tuple(parts), n_rows, *kind)


def _list_files(files: str | Path | Sequence[str | Path]) -> list[Path]:
    paths = [Path(file) for file in ([files] if isinstance(files, str | Path) else files)]
    if len(paths) == 1 and paths[0].is_dir() and paths[0].suffix.lower() != ".zarr":
        return sorted(path for path in paths[0].iterdir() if path.suffix.lower() in _KINDS)
    return paths


# (number of rows, start, stop) of each part, d_model, dtype
_Cut = tuple[list[tuple[int, int, int]], int, np.dtype[Any]]


def _stored_size(file: TableFile) -> int:
    return (header_file(file) if file.extension == ".zarr" else file).size()


def _cut_npy(file: TableFile, rows_per_part: int) -> _Cut:
    return _cut_rows(_map_npy(file), rows_per_part)


def _cut_zarr(file: TableFile, rows_per_part: int) -> _Cut:
    array = open_zarr(file)
    whole = chunk_rows(array)
    return _cut_rows(array, -(-rows_per_part // whole) * whole)


def _cut_rows(table: Any, rows_per_part: int) -> _Cut:
    n_rows, d_model = table.shape
    dtype = table.dtype.newbyteorder("=") if table.dtype.kind == "f" else np.dtype(np.float32)
    starts = range(0, n_rows, rows_per_part)
    return (
        [(min(rows_per_part, n_rows - start), start, min(start + rows_per_part, n_rows)) for start in starts],
        d_model,
        dtype,
    )


def _cut_parquet(file: TableFile, rows_per_part: int) -> _Cut:
    with _open_parquet(file) as opened:
        cut, start, count = [], 0, 0
        for group, rows in enumerate(opened.group_rows):
            count += rows
            if count >= rows_per_part or group + 1 == len(opened.group_rows):
                cut.append((count, start, group + 1))
                start, count = group + 1, 0
        return cut, opened.d_model, np.dtype(np.float32)


@contextmanager
def _open_parquet(file: TableFile) -> Iterator[ParquetTable]:
    with library_errors(file), open_parquet(file, None, UNLIMITED) as opened:
        yield opened


def _npy_blocks(file: TableFile, start: int, stop: int, n_rows: int) -> Iterator[NDArray[Any]]:
    for _, block in row_blocks(_map_npy(file)[start:stop], n_rows):
        yield block


def _map_npy(file: TableFile) -> NDArray[Any]:
    """Map a .npy; nothing of it is read but its header."""

    def check(shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        if len(shape) != 2 or 0 in shape:
            raise shape_error(file.name, dtype, shape)

    with library_errors(file):
        return load_npy(file, check)


_CUT = {".npy": _cut_npy, ".parquet": _cut_parquet, ".zarr": _cut_zarr}
_READ = {".npy": _npy_blocks, ".zarr": zarr_blocks}
