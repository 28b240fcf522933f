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
    """A remark on a table that was read without error.

    Attributes:
        code: a key of TABLE_NOTES.
        values: fill its sentence; text in them may come from the file.
    """

    code: str
    values: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class EmbeddingTable:
    """Vectors with the labels and columns of text in their file.

    Attributes:
        vectors: (n_rows, d_model), both at least 2, every number finite. A float32 array in memory; or, where a .npy or
            .safetensors was given by its path, a read-only numpy.memmap of float16, float32 or float64.
        labels: one text per row, or None where the files have none. Treat them as foreign.
        columns: further columns of text, name -> one text per row.
        name: of the file of the vectors.
        format: a key of READERS without its dot, such as "npy".
        labels_from: the name of the second file, with labels and perhaps columns; None where there is none.
        layout: of a text file, complete; None for other formats.
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

    `bytes` is for the files, and for the vectors in memory or mapped.
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
        """Refuse a shape (n_rows, n_columns) beyond any of the three."""
        n_rows, n_columns = shape
        self._check_sizes(file, n_rows, n_columns, n_rows * n_columns * itemsize)

    def _check_sizes(self, file: str, n_rows: int, n_columns: int, n_bytes: int) -> None:
        if n_rows > self.rows or n_columns > self.columns or n_bytes > self.bytes:
            raise self.error(file, n_bytes)

    def error(self, file: str, n_bytes: int) -> TableError:
        """Return the error of a table beyond the limits, with its own needs where they are known."""
        sizes = {"found_mb": n_bytes / 1e6, "limit_mb": self.bytes / 1e6}
        return TableError("too_large", file=file, rows=self.rows, columns=self.columns, **sizes)


@dataclass(frozen=True, slots=True)
class TableFile:
    """A file by its path, or by its content and its name.

    Attributes:
        name: with its extension, which gives the format.
        content: a path, or a seekable binary file object; it is read from its beginning and left open.
    """

    name: str
    content: Path | BinaryIO

    @property
    def path(self) -> Path | None:
        """The path, if there is one; only then can the file be memory-mapped."""
        return self.content if isinstance(self.content, Path) else None

    @property
    def extension(self) -> str:
        """The extension in lower case, with its dot; of a gzip file that of its content."""
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
        """Count the bytes; a file object keeps its position."""
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
    """Convert any exception of a format's library to a TableError: on a damaged file, it may be anything."""
    try:
        yield
    except TableError:
        raise
    except MemoryError as error:
        raise limits.error(file.name, file.size()) from error
    except Exception as error:
        raise TableError("damaged", file=file.name, format=file.extension) from error
