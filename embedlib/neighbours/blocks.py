"""A table a few rows at a time, and a mapped file's pages let go of once they are read, so that memory stays small."""

import mmap
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

Table = Tensor | NDArray[np.generic]

# A block that is read or converted has 8 MB of float32, a GPU is fed more at once.
_BLOCK_ENTRIES = {"cpu": 2**21, "cuda": 2**25}
_VIEW_ENTRIES = 2**24  # of a block that is no copy, but becomes one where rows are very short


class Rows(NamedTuple):
    """Consecutive rows in the precision they are multiplied in.

    Attributes:
        ids: their numbers.
        exact: (n_rows, d) what similarities are worked out from, of any float dtype.
        vectors: (n_rows, d) float32 or float64. Under "cosine", those whose squares would vanish have length 1 here.
        norms: (n_rows,) the lengths of vectors.
    """

    ids: slice
    exact: Tensor
    vectors: Tensor
    norms: Tensor


def work_dtype(table: Table) -> torch.dtype:
    """Return the precision a table is multiplied in: float64 where it is, otherwise float32."""
    is_float = table.is_floating_point() if isinstance(table, Tensor) else table.dtype.kind == "f"
    return torch.float64 if is_float and table.dtype.itemsize >= 8 else torch.float32


def device_of(table: Table) -> torch.device:
    """Return where a table is; an array is on the CPU."""
    return table.device if isinstance(table, Tensor) else torch.device("cpu")


def blocks_of(
    table: Table,
    metric: str,
    *,
    first: int = 0,
    norms: Tensor | None = None,
    most_rows: int | None = None,
    base: int = 0,
) -> Iterator[Rows]:
    """Yield a table's rows, counted from `base`, in blocks of bounded size."""
    for start, part in parts_of(table, first=first, most_rows=most_rows):
        known = None if norms is None else norms[start : start + len(part)]
        yield rows_of(part, work_dtype(table), part.device, metric, start=base + start, norms=known)


def rows_of(
    x: Table,
    dtype: torch.dtype,
    device: torch.device,
    metric: str,
    *,
    start: int = 0,
    norms: Tensor | None = None,
    name: str = "table",
) -> Rows:
    """Prepare rows, and refuse those that cannot be compared."""
    if not isinstance(x, Tensor):
        x = torch.from_numpy(np.array(x, x.dtype.newbyteorder("=")))
    exact = x.detach().to("cpu" if device.type == "mps" else device)  # mps has no float64
    vectors = exact.to(dtype)
    norms = _lengths(vectors) if norms is None else norms.to(vectors)
    largest = torch.finfo(dtype).max ** 0.5 / 4
    if not bool((norms <= largest).all()):
        raise ValueError(
            f"{name} row {start + int((~(norms <= largest)).nonzero()[0])} has entries that are not finite, or so "
            "large that their squares overflow: take such rows out, or scale everything down"
        )
    faint = (norms < 1e8 * torch.finfo(dtype).tiny ** 0.5).nonzero()[:, 0]
    faint = faint[vectors[faint].any(dim=1)]  # not rows of zeros
    if len(faint):
        some = vectors[faint].double()
        scale = some.abs().amax(dim=1, keepdim=True)
        unit = some / scale
        lengths = torch.linalg.vector_norm(unit, dim=1, keepdim=True)
        norms = norms.index_copy(0, faint, (lengths * scale)[:, 0].to(dtype))
        if metric == "cosine":
            vectors = vectors.index_copy(0, faint, (unit / lengths).to(dtype))
            norms = norms.index_fill(0, faint, 1.0)
    return Rows(slice(start, start + len(vectors)), exact, vectors, norms)


def _lengths(rows: Tensor) -> Tensor:
    """Return (n_rows,); infinite or not a number where squares overflow."""
    if rows.device.type != "cpu":
        lengths: Tensor = torch.linalg.vector_norm(rows, dim=1)
        return lengths
    with np.errstate(over="ignore", invalid="ignore"):
        return torch.from_numpy(np.sqrt(np.vecdot(rows.numpy(), rows.numpy())))  # half the time of vector_norm


def take_rows(table: Table, ids: NDArray[np.int64]) -> Tensor:
    """Return a copy of some rows, (n_ids, d), where the table is."""
    if isinstance(table, Tensor):
        return table.detach()[torch.from_numpy(ids).to(table.device)]
    return torch.from_numpy(np.asarray(table[ids], table.dtype.newbyteorder("=")))


def parts_of(
    table: Table, *, first: int = 0, most_rows: int | None = None, rows_per_block: int | None = None
) -> Iterator[tuple[int, Tensor]]:
    """Yield rows as tensors of bounded size, each with the number of its first row."""
    if isinstance(table, np.ndarray) and table.flags.carray and table.dtype.isnative and not is_mapped(table):
        table = torch.from_numpy(table)
    size = max(_BLOCK_ENTRIES.get(device_of(table).type, _BLOCK_ENTRIES["cpu"]) // max(table.shape[1], 1), 1)
    size = rows_per_block or size
    if isinstance(table, Tensor):
        if most_rows is not None and table.dtype == work_dtype(table):
            size = max(min(most_rows, _VIEW_ENTRIES // max(table.shape[1], 1)), 1)
        for start in range(first, len(table), size):
            yield start, table[start : start + size].detach()
    else:  # copied: torch wants memory that may be written to, and no foreign byte order
        for start, block in row_blocks(table, size, first=first):
            yield start, torch.from_numpy(np.array(block, block.dtype.newbyteorder("="), order="C"))


def row_blocks(table: NDArray[Any], rows_per_block: int, *, first: int = 0) -> Iterator[tuple[int, NDArray[Any]]]:
    """Yield consecutive rows, in order, with the number of the first.

    Yields: start, and rows [start, start + len(block)): views of the table, not to be written to. Those of a mapped
    file are to be read before the next is asked for: then its pages no longer count as this process's memory.
    """
    if rows_per_block < 1:
        raise ValueError(f"rows_per_block={rows_per_block} must be at least 1")
    if not 0 <= first <= len(table):
        raise ValueError(f"first={first} must be between 0 and n_rows={len(table)}")
    mapping = _file_behind(table)
    for start in range(first, len(table), rows_per_block):
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
