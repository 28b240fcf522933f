"""Files of model weights, .safetensors: one tensor is mapped or read, the others are skipped.

The header is parsed here, not by the package safetensors: that package can neither map a tensor nor open a file with a
tensor of an unknown type, and a repository of the Hub sends the header alone.
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
# Names of token tables, whatever stands before, the most telling first.
TOKEN_TABLES = (
    "shared.weight", "wte.weight", "word_embeddings.weight", "model.embed_tokens.weight", "embed_tokens.weight",
    "embed_in.weight", "tok_embeddings.weight", "token_embedding.weight", "token_embeddings.weight",
    "word_embedding.weight", "tokens_embed.weight", "embeddings.weight", "embedding.weight", "embeddings",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entry:
    """One tensor of a header; its numbers are the bytes of `file` from start to stop."""

    file: str
    dtype: str
    shape: tuple[int, ...]
    start: int
    stop: int


def read_safetensors(file: TableFile, limits: Limits, choice: str | None) -> Parts:
    """Read one tensor; by its path it is mapped and not read, unless it is bfloat16, which is widened to float32."""
    entries = _read_header(file)
    tables = [name for name, entry in entries.items() if len(entry.shape) == 2 and entry.dtype in DTYPES]
    if not tables:
        found = ", ".join(f"{entry.dtype} {entry.shape}" for entry in entries.values())
        raise TableError("shape", file=file.name, found=found or "no tensors")
    name, notes = choose_table(file.name, tables, choice, usual=TOKEN_TABLES)
    others = [
        f"{name} ({entry.dtype} {entry.shape})"
        for name, entry in entries.items()
        if len(entry.shape) == 2 and entry.dtype not in DTYPES and not entry.dtype.startswith(("I", "U", "BOOL"))
    ]
    if others:
        notes.append(TableNote("left_out", {"names": tuple(others)}))

    def check_layout(shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        check_shape(file.name, entries[name].dtype, shape)
        limits.check_shape(file.name, shape, dtype.itemsize)

    return Parts(_load_entry(file, entries[name], check_layout), notes=notes)


def load_only_tensor(file: TableFile, check_layout: Check) -> NDArray[Any]:
    """Read the only tensor of a file if it passes a check of shape and dtype."""
    entries = _read_header(file)
    if len(entries) != 1:
        raise TableError("choose", file=file.name, choices=tuple(entries))
    (entry,) = entries.values()
    return _load_entry(file, entry, check_layout)


def _load_entry(file: TableFile, entry: Entry, check_layout: Check) -> NDArray[Any]:
    if entry.dtype not in DTYPES:
        raise shape_error(file.name, entry.dtype, entry.shape)
    dtype = np.dtype(DTYPES[entry.dtype])
    check_layout(entry.shape, np.dtype(np.float32) if entry.dtype == "BF16" else dtype)
    if file.path is not None:
        numbers: NDArray[Any] = np.memmap(file.path, dtype, "r", entry.start, entry.shape)
    else:
        with file.open() as stream:
            stream.seek(entry.start)
            numbers = np.frombuffer(stream.read(entry.stop - entry.start), dtype).reshape(entry.shape)
    # bfloat16 is the upper half of a float32, which NumPy has no name for.
    return np.left_shift(numbers, 16, dtype=np.uint32).view(np.float32) if entry.dtype == "BF16" else numbers


def _read_header(file: TableFile) -> dict[str, Entry]:
    size = file.size()
    with file.open() as stream:
        length = header_length(stream.read(8), size)
        return parse_header(stream.read(length), file.name, size)


def header_length(start: bytes, size: int) -> int:
    """Return the length of the header after a file's first eight bytes; ValueError if the file is shorter."""
    length = int.from_bytes(start, "little")
    if size < 8 or length > min(size - 8, LONGEST_HEADER):
        raise ValueError(f"header of {length} bytes in a file of {size}")
    return length


def parse_header(text: bytes, file: str, size: int) -> dict[str, Entry]:
    """Return the tensors by name, those of unknown types too; ValueError if one is not within the file."""
    first = 8 + len(text)
    try:
        header = json.loads(text.decode("utf-8"))
        header.pop("__metadata__", None)
        entries = {
            name: Entry(file, one["dtype"], _sizes(one["shape"]), *(first + at for at in _sizes(one["data_offsets"])))
            for name, one in header.items()
        }
        "".join([*entries, *(entry.dtype for entry in entries.values())]).encode()  # no page can show half a surrogate
        if all(_is_within(entry, first, size) for entry in entries.values()):
            return entries
    except (TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ValueError("no header") from error
    raise ValueError("a tensor outside the file, or of another size than its shape")


def _sizes(numbers: Any) -> tuple[int, ...]:
    """Return sizes of a header as a tuple; JSON's true is not accepted as 1."""
    if type(numbers) is not list or any(type(number) is not int or number < 0 for number in numbers):
        raise TypeError("no sizes")
    return tuple(numbers)


def _is_within(entry: Entry, first: int, size: int) -> bool:
    width = np.dtype(DTYPES[entry.dtype]).itemsize if entry.dtype in DTYPES else None
    is_full = width is None or prod(entry.shape) * width == entry.stop - entry.start
    return is_full and first <= entry.start <= entry.stop <= size
