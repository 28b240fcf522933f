"""Files of model weights, .safetensors: one tensor is mapped or read; the others are not looked at.

The header is parsed here, not by the package safetensors: that package can neither map a tensor nor open a file that
holds one of a type it does not know, and a repository of the Hub sends the header alone.
"""

import json
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embedlib.tables.checks import check_shape, choose_table, shape_error
from embedlib.tables.errors import TableError
from embedlib.tables.numpy import Check
from embedlib.tables.table import Limits, Parts, TableFile, TableNote

# The format allows 100 MB of header; parsed, those could take 2 GB. Models with a thousand tensors have 0.1 MB.
LONGEST_HEADER = 10_000_000
DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}
USUAL = (
    "wte.weight",
    "transformer.wte.weight",
    "model.embed_tokens.weight",
    "embeddings.word_embeddings.weight",
    "embed_tokens.weight",
    "word_embeddings.weight",
    "tok_embeddings.weight",
    "token_embedding.weight",
    "shared.weight",
    "embedding.weight",
    "embeddings",
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One tensor of the header; its numbers lie from start to stop after the header."""

    dtype: str
    shape: tuple[int, ...]
    start: int
    stop: int


def read_safetensors(file: TableFile, limits: Limits, choice: str | None) -> Parts:
    """Read one tensor; by its path it is mapped and not read, unless it is bfloat16, which is widened to float32."""
    entries, data_start = _read_header(file)
    tables = [name for name, entry in entries.items() if len(entry.shape) == 2 and entry.dtype in DTYPES]
    if not tables:
        found = ", ".join(f"{entry.dtype} {entry.shape}" for entry in entries.values())
        raise TableError("shape", file=file.name, found=found or "no tensors")
    name, notes = choose_table(file.name, tables, choice, usual=USUAL)
    others = [
        f"{name} ({entry.dtype} {entry.shape})"
        for name, entry in entries.items()
        if len(entry.shape) == 2 and entry.dtype not in DTYPES and not entry.dtype.startswith(("I", "U", "BOOL"))
    ]
    if others:
        notes.append(TableNote("left_out", {"names": tuple(others)}))

    def check(shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        check_shape(file.name, entries[name].dtype, shape)
        limits.check_shape(file.name, shape, dtype.itemsize)

    return Parts(_load(file, entries[name], data_start, check), notes=notes)


def load_only_tensor(file: TableFile, check: Check) -> NDArray[Any]:
    """Read the only tensor of a file if it passes a check of shape and dtype."""
    entries, data_start = _read_header(file)
    if len(entries) != 1:
        raise TableError("choose", file=file.name, choices=tuple(entries))
    (entry,) = entries.values()
    return _load(file, entry, data_start, check)


def _load(file: TableFile, entry: Entry, data_start: int, check: Check) -> NDArray[Any]:
    if entry.dtype not in DTYPES:
        raise shape_error(file.name, entry.dtype, entry.shape)
    dtype, offset = np.dtype(DTYPES[entry.dtype]), data_start + entry.start
    check(entry.shape, np.dtype(np.float32) if entry.dtype == "BF16" else dtype)
    if entry.stop - entry.start != prod(entry.shape) * dtype.itemsize or data_start + entry.stop > file.size():
        raise ValueError("numbers outside the file, or of another size than the shape")
    if file.path is not None:
        numbers: NDArray[Any] = np.memmap(file.path, dtype, "r", offset, entry.shape)
    else:
        with file.open() as stream:
            stream.seek(offset)
            numbers = np.frombuffer(stream.read(entry.stop - entry.start), dtype).reshape(entry.shape)
    # bfloat16 is the upper half of a float32, which NumPy has no name for.
    return np.left_shift(numbers, 16, dtype=np.uint32).view(np.float32) if entry.dtype == "BF16" else numbers


def _read_header(file: TableFile) -> tuple[dict[str, Entry], int]:
    """Return every tensor by name, and where their numbers begin in the file."""
    size = file.size()
    with file.open() as stream:
        length = header_length(file.name, stream.read(8), size)
        return parse_header(file.name, stream.read(length), size - 8 - length), 8 + length


def header_length(file: str, start: bytes, size: int) -> int:
    """Return how many bytes of header follow a file's first eight."""
    length = int.from_bytes(start, "little")
    if size < 8 or length > min(size - 8, LONGEST_HEADER):
        raise TableError("damaged", file=file, format=".safetensors")
    return length


def parse_header(file: str, text: bytes, n_bytes: int) -> dict[str, Entry]:
    """Return every tensor by name; each lies within the n_bytes that follow the header."""
    try:
        header = json.loads(text.decode("utf-8"))
        header.pop("__metadata__", None)
        entries = {
            name: Entry(str(entry["dtype"]), _sizes(entry["shape"]), *_sizes(entry["data_offsets"]))
            for name, entry in header.items()
        }
        "".join([*entries, *(entry.dtype for entry in entries.values())]).encode()  # no page can show half a surrogate
        if all(entry.start <= entry.stop <= n_bytes for entry in entries.values()):
            return entries
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        pass
    raise TableError("damaged", file=file, format=".safetensors")


def _sizes(numbers: Any) -> tuple[int, ...]:
    """Check sizes of the header: JSON's true is no 1 here, and 1.0 neither."""
    if type(numbers) is not list or any(type(number) is not int or number < 0 for number in numbers):
        raise ValueError("no sizes")
    return tuple(numbers)
