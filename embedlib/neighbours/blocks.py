"""A table a few rows at a time, and a mapped file's pages let go of once they are read, so that memory stays small."""

import mmap
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

Table = Tensor | NDArray[np.generic]

QUERIES_AT_ONCE = 256
_BLOCK_ENTRIES = {"cpu": 2**23, "cuda": 2**25}  # read or converted at once: 32 MB of float32, a GPU is fed more
_SIMILARITIES_AT_ONCE = 2**22


def work_dtype(table: Table) -> torch.dtype:
    """Return the precision a table is multiplied in: float64 where it is, otherwise float32."""
    is_float = table.is_floating_point() if isinstance(table, Tensor) else table.dtype.kind == "f"
    return torch.float64 if is_float and table.dtype.itemsize >= 8 else torch.float32


def device_of(table: Table) -> torch.device:
    """Return where a table is; an array is on the CPU."""
    return table.device if isinstance(table, Tensor) else torch.device("cpu")


def take_rows(table: Table, ids: NDArray[np.int64]) -> Tensor:
    """Return a copy of some rows, (n_ids, d), where the table is."""
    if isinstance(table, Tensor):
        return table.detach()[torch.from_numpy(ids).to(table.device)]
    return torch.from_numpy(np.asarray(table[ids], table.dtype.newbyteorder("=")))


def rows_at_once(table: Table, n_queries: int = 1) -> int:
    """Return how many rows are read, converted and compared with queries together."""
    entries = _BLOCK_ENTRIES.get(device_of(table).type, _BLOCK_ENTRIES["cpu"])
    most = _SIMILARITIES_AT_ONCE // max(min(n_queries, QUERIES_AT_ONCE), 1)
    return max(1, min(entries // max(table.shape[1], 1), most))


def parts_of(table: Table, rows_per_block: int | None = None) -> Iterator[tuple[int, Tensor]]:
    """Yield rows as tensors of bounded size, each with the number of its first row."""
    if isinstance(table, np.ndarray) and table.flags.carray and table.dtype.isnative and not is_mapped(table):
        table = torch.from_numpy(table)
    size = rows_per_block or rows_at_once(table)
    if isinstance(table, Tensor):
        for start in range(0, len(table), size):
            yield start, table[start : start + size].detach()
    else:  # copied: torch wants memory that may be written to, and no foreign byte order
        for start, block in row_blocks(table, size):
            yield start, torch.from_numpy(np.array(block, block.dtype.newbyteorder("="), order="C"))


def row_blocks(table: NDArray[Any], rows_per_block: int) -> Iterator[tuple[int, NDArray[Any]]]:
    """Yield consecutive rows, in order, with the number of the first.

    Yields: start, and rows [start, start + len(block)): views of the table, not to be written to. Those of a mapped
    file are to be read before the next is asked for: then its pages no longer count as this process's memory.
    """
    if rows_per_block < 1:
        raise ValueError(f"rows_per_block={rows_per_block} must be at least 1")
    mapping = _file_behind(table)
    for start in range(0, len(table), rows_per_block):
        yield start, table[start : start + rows_per_block]
        if mapping is not None and hasattr(mmap, "MADV_DONTNEED"):
            mapping.madvise(mmap.MADV_DONTNEED)


def is_mapped(table: NDArray[Any]) -> bool:
    """Return whether an array, or what it is a view of, lies in a mapped file."""
    return _mapping_of(table)[0] is not None


def _file_behind(table: NDArray[Any]) -> mmap.mmap | None:
    """Return the mapping behind an array whose file holds all that was written to it: not so in mode "c"."""
    mapping, mode = _mapping_of(table)
    return mapping if mode in {"r", "r+", "w+"} else None


def _mapping_of(table: NDArray[Any]) -> tuple[mmap.mmap | None, str]:
    """Return the mapping an array is a view of, if any, and the mode it was opened in."""
    base: Any = table
    mode = ""
    while isinstance(base, np.ndarray | memoryview):
        mode = str(base.mode) if isinstance(base, np.memmap) else mode
        base = base.base if isinstance(base, np.ndarray) else base.obj
    return (base if isinstance(base, mmap.mmap) else None), mode
