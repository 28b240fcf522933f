"""Input and result of reading a table: files, limits, vectors and notes."""

import io
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from embedlib.tables.errors import TableError
from embedlib.tables.layout import TextLayout

Vectors = NDArray[np.floating[Any]]  # float32, or a memory map of float16, float32 or float64
LFS_POINTER = b"version https://git-lfs"  # what Git leaves in place of a large file


@dataclass(frozen=True, slots=True)
class TableNote:
    """Something to know about a table though nothing is wrong with it.

    Attributes:
        code: a key of TABLE_NOTES.
        values: what its sentence is filled with; text in it may come from the file.
    """

    code: str
    values: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class EmbeddingTable:
    """Vectors with what their file says about each.

    Attributes:
        vectors: (n_rows, d_model), both at least 2, every number finite. A float32 array in memory; or, where a .npy or
            .safetensors was given by its path, a read-only numpy.memmap of float16, float32 or float64, not in memory.
        labels: one text per row, or None where the files have none. Anything the file says: treat it as foreign.
        columns: further columns of text, name -> one text per row.
        name: the name of the file that the vectors came from.
        format: the format's name, a key of READERS without its dot, such as "npy".
        notes: what a reader should know about it.
        labels_from: the name of the second file, which labels and perhaps columns came from; None where there is none.
        layout: how a text file was read, with all that was found out; None for other formats.
    """

    vectors: Vectors
    labels: list[str] | None
    columns: dict[str, list[str]]
    name: str
    format: str
    notes: tuple[TableNote, ...] = ()
    labels_from: str | None = None
    layout: TextLayout | None = None


@dataclass(slots=True)
class Parts:
    """Content of one file: vectors, or labels and columns of text, or both."""

    vectors: NDArray[Any] | None = None
    labels: list[str] | None = None
    columns: dict[str, list[str]] = field(default_factory=dict)
    notes: list[TableNote] = field(default_factory=list)
    layout: TextLayout | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """Most memory, rows and columns of a table, checked before anything is allocated.

    Attributes:
        bytes: most that the files may have, and most that the vectors may take, in memory or mapped.
        rows: most rows.
        columns: most columns.
    """

    bytes: int
    rows: int
    columns: int

    def check_bytes(self, file: str, n_bytes: int) -> None:
        """Refuse more bytes than the limit."""
        self._check_sizes(file, 0, 0, n_bytes)

    def check_rows(self, file: str, n_rows: int) -> None:
        """Refuse more rows than the limit."""
        self._check_sizes(file, n_rows, 0, 0)

    def check_columns(self, file: str, n_columns: int) -> None:
        """Refuse more columns than the limit."""
        self._check_sizes(file, 0, n_columns, 0)

    def check_shape(self, file: str, shape: tuple[int, ...], itemsize: int = 4) -> None:
        """Refuse a shape (n_rows, n_columns) that goes over any of the three."""
        n_rows, n_columns = shape
        self._check_sizes(file, n_rows, n_columns, n_rows * n_columns * itemsize)

    def _check_sizes(self, file: str, n_rows: int, n_columns: int, n_bytes: int) -> None:
        if n_rows > self.rows or n_columns > self.columns or n_bytes > self.bytes:
            raise self.error(file, n_bytes)

    def error(self, file: str, n_bytes: int) -> TableError:
        """Return the error of a table that is over the limits, with what it would need where that is known."""
        sizes = {"found_mb": n_bytes / 1e6, "limit_mb": self.bytes / 1e6}
        return TableError("too_large", file=file, rows=self.rows, columns=self.columns, **sizes)


@dataclass(frozen=True, slots=True)
class TableFile:
    """A file by its path, or by its content and its name.

    Attributes:
        name: with its extension, which tells the format.
        content: a path, or a binary file object that can be searched; it is read from its beginning and left open.
    """

    name: str
    content: Path | BinaryIO

    @property
    def path(self) -> Path | None:
        """Its path, if that is known; only then it can be memory-mapped."""
        return self.content if isinstance(self.content, Path) else None

    @property
    def extension(self) -> str:
        """In lower case, with its dot; that of the packed file where gzip packed it."""
        return Path(self.name.lower().removesuffix(".gz")).suffix

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open the file, at its beginning, as a binary file object."""
        if not isinstance(self.content, Path):
            self.content.seek(0)
            yield self.content
            return
        try:
            stream = self.content.open("rb")
        except OSError as error:
            raise TableError("file", file=self.name, known=(self.extension,)) from error
        with stream:
            yield stream

    def size(self) -> int:
        """Count its bytes; a file object stays at its position."""
        if isinstance(self.content, Path):
            with self.open() as stream:
                return stream.seek(0, io.SEEK_END)
        position = self.content.tell()
        size = self.content.seek(0, io.SEEK_END)
        self.content.seek(position)
        return size


UNLIMITED = Limits(sys.maxsize, sys.maxsize, sys.maxsize)


@contextmanager
def library_errors(file: TableFile, limits: Limits = UNLIMITED) -> Iterator[None]:
    """Turn whatever a format's library raises into a TableError: of a damaged file, it may be anything."""
    try:
        yield
    except TableError:
        raise
    except MemoryError as error:
        raise limits.error(file.name, file.size()) from error
    except Exception as error:
        raise TableError("damaged", file=file.name, format=file.extension) from error
