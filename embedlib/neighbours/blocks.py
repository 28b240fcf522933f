"""Tables as tensors in blocks of rows, of any dtype and byte order, in memory or mapped."""

from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from embedlib.blocks import is_mapped, row_blocks

Table = Tensor | NDArray[np.generic]

QUERIES_AT_ONCE = 256
_BLOCK_ENTRIES = {"cpu": 2**23, "cuda": 2**25}  # read or converted at once: 32 MB of float32, a GPU is fed more
_SIMILARITIES_AT_ONCE = 2**22


def work_dtype(table: Table) -> torch.dtype:
    """Return the dtype of a table's products: float64 for a float64 table, otherwise float32."""
    is_float = table.is_floating_point() if isinstance(table, Tensor) else table.dtype.kind == "f"
    return torch.float64 if is_float and table.dtype.itemsize >= 8 else torch.float32


def table_device(table: Table) -> torch.device:
    """Return a table's device; an array is on the CPU."""
    return table.device if isinstance(table, Tensor) else torch.device("cpu")


def take_rows(table: Table, ids: NDArray[np.int64]) -> Tensor:
    """Return a copy of some rows, (n_ids, d), on the table's device."""
    if isinstance(table, Tensor):
        return table.detach()[torch.from_numpy(ids).to(table.device)]
    return torch.from_numpy(np.asarray(table[ids], table.dtype.newbyteorder("=")))


def rows_at_once(table: Table, n_queries: int = 1) -> int:
    """Return how many rows are read, converted and compared with queries together."""
    entries = _BLOCK_ENTRIES.get(table_device(table).type, _BLOCK_ENTRIES["cpu"])
    most = _SIMILARITIES_AT_ONCE // max(min(n_queries, QUERIES_AT_ONCE), 1)
    return max(1, min(entries // max(table.shape[1], 1), most))


def tensor_blocks(table: Table, rows_per_block: int | None = None) -> Iterator[tuple[int, Tensor]]:
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
