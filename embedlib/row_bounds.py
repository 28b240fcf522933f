"""Rows in blocks of bounded size, and bounds on every similarity from one product."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from embedlib.blocks import row_blocks

# A block is 8 MB of float32, so that it is still in the cache when its norms are known; a GPU is fed more at once.
_BLOCK_ENTRIES = {"cpu": 2**21, "cuda": 2**25}
_MOST_ROWS = 8192
# What float32 products may lose besides the rounding of sums, where the caller has allowed it.
_PRODUCT_ROUNDING = {"highest": 0.0, "high": 2.0**-10, "medium": 2.0**-7}


@dataclass(frozen=True, eq=False, slots=True)
class Rows:
    """Consecutive rows in the precision they are multiplied in.

    Attributes:
        start: the id of the first.
        vectors: (n_rows, d) float32 or float64.
        norms: (n_rows,) their lengths, same dtype; 0 only for rows of zeros.
        exact: (n_rows, d) what the values are worked out from, of any float dtype.
    """

    start: int
    vectors: Tensor
    norms: Tensor
    exact: Tensor

    def part(self, start: int, stop: int) -> "Rows":
        """Return rows [start, stop), counted from the first of these."""
        return Rows(self.start + start, self.vectors[start:stop], self.norms[start:stop], self.exact[start:stop])


def work_dtype(table: Tensor | NDArray[np.generic]) -> torch.dtype:
    """Return the precision a table is multiplied in: float64 where it is, otherwise float32."""
    return torch.float64 if table.dtype.itemsize == 8 else torch.float32


def blocks_of(table: Tensor | NDArray[np.generic], *, first: int = 0, norms: Tensor | None = None) -> Iterator[Rows]:
    """Yield a table's rows in blocks of bounded size, from row `first` on."""
    n_rows, width = table.shape
    device = table.device.type if isinstance(table, Tensor) else "cpu"
    size = min(_MOST_ROWS, max(_BLOCK_ENTRIES.get(device, _BLOCK_ENTRIES["cpu"]) // max(width, 1), 1))
    dtype = work_dtype(table)
    if isinstance(table, Tensor):
        parts = ((start, table[start : start + size].detach()) for start in range(first, n_rows, size))
    else:  # torch wants memory that may be written to, and no foreign byte order
        parts = (
            (start, torch.from_numpy(np.require(block, block.dtype.newbyteorder("="), ["C", "W"])))
            for start, block in row_blocks(table, size, first=first)
        )
    for start, part in parts:
        if device == "mps":  # which has no float64
            part = part.cpu()
        yield rows_from(part, dtype, start=start, norms=None if norms is None else norms[start : start + size])


def rows_from(
    x: Tensor, dtype: torch.dtype, *, start: int = 0, norms: Tensor | None = None, name: str = "table"
) -> Rows:
    """Prepare rows, and refuse those that cannot be compared."""
    vectors = x.to(dtype)
    if norms is None:
        norms = _norms(vectors)
        largest = torch.finfo(dtype).max ** 0.5 / 4
        if not bool((norms <= largest).all()):
            raise ValueError(
                f"{name} row {start + int((~(norms <= largest)).nonzero()[0])} has entries that are not finite, or so "
                "large that their squares overflow: take such rows out, or scale everything down"
            )
    return Rows(start, vectors, norms.to(vectors), x)


def take_rows(table: Tensor | NDArray[np.generic], ids: NDArray[np.int64]) -> Tensor:
    """Return a copy of some rows, (n_ids, d), where the table is."""
    if isinstance(table, Tensor):
        return table.detach()[torch.from_numpy(ids).to(table.device)]
    rows = table[ids]
    return torch.from_numpy(np.require(rows, rows.dtype.newbyteorder("="), ["C", "W"]))


def bounds(queries: Rows, rows: Rows, metric: str) -> tuple[Tensor, Tensor]:
    """Return what no similarity exceeds, and how far below it can lie.

    The rounding of a product of d terms, in whatever order they are summed, is at most d/2 eps |q||x| (Higham 2002,
    Accuracy and Stability of Numerical Algorithms, §3.1); 16 more terms cover norms, thresholds and rounded results.
    For "euclidean" the similarity is minus the squared distance.

    Returns:
        upper: (n_queries, n_rows), and width: the same or broadcastable to it; the similarity is in
        [upper - width, upper].
    """
    finfo = torch.finfo(rows.vectors.dtype)
    share = (rows.vectors.shape[1] + 16) * finfo.eps / 2 * 1.01
    if rows.vectors.dtype == torch.float32 and len(queries.vectors) > 1:
        share += _PRODUCT_ROUNDING[torch.get_float32_matmul_precision()]
    if metric == "cosine":
        lengths = rows.norms.clamp(min=finfo.tiny)
        units = queries.vectors / queries.norms.clamp(min=finfo.tiny)[:, None]  # (n_queries, d)
        upper = _products(units, rows.vectors).div_(lengths)  # (n_queries, n_rows)
        # Products with rows as short as these may have lost their last digits to underflow: always worked out.
        faint = (rows.norms > 0) & (rows.norms < 1e8 * finfo.tiny)
        if bool(faint.any()):
            upper[:, faint] = torch.inf
        half = upper.new_tensor(2 * share)
    else:
        upper = _products(queries.vectors, rows.vectors)  # (n_queries, n_rows)
        if metric == "dot":
            half = torch.outer(queries.norms, rows.norms).mul_(share)
            half += rows.vectors.shape[1] * finfo.tiny * (1 + queries.norms.max())  # where products underflow
        else:
            squares = queries.norms.square()[:, None] + rows.norms.square()  # (n_queries, n_rows)
            upper = upper.mul_(2).sub_(squares)
            half = squares.mul_(2 * share)
    return upper.add_(half), 2 * half


def _products(queries: Tensor, rows: Tensor) -> Tensor:
    """Return queries @ rows.T, (n_queries, n_rows)."""
    if rows.device.type == "cpu" and len(queries) == 1:
        # Twice as fast as a matrix product here: 5 ms against 11 for 50257 x 768.
        return torch.from_numpy(np.vecdot(rows.numpy(), queries.numpy()))[None]
    # torch's BLAS keeps to torch's thread count; NumPy's, with threads of its own that wait spinning, was 2 to 10 times
    # slower than this on two busy cores, and no faster on idle ones.
    return queries @ rows.T


def _norms(x: Tensor) -> Tensor:
    """Return the rows' lengths, also where the squares of very small entries vanish."""
    if x.device.type == "cpu":
        with np.errstate(over="ignore", invalid="ignore"):  # rows_from says it in words
            norms = torch.from_numpy(np.sqrt(np.vecdot(x.numpy(), x.numpy())))
    else:
        norms = torch.linalg.vecdot(x, x).sqrt()
    faint = norms < 1e8 * torch.finfo(x.dtype).tiny ** 0.5
    if bool(faint.any()):
        rows = x[faint].double()
        scale = rows.abs().amax(dim=1) if x.shape[1] else rows.new_zeros(len(rows))
        lengths = torch.linalg.vector_norm(rows / scale.clamp(min=torch.finfo(torch.float64).tiny)[:, None], dim=1)
        norms[faint] = (lengths * scale).to(norms)
    return norms
