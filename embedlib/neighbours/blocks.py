"""A table a few rows at a time, read from its file where it lies in one, so that memory stays small."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


def row_blocks(
    table: NDArray[np.generic], rows_per_block: int, *, first: int = 0
) -> Iterator[tuple[int, NDArray[np.generic]]]:
    """Yield consecutive rows, in order, with the number of the first.

    Rows of an np.memmap (or of a view of one) that lie in one piece in its file are read from the file into memory of
    their own: pages of a mapping count as this process's memory for as long as the mapping lives, so that a walk
    through it would seem to hold the whole table. Anything else is sliced, not copied.

    Args:
        table: (n_rows, …) array; may have no rows.
        rows_per_block: at least 1; the last block may be shorter.
        first: the row to begin at, in [0, n_rows].

    Yields:
        start, and rows [start, start + len(block)) in the dtype of the table. Blocks may share the table's memory:
        do not write to them.

    Raises:
        ValueError: rows_per_block < 1, or first out of range; at the call's first block.
    """
    if rows_per_block < 1:
        raise ValueError(f"rows_per_block={rows_per_block} must be at least 1")
    if not 0 <= first <= len(table):
        raise ValueError(f"first={first} must be between 0 and n_rows={len(table)}")
    place = _place_in_file(table)
    starts = range(first, len(table), rows_per_block)
    if place is None:
        for start in starts:
            yield start, table[start : start + rows_per_block]
        return
    path, offset = place
    row_bytes = table.itemsize * int(np.prod(table.shape[1:]))
    with path.open("rb", buffering=0) as file:
        for start in starts:
            block = np.empty((min(rows_per_block, len(table) - start), *table.shape[1:]), table.dtype)
            file.seek(offset + start * row_bytes)
            left = block.reshape(-1).view(np.uint8).data
            while left:  # one read may return less than it was asked for
                count = file.readinto(left)
                if not count:
                    raise OSError(f"{path} ends before its table does: it was cut after it was opened")
                left = left[count:]
            yield start, block


def lies_in_file(table: NDArray[np.generic]) -> bool:
    """Say whether row_blocks reads an array from its file instead of slicing it."""
    return _place_in_file(table) is not None


def _place_in_file(table: NDArray[np.generic]) -> tuple[Path, int] | None:
    """Return the file that holds a table in one piece and where in it, in bytes; None where there is none."""
    if not table.flags.c_contiguous or table.size == 0 or table.dtype.hasobject:
        return None
    # A view keeps its parent's .filename and .offset, though it begins elsewhere: measure from the mapping's own array.
    mapped = None
    owner: object = table
    while isinstance(owner, np.ndarray):
        mapped = owner if isinstance(owner, np.memmap) else mapped
        owner = owner.base
    if mapped is None or mapped.filename is None or mapped.mode == "c":  # "c": changes stay out of the file
        return None
    path = Path(mapped.filename)
    offset = mapped.offset + table.ctypes.data - mapped.ctypes.data
    # The name may have come to mean another file since, which the mapping does not follow.
    if not path.is_file() or path.stat().st_size < offset + table.nbytes:
        return None
    with path.open("rb", buffering=0) as file:
        for row in (0, len(table) - 1):
            here = table[row : row + 1]
            file.seek(offset + row * here.nbytes)
            if file.read(here.nbytes) != here.tobytes():
                return None
    return path, offset
