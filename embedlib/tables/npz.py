"""NumPy's archives, .npz: the sizes that one announces are held against the limit before anything is unpacked."""

import zipfile
import zlib
from typing import Any

from numpy.typing import NDArray

from embedlib.tables.checks import check_dtype, check_shape
from embedlib.tables.choices import chosen
from embedlib.tables.errors import TableError
from embedlib.tables.npy import Heading, read_heading, read_numbers
from embedlib.tables.table import Limits, Parts, TableFile

LABEL_ARRAYS = ("labels", "words", "tokens")
PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # all that NumPy writes
DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError)


def read_npz(file: TableFile, limits: Limits, choice: str | None) -> Parts:
    """Read one two-dimensional array of an archive, and its array of labels where it has one."""
    with file.open() as stream:
        try:
            with zipfile.ZipFile(stream) as archive:
                return _read(archive, file.name, limits, choice)
        except TableError:
            raise
        except DAMAGE as error:
            raise TableError("damaged", file=file.name, format=".npz") from error


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
        return list(map(str, array.tolist()))
    return None
