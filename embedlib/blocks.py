"""A table a few rows at a time, and a mapped file's pages released once they are read; without torch."""

import mmap
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray


def row_blocks(table: NDArray[Any], rows_per_block: int) -> Iterator[tuple[int, NDArray[Any]]]:
    """Yield consecutive rows, in order, with the number of the first: read-only views of the table.

    Read those of a mapped file before asking for the next: then its pages no longer count as this process's memory.
    """
    if rows_per_block < 1:
        raise ValueError(f"rows_per_block={rows_per_block} must be at least 1")
    mapping, mode = _file_mapping(table)
    is_saved = mode in {"r", "r+", "w+"}  # in mode "c" the file lacks what was written to the array
    for start in range(0, len(table), rows_per_block):
        yield start, table[start : start + rows_per_block]
        if mapping is not None and is_saved and hasattr(mmap, "MADV_DONTNEED"):
            mapping.madvise(mmap.MADV_DONTNEED)


def is_mapped(table: NDArray[Any]) -> bool:
    """Return whether an array, or its base, lies in a mapped file."""
    return _file_mapping(table)[0] is not None


def _file_mapping(table: NDArray[Any]) -> tuple[mmap.mmap | None, str]:
    """Return the mapping an array is a view of, if any, and the mode it was opened in."""
    base: Any = table
    mode = ""
    while isinstance(base, np.ndarray | memoryview):
        mode = str(base.mode) if isinstance(base, np.memmap) else mode
        base = base.base if isinstance(base, np.ndarray) else base.obj
    return (base if isinstance(base, mmap.mmap) else None), mode
