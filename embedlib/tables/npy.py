"""NumPy's own files, .npy: the heading is read and believed only as far as the file has bytes for it."""

import io
from dataclasses import dataclass
from math import prod
from tokenize import TokenError
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format as npy_format
from numpy.typing import NDArray

from embedlib.tables.checks import check_dtype, check_shape
from embedlib.tables.errors import TableError
from embedlib.tables.table import Limits, Parts, TableFile

CHUNK = 2**20  # bytes
# How a pickle of protocol 2 or later begins; older ones have no mark and are refused as being no .npy.
PICKLES = tuple(bytes([0x80, protocol]) for protocol in range(2, 6))


@dataclass(frozen=True, slots=True)
class Heading:
    """What a .npy says about itself."""

    shape: tuple[int, ...]
    fortran_order: bool
    dtype: np.dtype[Any]

    @property
    def n_bytes(self) -> int:
        """How many bytes the numbers take, if that is true."""
        return prod(self.shape) * self.dtype.itemsize


def read_npy(file: TableFile, limits: Limits, choice: str | None) -> Parts:
    """Read a .npy; by its path it is mapped and not read."""
    del choice  # it holds one table
    size = file.size()
    with file.open() as stream:
        heading = read_heading(stream, file.name)
        check_dtype(file.name, heading.dtype)
        check_shape(file.name, heading.shape)
        limits.check_shape(file.name, heading.shape, heading.dtype.itemsize)
        start = stream.tell()
        if heading.n_bytes != size - start:
            raise TableError("truncated", file=file.name, claimed=heading.n_bytes, found=size - start)
        if file.path is None:
            return Parts(read_numbers(stream, heading, file.name))
    return Parts(np.memmap(file.path, heading.dtype, "r", start, heading.shape, "F" if heading.fortran_order else "C"))


def read_heading(stream: BinaryIO, name: str) -> Heading:
    """Read the heading with NumPy's own reader, which evaluates literals only, at most 10,000 characters of them.

    Raises:
        TableError: "pickle" or "damaged".
    """
    start = stream.read(npy_format.MAGIC_LEN)
    if start.startswith(PICKLES):
        raise TableError("pickle", file=name)
    try:
        version = npy_format.read_magic(io.BytesIO(start))
        # A third version exists only for named fields, which are no numbers.
        read = {(1, 0): npy_format.read_array_header_1_0, (2, 0): npy_format.read_array_header_2_0}[version]
        shape, fortran_order, dtype = read(stream)
    except (ValueError, KeyError, TypeError, SyntaxError, RecursionError, MemoryError, TokenError) as error:
        raise TableError("damaged", file=name, format=".npy") from error
    if min(shape, default=0) < 0:
        raise TableError("damaged", file=name, format=".npy")
    return Heading(shape, fortran_order, dtype)


def read_numbers(stream: BinaryIO, heading: Heading, name: str) -> NDArray[Any]:
    """Read as many bytes as the heading announces, and not one more.

    Raises:
        TableError: "truncated"; check what the heading announces against the limits before.
    """
    buffer = bytearray(heading.n_bytes)
    view, found = memoryview(buffer), 0
    while found < len(buffer):
        part = stream.read(min(CHUNK, len(buffer) - found))
        if not part:
            raise TableError("truncated", file=name, claimed=len(buffer), found=found)
        view[found : found + len(part)] = part
        found += len(part)
    flat = np.frombuffer(buffer, heading.dtype)
    return flat.reshape(heading.shape, order="F" if heading.fortran_order else "C")
