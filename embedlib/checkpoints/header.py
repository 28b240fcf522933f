"""The header of a .safetensors file, from its bytes alone: models of the Hub are read by ranges of bytes."""

from dataclasses import dataclass
from math import prod

import torch

from embedlib.checkpoints.files import CheckpointError, Files, parse_object

LONGEST = 10_000_000  # bytes; the format allows 100 MB, which would take 2 GB as Python's objects
DTYPES = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}  # those that rows are read of


@dataclass(frozen=True, slots=True)
class Entry:
    """One tensor of a header; its numbers are the file's bytes from start to stop."""

    file: str
    dtype: str
    shape: tuple[int, ...]
    start: int
    stop: int


def read_header(files: Files, file: str) -> dict[str, Entry]:
    """Return the tensors of a file by name, each within the file; types that are not known here are kept as they are.

    Raises:
        CheckpointError: the file is not there, a Git LFS pointer, or damaged.
    """
    start, size = files.start(file)
    if start == b"version ":
        raise CheckpointError("lfs", file=file)
    damaged = CheckpointError("damaged", file=file, format=".safetensors")
    length = int.from_bytes(start, "little")
    if size < 8 or length > min(size - 8, LONGEST):
        raise damaged
    header = parse_object(files.read(file, [(8, 8 + length)])[0], file, ".safetensors")
    header.pop("__metadata__", None)
    try:
        entries = {
            name: Entry(file, entry["dtype"], tuple(entry["shape"]), *(8 + length + at for at in entry["data_offsets"]))
            for name, entry in header.items()
        }
    except (TypeError, KeyError) as error:
        raise damaged from error
    if not all(_is_within(entry, 8 + length, size) for entry in entries.values()):
        raise damaged
    return entries


def _is_within(entry: Entry, first: int, size: int) -> bool:
    """Return whether a tensor's bytes are in the file, and as many as its shape needs where its type is known."""
    if type(entry.dtype) is not str or any(type(at) is not int for at in (*entry.shape, entry.start, entry.stop)):
        return False  # JSON's true is no 1 here
    width = DTYPES[entry.dtype].itemsize if entry.dtype in DTYPES else None
    is_full = width is None or prod(entry.shape) * width == entry.stop - entry.start
    return is_full and first <= entry.start <= entry.stop <= size and min(entry.shape, default=0) >= 0
