"""NumPy's own files, .npy, and its archives, .npz.

A heading is believed only as far as the file has bytes for it, and the sizes that an archive announces are held against
the limit before anything is unpacked.
"""

import io
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from tokenize import TokenError
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format as npy_format
from numpy.typing import NDArray

from embedlib.tables.checks import check_dtype, check_shape, chosen
from embedlib.tables.errors import TableError
from embedlib.tables.table import Limits, Parts, TableFile

CHUNK = 2**20  # bytes
MOST_ARRAYS = 1_000  # of an archive: each has a heading to be read
LONGEST_DIRECTORY = 2**20  # bytes of an archive's list of its arrays, which zipfile reads at once and keeps
# How a pickle of protocol 2 or later begins; older ones have no mark and are refused as being no .npy.
PICKLES = tuple(bytes([0x80, protocol]) for protocol in range(2, 6))
LABEL_ARRAYS = ("labels", "words", "tokens")
PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # all that NumPy writes
DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError)


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


def npy_array(file: TableFile, check: Callable[[tuple[int, ...]], None]) -> NDArray[Any]:
    """Read a .npy of any shape that passes a check before anything is read."""
    with file.open() as stream:
        heading = read_heading(stream, file.name)
        check_dtype(file.name, heading.dtype)
        check(heading.shape)
        if heading.n_bytes != (found := file.size() - stream.tell()):
            raise TableError("truncated", file=file.name, claimed=heading.n_bytes, found=found)
        return read_numbers(stream, heading, file.name)


def read_heading(stream: BinaryIO, name: str) -> Heading:
    """Read the heading with NumPy's own reader, which evaluates literals only, at most 10,000 characters of them."""
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
    """Read as many bytes as the heading announces, and not one more; check that against the limits before."""
    buffer = bytearray(heading.n_bytes)
    view, n_read = memoryview(buffer), 0
    while n_read < len(buffer):
        part = stream.read(min(CHUNK, len(buffer) - n_read))
        if not part:
            raise TableError("truncated", file=name, claimed=len(buffer), found=n_read)
        view[n_read : n_read + len(part)] = part
        n_read += len(part)
    flat = np.frombuffer(buffer, heading.dtype)
    return flat.reshape(heading.shape, order="F" if heading.fortran_order else "C")


def read_npz(file: TableFile, limits: Limits, choice: str | None) -> Parts:
    """Read one two-dimensional array of an archive, and its array of labels where it has one."""
    with file.open() as stream:
        try:
            with zipfile.ZipFile(_Sparing(stream)) as archive:
                return _read(archive, file.name, limits, choice)
        except TableError:
            raise
        except DAMAGE as error:
            raise TableError("damaged", file=file.name, format=".npz") from error


class _Sparing:
    """A file of which nobody reads more than LONGEST_DIRECTORY at once: millions of arrays listed take gigabytes."""

    def __init__(self, stream: BinaryIO) -> None:
        self.tell, self.seek, self.seekable = stream.tell, stream.seek, stream.seekable
        self._read = stream.read

    def read(self, count: int = -1) -> bytes:
        content = self._read(LONGEST_DIRECTORY + 1 if count < 0 else min(count, LONGEST_DIRECTORY + 1))
        if len(content) > LONGEST_DIRECTORY:
            raise ValueError("too much at once")
        return content


def _read(archive: zipfile.ZipFile, file: str, limits: Limits, choice: str | None) -> Parts:
    _check_archive(archive, file, limits)
    headings = {}
    for member in archive.namelist():
        with archive.open(member) as stream:
            headings[member.removesuffix(".npy")] = read_heading(stream, file)  # type: ignore[arg-type]
    if any(heading.dtype.hasobject for heading in headings.values()):
        raise TableError("pickle", file=file)
    tables = [name for name, heading in headings.items() if len(heading.shape) == 2 and heading.dtype.kind not in "US"]
    if not tables and len(headings) == 1:  # say what is wrong with the only array there is
        tables = list(headings)
    name, notes = chosen(file, tables, tuple(headings), choice)
    check_dtype(file, headings[name].dtype)
    check_shape(file, headings[name].shape)
    limits.check_shape(file, headings[name].shape, headings[name].dtype.itemsize)
    vectors = _array(archive, name, headings[name], file)
    return Parts(vectors, _labels(archive, headings, len(vectors), file), notes=notes)


def _check_archive(archive: zipfile.ZipFile, file: str, limits: Limits) -> None:
    """Refuse what is no archive of arrays, and one that would unpack to more than the limit."""
    members = archive.infolist()
    if any(member.filename.endswith((".pkl", ".pickle")) for member in members):
        raise TableError("pickle", file=file)
    if any(not member.filename.endswith(".npy") for member in members) or not members:
        raise TableError("damaged", file=file, format=".npz")
    if len(members) > MOST_ARRAYS:
        raise TableError("too_many_arrays", file=file, limit=MOST_ARRAYS)
    if any(member.compress_type not in PACKINGS or member.flag_bits & 1 for member in members):  # bit 0: encrypted
        raise TableError("packing", file=file)
    limits.check_bytes(file, sum(member.file_size for member in members))


def _array(archive: zipfile.ZipFile, name: str, heading: Heading, file: str) -> NDArray[Any]:
    """Unpack one array; zipfile itself gives no more bytes than the archive announced for it."""
    member = archive.getinfo(f"{name}.npy")
    with archive.open(member) as stream:
        read_heading(stream, file)  # type: ignore[arg-type]
        announced = member.file_size - stream.tell()
        if heading.n_bytes != announced:
            raise TableError("truncated", file=file, claimed=heading.n_bytes, found=announced)
        array = read_numbers(stream, heading, file)  # type: ignore[arg-type]
        stream.read(1)  # at the end zipfile compares the checksum
        return array


def _labels(archive: zipfile.ZipFile, headings: dict[str, Heading], n_rows: int, file: str) -> list[str] | None:
    """Give the first array of that name that holds text, or whole numbers, one for each row."""
    for name in LABEL_ARRAYS:
        heading = headings.get(name)
        if heading is None or len(heading.shape) != 1 or heading.dtype.kind not in "USiu":
            continue
        if heading.shape[0] != n_rows:
            raise TableError("label_count", file=file, labels=heading.shape[0], rows=n_rows)
        array = _array(archive, name, heading, file)
        if heading.dtype.kind == "S":
            return [label.decode("utf-8", "replace") for label in array.tolist()]
        if heading.dtype.kind == "U":  # NumPy takes the bytes for code points, which they need not be
            content, size = array.tobytes(), heading.dtype.itemsize
            order = "utf-32-be" if heading.dtype.str.startswith(">") else "utf-32-le"
            cells = (content[start : start + size] for start in range(0, len(content), size))
            return [cell.decode(order, "replace").rstrip("\0") for cell in cells]
        return list(map(str, array.tolist()))
    return None
