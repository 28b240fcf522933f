"""Where the rows come from: a tensor, an array, a file mapped into memory, or an iterator of blocks."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from embedlib.neighbours.blocks import is_mapped, row_blocks

Array = NDArray[Any]
# A callable that returns a fresh iterator of (n_rows, n_features) blocks each time: rows may be read more than once.
Blocks = Callable[[], Iterable[Tensor | Array]]
Source = Tensor | Array | Blocks


@dataclass(frozen=True)
class HostTable:
    """Rows that NumPy reads.

    Attributes:
        read: gives the rows as they are, in pieces of at most the given number of rows.
        n_features: width of every row.
        dtype: float32 or float64, what `blocks` converts to.
        n_samples: number of rows, or None where only reading tells.
        in_memory: False where a pass over the rows reads a file or whatever the caller's iterator does.
    """

    read: Callable[[int], Iterator[Array]]
    n_features: int
    dtype: np.dtype[Any]
    n_samples: int | None
    in_memory: bool

    def blocks(self, n_rows: int) -> Iterator[Array]:
        """Yield the rows in order, (up to n_rows, n_features), in dtype and C order; may be the caller's own memory."""
        for block in self.read(n_rows):
            yield np.ascontiguousarray(block, dtype=self.dtype)

    def in_float64(self) -> "HostTable":
        """Return the same rows, converted to float64."""
        return replace(self, dtype=np.dtype(np.float64))


@dataclass(frozen=True)
class DeviceTable:
    """Rows of a tensor, read by torch where the tensor is."""

    rows: Tensor
    dtype: torch.dtype
    in_memory: bool = True

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return self.rows.shape[0]

    @property
    def n_features(self) -> int:
        """Width of every row."""
        return self.rows.shape[1]

    def blocks(self, n_rows: int) -> Iterator[Tensor]:
        """Yield the rows in order, (up to n_rows, n_features), in dtype."""
        for block in torch.split(self.rows, n_rows):
            yield block.to(self.dtype)

    def in_float64(self) -> "DeviceTable":
        """Return the same rows, converted to float64."""
        return replace(self, dtype=torch.float64)


Table = HostTable | DeviceTable


def open_table(x: Source, n_features: int | None = None) -> Table:
    """Give rows of any kind one face. A fixed n_features is asked of each block of a callable."""
    if isinstance(x, Tensor):
        rows = x.detach()
        if rows.is_complex():
            raise ValueError(f"x is {x.dtype}: it must be real")
        wide = rows.dtype == torch.float64
        if rows.device.type == "mps":  # which has no float64
            rows = rows.cpu()
        if not runs_on_host(rows.device):
            return DeviceTable(rows, torch.float64 if wide else torch.float32)
        return HostTable(lambda n: _of_tensor(rows, n), rows.shape[1], _working(wide), rows.shape[0], in_memory=True)
    if callable(x):
        return _open_blocks(x, n_features)
    array = np.asarray(x)
    _check_numbers(array)
    return HostTable(
        lambda n: (block for _, block in row_blocks(array, n)),
        array.shape[1],
        _working(_is_wide(array)),
        len(array),
        not is_mapped(array),
    )


def runs_on_host(device: torch.device) -> bool:
    """Return whether NumPy and SciPy can compute there: their BLAS sees symmetry and halves the work."""
    return device.type == "cpu"


def first_rows(table: HostTable, limit: int) -> Array | None:
    """Return all rows in their own dtype, copied, where there are at most `limit`; otherwise None."""
    kept: list[Array] = []
    for block in table.read(limit + 1):
        kept.append(block.copy())
        if sum(map(len, kept)) > limit:
            return None
    return np.concatenate(kept) if kept else np.empty((0, table.n_features), dtype=table.dtype)


def _open_blocks(blocks: Blocks, n_features: int | None) -> HostTable:
    first = next((block for block in map(_as_array, blocks()) if len(block)), None)
    if first is None:
        raise ValueError("n_samples=0: x gave no rows")
    width = first.shape[1] if n_features is None else n_features
    return HostTable(lambda n: _regrouped(blocks, width, n), width, _working(_is_wide(first)), None, in_memory=False)


def _as_array(block: Tensor | Array) -> Array:
    if isinstance(block, Tensor):
        block = block.detach().cpu()
        if block.is_complex():
            raise ValueError(f"x is {block.dtype}: it must be real")
        return (block.float() if block.dtype == torch.bfloat16 else block).numpy()
    array = np.asarray(block)
    _check_numbers(array)
    return array


def _check_numbers(array: Array) -> None:
    if array.ndim != 2:
        raise ValueError(f"x has shape {array.shape}: it must be (n_samples, n_features)")
    if array.dtype.kind == "c":
        raise ValueError(f"x is {array.dtype}: it must be real")
    if array.dtype.kind not in "fiub":
        raise ValueError(f"x is {array.dtype}: it must be numbers")


def _is_wide(array: Array) -> bool:
    return array.dtype.kind == "f" and array.dtype.itemsize >= 8


def _working(wide: bool) -> np.dtype[Any]:
    return np.dtype(np.float64 if wide else np.float32)


def _of_tensor(rows: Tensor, n_rows: int) -> Iterator[Array]:
    for block in torch.split(rows, n_rows):
        yield (block.float() if block.dtype == torch.bfloat16 else block).numpy()


def _regrouped(blocks: Blocks, n_features: int, n_rows: int) -> Iterator[Array]:
    """Join short blocks and cut long ones; what waits is copied, because the caller may use its memory again."""
    waiting: list[Array] = []
    n_waiting = 0
    for block in map(_as_array, blocks()):
        if block.shape[1] != n_features:
            raise ValueError(f"a block has shape {block.shape}: every block must be (n_rows, n_features={n_features})")
        start = 0
        while start < len(block):
            piece = block[start : start + n_rows - n_waiting]
            start += len(piece)
            n_waiting += len(piece)
            if n_waiting < n_rows:
                waiting.append(piece.copy())
            else:
                yield np.concatenate([*waiting, piece]) if waiting else piece
                waiting, n_waiting = [], 0
    if waiting:
        yield np.concatenate(waiting)
