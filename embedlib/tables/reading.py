"""From files to a table: the reader of each format, the limits, and the checks that every table passes."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from embedlib.tables.checks import as_float32, check_dtype, check_numbers, check_shape
from embedlib.tables.errors import TableError
from embedlib.tables.gzipped import unpack_gzip
from embedlib.tables.json_records import read_json
from embedlib.tables.layout import TextLayout
from embedlib.tables.numpy import npy_array, read_npy, read_npz
from embedlib.tables.parquet import read_parquet
from embedlib.tables.safetensors import read_safetensors, safetensors_array
from embedlib.tables.table import EmbeddingTable, Limits, Parts, Progress, TableFile, TableNote
from embedlib.tables.text import read_metadata, read_text, which_is_metadata
from embedlib.tables.word2vec import read_word2vec

Source = str | Path | BinaryIO | TableFile

# extension -> reader(file, limits, choice); a reader checks sizes before it makes anything.
READERS: dict[str, Callable[[TableFile, Limits, str | None], Parts]] = {
    ".npy": read_npy,
    ".npz": read_npz,
    ".safetensors": read_safetensors,
    ".tsv": read_text,
    ".csv": read_text,
    ".txt": read_text,
    ".vec": read_text,
    ".bin": read_word2vec,
    ".json": read_json,
    ".jsonl": read_json,
    ".ndjson": read_json,
    ".parquet": read_parquet,
}


def read_table(
    files: Source | Sequence[Source],
    *,
    choice: str | None = None,
    layout: TextLayout | None = None,
    limit_bytes: int = 4 * 2**30,
    max_rows: int = 2_000_000,
    max_columns: int = 65_536,
    limit_mapped: int | None = None,
    checked: bool = False,
    progress: Progress | None = None,
) -> EmbeddingTable:
    """Read a table of vectors, one per row, with the labels that its files give.

    No file can run anything: pickles are refused, and nothing is unpacked that would go over a limit.

    Args:
        files: one file, or two of which the other, a .tsv, labels the rows of the first, in either order. A path; a
            binary file object that can be searched and has a name; or a TableFile. The name's extension, a key of
            READERS, tells the format.
        choice: which table of a .npz, a .safetensors or a .parquet with several; None takes the only one, or the one
            with a usual name such as "wte.weight".
        layout: how a text file is written; what it leaves None, and all of it without one, is found out.
        limit_bytes: most that the files may have together, and most that they may take when read.
        max_rows: most rows.
        max_columns: most columns.
        limit_mapped: in place of limit_bytes for a table that stays on disk.
        checked: whether this very file has been read before: a mapped table's numbers are not looked at again.
        progress: called with the share in (0, 1] of the rows whose numbers have been checked; it may raise to stop.

    Returns:
        EmbeddingTable. A .npy or .safetensors by its path is mapped: it is read once, in blocks, to check its numbers.
        Integers, bfloat16 and numbers in foreign byte order are turned into float32 in memory.

    Raises:
        TableError: what is wrong with the files, by a key of TABLE_ERRORS; "choose" has the names in values["choices"].
    """
    limits = Limits(limit_bytes if limit_mapped is None else limit_mapped, max_rows, max_columns)
    first, second = _roles([_table_file(file) for file in _listed(files)], limits)
    reader = READERS[first.extension]
    parts = read_text(first, limits, choice, layout) if reader is read_text else reader(first, limits, choice)
    if limit_mapped is not None and parts.vectors is not None and not _stays_on_disk(parts.vectors):
        Limits(limit_bytes, max_rows, max_columns).check_shape(first.name, parts.vectors.shape)
    vectors, notes = _checked(first.name, parts.vectors, progress, before=checked)
    if second is not None:
        parts = _with_metadata(parts, read_metadata(second, limits), second.name, len(vectors))
    return EmbeddingTable(
        vectors,
        parts.labels,
        parts.columns,
        first.name,
        first.extension[1:],
        (*parts.notes, *notes),
        None if second is None else second.name,
        parts.layout,
    )


def read_array(source: Source, *, limit_bytes: int) -> NDArray[np.float64]:
    """Read the only array of a .npy or a .safetensors; nothing in the file is run.

    Args:
        source: as in read_table.
        limit_bytes: most that the file may have, and that its numbers may take as float64.

    Returns:
        Finite numbers, at least one not 0, of two dimensions or more, of which the last two are at least 2.

    Raises:
        TableError: what is wrong with the file.
    """
    file = _table_file(source)
    if file.extension not in (".npy", ".safetensors"):
        raise TableError("extension", file=file.name, known=(".npy", ".safetensors"))
    limits = Limits(limit_bytes, limit_bytes, limit_bytes)
    limits.check_bytes(file.name, file.size())
    read = npy_array if file.extension == ".npy" else safetensors_array

    def check(shape: tuple[int, ...]) -> None:
        if len(shape) < 2 or min(shape) < 1 or min(shape[-2:]) < 2:
            raise TableError("dimensions", file=file.name, shape=str(shape))
        limits.check_bytes(file.name, 8 * prod(shape))

    numbers = read(file, check).astype(np.float64)
    if not np.isfinite(numbers).all():
        row, column = (int(index) for index in np.argwhere(~np.isfinite(numbers))[0][-2:])
        raise TableError("infinite", file=file.name, row=row, column=column)
    if not numbers.any():
        raise TableError("too_small_numbers", file=file.name)
    return numbers


def _listed(files: Source | Sequence[Source]) -> list[Source]:
    return list(files) if isinstance(files, (list, tuple)) else [files]  # type: ignore[list-item]


def _table_file(source: Source) -> TableFile:
    if isinstance(source, TableFile):
        return source
    if isinstance(source, (str, Path)):
        return TableFile(Path(source).name, Path(source))
    return TableFile(Path(str(getattr(source, "name", ""))).name, source)


def _roles(files: list[TableFile], limits: Limits) -> tuple[TableFile, TableFile | None]:
    """Return the file of vectors, and that of labels where there is one, both of known kinds and within the limit."""
    if not files:
        raise TableError("no_file")
    if len(files) > 2:
        raise TableError("too_many_files", found=len(files))
    for file in files:
        if file.extension not in READERS:
            raise TableError("extension", file=file.name, known=tuple(READERS))
        if not file.size():
            raise TableError("empty_file", file=file.name)
    limits.check_bytes(files[0].name, sum(file.size() for file in files))
    first, *second = [unpack_gzip(file, limits) for file in files]
    return which_is_metadata(first, second[0], limits) if second else (first, None)


def _checked(
    file: str, vectors: NDArray[Any] | None, progress: Progress | None, *, before: bool
) -> tuple[NDArray[np.floating[Any]], list[TableNote]]:
    """Give the vectors as they are promised: checked, in a dtype and an order that others can use."""
    if vectors is None:
        raise TableError("vectors_missing", file=file)
    check_dtype(file, vectors.dtype)
    check_shape(file, vectors.shape)
    notes: list[TableNote] = []
    if _stays_on_disk(vectors):
        if before:
            return vectors, notes
    else:
        narrow, notes = as_float32(vectors)
        if vectors.dtype.itemsize == 8 and not np.isfinite(narrow).all():
            check_numbers(file, vectors.astype(np.float64, copy=False))  # says which number was too large
        vectors = narrow
    return vectors, [*notes, *check_numbers(file, vectors, progress)]


def _stays_on_disk(vectors: NDArray[Any]) -> bool:
    usable = vectors.dtype.kind == "f" and vectors.dtype.isnative and vectors.flags.aligned
    return isinstance(vectors, np.memmap) and usable


def _with_metadata(parts: Parts, metadata: Parts, file: str, n_rows: int) -> Parts:
    lines = len(metadata.labels or [])
    if lines != n_rows:
        raise TableError("metadata_lines", file=file, lines=lines, rows=n_rows)
    return replace(parts, labels=metadata.labels, columns={**parts.columns, **metadata.columns})
