"""NumPy's own files, .npy, and its archives, .npz; sizes are checked before anything is read or unpacked."""

import zipfile
from collections.abc import Callable
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format as npy_format
from numpy.typing import NDArray

from embedlib.tables.checks import NO_PICKLES, check_dtype, check_shape, choose_table
from embedlib.tables.errors import TableError
from embedlib.tables.layout import LABEL_COLUMNS, label_name
from embedlib.tables.table import Limits, Parts, TableFile, TableNote

Header = tuple[tuple[int, ...], np.dtype[Any]]
Check = Callable[[tuple[int, ...], np.dtype[Any]], None]


def read_header(stream: BinaryIO, file: str) -> Header:
    """Read shape and dtype of a .npy with NumPy's own reader, which evaluates literals only."""
    start = stream.read(npy_format.MAGIC_LEN)
    if start[:1] == b"\x80":  # a pickle of protocol 2 or later
        raise TableError("file", file=file, known=NO_PICKLES)
    # A third version exists only for named fields, which are no numbers.
    readers = {b"\1\0": npy_format.read_array_header_1_0, b"\2\0": npy_format.read_array_header_2_0}
    shape, _, dtype = readers[start.removeprefix(npy_format.MAGIC_PREFIX)](stream)
    if min(shape, default=0) < 0:
        raise ValueError(f"shape {shape}")
    return shape, dtype


def load_npy(file: TableFile, check_layout: Check) -> NDArray[Any]:
    """Map a .npy given by its path, or read one given by its content, after a check of shape and dtype."""
    with file.open() as stream:
        shape, dtype = read_header(stream, file.name)
        check_dtype(file.name, dtype, shape)
        check_layout(shape, dtype)
        if file.path is not None:
            return npy_format.open_memmap(file.path, "r")
        stream.seek(0)
        return np.load(stream, allow_pickle=False)  # type: ignore[no-any-return]


def read_npy(file: TableFile, limits: Limits, choice: str | None) -> Parts:
    """Read a .npy; by its path it is mapped and not read."""
    del choice  # it holds one table

    def check_layout(shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        check_shape(file.name, dtype, shape)
        limits.check_shape(file.name, shape, dtype.itemsize)

    return Parts(load_npy(file, check_layout))


def read_npz(file: TableFile, limits: Limits, choice: str | None) -> Parts:
    """Read one two-dimensional array of an archive, and those with one entry per row as labels and columns."""
    with file.open() as stream, zipfile.ZipFile(stream) as archive:
        members = archive.infolist()
        if any(member.filename.endswith((".pkl", ".pickle")) for member in members):
            raise TableError("file", file=file.name, known=NO_PICKLES)
        limits.check_bytes(file.name, sum(member.file_size for member in members))
        headers: dict[str, Header] = {}
        for member in members:
            with archive.open(member) as content:
                shape, dtype = read_header(content, file.name)  # type: ignore[arg-type]
                if dtype.hasobject:
                    check_dtype(file.name, dtype, shape)
                headers[member.filename.removesuffix(".npy")] = shape, dtype
        tables = [name for name, (shape, dtype) in headers.items() if len(shape) == 2 and dtype.kind in "fiu"]
        if not tables:
            found = ", ".join(f"{dtype} {shape}" for shape, dtype in headers.values())
            raise TableError("shape", file=file.name, found=found or "no arrays")
        name, notes = choose_table(file.name, tables, choice)
        shape, dtype = headers.pop(name)
        check_shape(file.name, dtype, shape)
        limits.check_shape(file.name, shape, dtype.itemsize)
        names = _list_label_arrays(file.name, headers, shape[0], notes)
        columns = {other: _texts(_member(archive, other)) for other in names}
        texts = [other for other in names if headers[other][1].kind in "US"]
        label = label_name(texts) or (label_name(names) if len(names) == 1 or LABEL_COLUMNS & {*names} else None)
        return Parts(_member(archive, name), None if label is None else columns.pop(label), columns, notes)


def _list_label_arrays(file: str, headers: dict[str, Header], n_rows: int, notes: list[TableNote]) -> list[str]:
    """Return the arrays with one entry per row; note texts of another length, and refuse such labels."""
    lists = {name: header for name, header in headers.items() if len(header[0]) == 1}
    left_out = {name: f"{name} ({dtype} {shape})" for name, (shape, dtype) in lists.items() if shape[0] != n_rows}
    for name in left_out:
        if name.lower() in LABEL_COLUMNS and lists[name][1].kind in "US":
            raise TableError("labels", file=file, labels=lists[name][0][0], rows=n_rows)
    if left_out:
        notes.append(TableNote("left_out", {"names": tuple(left_out.values())}))
    return [name for name in lists if name not in left_out]


def _member(archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    """Unpack one array; zipfile gives no more bytes than the archive announced, and compares the checksum."""
    with archive.open(f"{name}.npy") as content:
        array = npy_format.read_array(content, allow_pickle=False)
        if content.read(1):
            raise ValueError("more bytes than numbers")
        return array


def _texts(array: NDArray[Any]) -> list[str]:
    if array.dtype.kind == "S":
        return [cell.decode("utf-8", "replace") for cell in array.tolist()]
    if array.dtype.kind == "U":  # NumPy takes the four bytes for a code point, which they need not be
        order = "utf-32-be" if array.dtype.str.startswith(">") else "utf-32-le"
        text, width = array.tobytes().decode(order, "replace"), array.dtype.itemsize // 4
        return [text[start : start + width].rstrip("\0") for start in range(0, len(text), width)]
    return list(map(str, array.tolist()))
