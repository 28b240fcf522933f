"""From files to a table: the reader of each format, the limits, and the checks for every table."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from embedlib.progress import Progress
from embedlib.tables.checks import as_float32, check_dtype, check_numbers, check_shape, shape_error, value_error
from embedlib.tables.child import array_from_child, table_from_child
from embedlib.tables.errors import TableError
from embedlib.tables.gzipped import unpack_gzip
from embedlib.tables.json_records import read_json
from embedlib.tables.layout import TextLayout
from embedlib.tables.numpy import load_npy, read_npy, read_npz
from embedlib.tables.parquet import read_parquet
from embedlib.tables.safetensors import load_only_tensor, read_safetensors
from embedlib.tables.table import (
    LFS_POINTER,
    EmbeddingTable,
    Limits,
    Parts,
    TableFile,
    TableNote,
    library_errors,
)
from embedlib.tables.text import read_metadata, read_text, split_vectors_and_metadata
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
    isolated: bool | None = None,
    progress: Progress | None = None,
) -> EmbeddingTable:
    """Read a table of vectors, one per row, with the labels that its files give.

    Pickle is never loaded, and nothing is unpacked beyond a limit. A .npy or .safetensors by its path is mapped: it is
    read once, in blocks, to check its numbers. Integers, bfloat16 and numbers in foreign byte order become float32 in
    memory.

    Args:
        files: one file, or two of which the other, a .tsv or .txt, labels the rows of the first, in any order. A path;
            a seekable binary file object with a name; or a TableFile. The name's extension, a key of READERS, gives the
            format; ".gz" may follow it.
        choice: table of a .npz, a .safetensors or a .parquet with several; None takes the only one, or the one with a
            usual name such as "wte.weight".
        layout: of a text file; None in it, or None, is detected.
        limit_bytes: of the files together, and of their content in memory.
        limit_mapped: in place of limit_bytes for a table that stays on disk.
        checked: whether this very file has been read before: a mapped table's numbers are not checked again.
        isolated: whether to read in a child process of limited memory and time, which costs 0.1 to 0.3 s: a file that
            crashes a reader then ends the child alone. None isolates file objects, which are uploads, and not files
            given by their paths.
        progress: called with the share in (0, 1] of the rows checked; it may raise to stop. Not called if isolated.

    Raises:
        TableError: by a key of TABLE_ERRORS; "choose" has the names in values["choices"].
    """
    given: Sequence[Source] = files if isinstance(files, list | tuple) else [files]  # type: ignore[list-item]
    sources = list(map(_table_file, given))
    if not 1 <= len(sources) <= 2:
        raise ValueError(f"files has {len(sources)} files; it must have one of vectors, and may have one of labels")
    limits = Limits(limit_bytes if limit_mapped is None else limit_mapped, max_rows, max_columns)
    for file in sources:
        _check_file(file, READERS)
    limits.check_bytes(sources[0].name, sum(file.size() for file in sources))
    if _is_isolated(sources, isolated):
        options = {"choice": choice, "limit_bytes": limit_bytes, "max_rows": max_rows, "max_columns": max_columns}
        return table_from_child(sources, limits, layout, options)
    with library_errors(sources[0], limits):
        first, *others = (unpack_gzip(file, limits) for file in sources)
        second = None
        if others:
            first, second = split_vectors_and_metadata(first, others[0], limits)
    reader = READERS[first.extension]
    with library_errors(first, limits):
        parts = read_text(first, limits, choice, layout) if reader is read_text else reader(first, limits, choice)
    if parts.vectors is None:
        raise TableError("labels", file=first.name, labels=len(parts.labels or ()), rows=0)
    if limit_mapped is not None and not _stays_on_disk(parts.vectors):
        Limits(limit_bytes, max_rows, max_columns).check_shape(first.name, parts.vectors.shape)
    vectors, notes = _check_vectors(first.name, parts.vectors, progress, before=checked)
    if second is not None:
        with library_errors(second, limits):
            metadata = read_metadata(second, limits)
        if len(metadata.labels or []) != len(vectors):
            raise TableError("labels", file=second.name, labels=len(metadata.labels or []), rows=len(vectors))
        parts = replace(parts, labels=metadata.labels, columns={**parts.columns, **metadata.columns})
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


def read_array(source: Source, *, limit_bytes: int, isolated: bool | None = None) -> NDArray[np.float64]:
    """Read the only array of a .npy or a .safetensors, of two dimensions or more, in float64; nothing in it is run.

    The last dimension and one other are at least 2, the numbers finite and not all 0. `limit_bytes` is for the file,
    and for its numbers as float64.
    """
    file, limits = _table_file(source), Limits(limit_bytes, limit_bytes, limit_bytes)
    load = {".npy": load_npy, ".safetensors": load_only_tensor}
    _check_file(file, load)
    limits.check_bytes(file.name, file.size())
    if _is_isolated([file], isolated):
        return array_from_child(file, limits)

    def check(shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        if len(shape) < 2 or min(shape) < 1 or shape[-1] < 2 or max(shape[:-1]) < 2:
            raise shape_error(file.name, dtype, shape)
        limits.check_bytes(file.name, 8 * prod(shape))

    with library_errors(file, limits):
        numbers: NDArray[np.float64] = load[file.extension](file, check).astype(np.float64)
    if not np.isfinite(numbers).all():
        at = tuple(np.argwhere(~np.isfinite(numbers))[0].tolist())
        raise value_error(file.name, float(numbers[at]), *at[-2:])
    if not numbers.any():
        raise shape_error(file.name, numbers.dtype, numbers.shape, ", all 0")
    return numbers


def _table_file(source: Source) -> TableFile:
    if isinstance(source, TableFile):
        return source
    if isinstance(source, str | Path):
        return TableFile(Path(source).name, Path(source))
    return TableFile(Path(str(getattr(source, "name", ""))).name, source)


def _check_file(file: TableFile, known: Mapping[str, object]) -> None:
    """Refuse another extension, a Git LFS pointer and an empty file."""
    if file.extension not in known:
        raise TableError("file", file=file.name, known=tuple(known))
    with file.open() as stream:
        start = stream.read(len(LFS_POINTER))
    if start == LFS_POINTER:
        raise TableError("lfs", file=file.name)
    if not start:
        raise TableError("empty", file=file.name)


def _is_isolated(files: Sequence[TableFile], isolated: bool | None) -> bool:
    # A table by its path is the user's or the server's own, and mapped where it can be: a child could not hand the map
    # over. On Windows, no child inherits a file.
    return any(file.path is None for file in files) and os.name == "posix" if isolated is None else isolated


def _check_vectors(
    file: str, vectors: NDArray[Any], progress: Progress | None, *, before: bool
) -> tuple[NDArray[np.floating[Any]], list[TableNote]]:
    """Check the vectors, and convert them to native byte order and a float dtype."""
    check_dtype(file, vectors.dtype, vectors.shape)
    check_shape(file, vectors.dtype, vectors.shape)
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
