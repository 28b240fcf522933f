"""Files of model weights, .safetensors: the heading is checked against the file before a tensor is mapped."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embedlib.tables.checks import check_shape, chosen
from embedlib.tables.errors import TableError
from embedlib.tables.numpy import Heading, read_numbers
from embedlib.tables.table import Limits, Parts, TableFile

# The format allows 100 MB of heading; parsed, those could take 2 GB. Models with a thousand tensors have 0.1 MB.
LONGEST_HEADING = 10_000_000
MOST_DIMENSIONS = 32
# bfloat16 is the upper half of a float32, which NumPy has no name for.
DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}
BITS = {"F64": 64, "F32": 32, "F16": 16, "BF16": 16, "I64": 64, "I32": 32, "I16": 16, "I8": 8, "BOOL": 8} | {
    "U64": 64, "U32": 32, "U16": 16, "U8": 8, "F8_E4M3": 8, "F8_E5M2": 8, "F8_E8M0": 8, "C64": 64, "F4": 4,
    "F6_E2M3": 6, "F6_E3M2": 6,
}  # fmt: skip
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
    """One tensor of the heading; its numbers lie from start to stop after the heading."""

    dtype: str
    shape: tuple[int, ...]
    start: int
    stop: int


def read_safetensors(file: TableFile, limits: Limits, choice: str | None) -> Parts:
    """Read one tensor; by its path it is mapped and not read, unless it is bfloat16, which is widened to float32."""
    entries, data_start = _read_heading(file)
    tables = [name for name, entry in entries.items() if len(entry.shape) == 2 and entry.dtype in DTYPES]
    if not tables and len(entries) == 1:  # say what is wrong with the only tensor there is
        tables = list(entries)
    name, notes = chosen(file.name, tables, tuple(entries), choice, usual=USUAL)
    entry = entries[name]
    if entry.dtype not in DTYPES:
        raise TableError("dtype", file=file.name, dtype=entry.dtype)
    check_shape(file.name, entry.shape)
    dtype = np.dtype(DTYPES[entry.dtype])
    limits.check_shape(file.name, entry.shape, 4 if entry.dtype == "BF16" else dtype.itemsize)
    numbers = _numbers(file, entry, dtype, data_start + entry.start)
    return Parts(widened(numbers) if entry.dtype == "BF16" else numbers, notes=notes)


def safetensors_array(file: TableFile, check: Callable[[tuple[int, ...]], None]) -> NDArray[Any]:
    """Read the only tensor of a file, of any shape that passes a check before anything is read."""
    entries, data_start = _read_heading(file)
    if len(entries) != 1:
        raise TableError("too_many_arrays" if entries else "no_rows", file=file.name, limit=1)
    (entry,) = entries.values()
    if entry.dtype not in DTYPES:
        raise TableError("dtype", file=file.name, dtype=entry.dtype)
    check(entry.shape)
    numbers = _numbers(file, entry, np.dtype(DTYPES[entry.dtype]), data_start + entry.start)
    return widened(numbers) if entry.dtype == "BF16" else numbers


def _numbers(file: TableFile, entry: Entry, dtype: np.dtype[Any], offset: int) -> NDArray[Any]:
    if file.path is not None:
        return np.memmap(file.path, dtype, "r", offset, entry.shape)
    with file.open() as stream:
        stream.seek(offset)
        return read_numbers(stream, Heading(entry.shape, False, dtype), file.name)


def widened(halves: NDArray[np.uint16]) -> NDArray[np.float32]:
    """Turn bfloat16 into float32, exactly: 16 zero bits behind each number."""
    return np.left_shift(halves, 16, dtype=np.uint32).view(np.float32)


def _read_heading(file: TableFile) -> tuple[dict[str, Entry], int]:
    """Return every tensor by name, and where their numbers begin in the file."""
    size = file.size()
    with file.open() as stream:
        length = heading_length(file.name, stream.read(8), size)
        text = stream.read(length)
    return parse_heading(file.name, text, size - 8 - length), 8 + length


def heading_length(file: str, start: bytes, size: int) -> int:
    """Return how many bytes of heading follow a file's first eight, held against the size of the whole file."""
    length, limit = int.from_bytes(start, "little"), min(size - 8, LONGEST_HEADING)
    if size < 8 or length > limit:
        raise TableError("heading_length", file=file, claimed=length, limit=max(0, limit))
    return length


def parse_heading(file: str, text: bytes, n_bytes: int) -> dict[str, Entry]:
    """Return every tensor by name; each lies, apart from the others, within the n_bytes that follow the heading."""
    try:
        heading = json.loads(text.decode("utf-8"), object_pairs_hook=without_repetition)
        heading.pop("__metadata__", None)
        entries = {name: _entry(entry) for name, entry in heading.items()}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise TableError("heading_text", file=file) from error
    _check_places(file, entries, n_bytes)
    return entries


def without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a name that stands twice, of which json would silently keep the last, and text that no page can show."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a name stands twice")
    for text in (*members, *members.values()):
        if isinstance(text, str):
            text.encode()  # half a surrogate pair has no UTF-8
    return members


def _entry(entry: dict[str, Any]) -> Entry:
    """Take one tensor's entry, whose every part has its type: json's true is no 1 here, and 1.0 neither."""
    dtype, shape, (start, stop) = entry["dtype"], entry["shape"], entry["data_offsets"]
    if dtype not in BITS or type(shape) is not list or len(shape) > MOST_DIMENSIONS:
        raise ValueError("no tensor")
    if any(type(number) is not int or not 0 <= number < 2**63 for number in [*shape, start, stop]):
        raise ValueError("no size")
    return Entry(dtype, tuple(shape), start, stop)


def _check_places(file: str, entries: dict[str, Entry], n_bytes: int) -> None:
    """Refuse tensors outside the file, over each other, or of another size than their shape says."""
    for name, entry in entries.items():
        if not entry.start <= entry.stop <= n_bytes:
            raise TableError("heading_offsets", file=file, tensor=name)
        claimed = -(-prod(entry.shape) * BITS[entry.dtype] // 8)
        if claimed != entry.stop - entry.start:
            raise TableError("heading_size", file=file, tensor=name, claimed=claimed, found=entry.stop - entry.start)
    ordered = sorted((entry.start, entry.stop, name) for name, entry in entries.items() if entry.stop > entry.start)
    for (_, stop, name), (start, _, other) in pairwise(ordered):
        if start < stop:
            raise TableError("heading_overlap", file=file, tensor=name, other=other)
