"""One pass over rows: their products with every query, and their squares while they are in the cache.

Rows in blocks of bounded size, and bounds on every similarity from one product.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from embedlib.neighbours.blocks import lies_in_file, row_blocks

# Rows are taken this many entries at a time on the CPU: 256 rows of 768 columns, 0.8 MB, which a core's own cache still
# holds when their squares are taken too. Products of many queries like pieces of four times that.
_PIECE_ENTRIES = 3 * 2**16
_PIECE_ENTRIES_OF_PRODUCTS = 4 * _PIECE_ENTRIES
# Below these, rounding the rows takes longer than it saves; in few columns rows also lie too close for such bounds.
_COARSE_QUERIES, _COARSE_WIDTH = 16, 128
# bfloat16 keeps 8 binary digits: what is rounded to it is off by this share of itself at most.
_ROUNDING = 2.0**-8


def products(
    queries: Tensor, rows: Tensor, *, with_squares: bool = False, coarse: bool = False
) -> tuple[Tensor, Tensor | None]:
    """Multiply every query with every row.

    Args:
        queries: (n_queries, d) float32 or float64.
        rows: (n_rows, d) of the same dtype and device.
        with_squares: whether to return the rows' squared lengths too.
        coarse: multiply in bfloat16, on the CPU; see coarse_share.

    Returns:
        (n_queries, n_rows) products in the dtype given, and (n_rows,) squared lengths or None.
    """
    if rows.device.type != "cpu":
        return queries @ rows.T, torch.linalg.vecdot(rows, rows) if with_squares else None
    found = rows.new_empty(len(queries), len(rows))
    squares = rows.new_empty(len(rows)) if with_squares else None
    if len(queries) == 1:
        _multiply_one(queries[0], rows, found[0], squares)
    else:
        _multiply_many(queries, rows, found, squares, coarse=coarse)
    return found, squares


def worth_rounding(queries: Tensor, rows: Tensor) -> bool:
    """Say whether products in bfloat16 are faster here: twice, on processors that know them; on others far slower."""
    if rows.device.type != "cpu" or rows.dtype != torch.float32:
        return False
    known: dict[str, bool] = getattr(torch.cpu, "get_capabilities", dict)()  # PyTorch 2.6 cannot say
    able = bool(known.get("avx512_bf16") or known.get("amx_bf16"))
    return able and len(queries) >= _COARSE_QUERIES and rows.shape[1] >= _COARSE_WIDTH


def coarse_share(queries: Tensor) -> float:
    """Return by what share of the two lengths coarse products may be less than products of what is not rounded.

    By Cauchy and Schwarz, that is the length of what is rounded off a row, as a share of the row, and the same for the
    query, measured here; 1.01 for both at once. Rounding the product is no part of it: the product is raised by that.
    """
    lost = torch.linalg.vector_norm(queries - queries.bfloat16().to(queries), dim=1)
    lengths = torch.linalg.vector_norm(queries, dim=1).clamp(min=torch.finfo(queries.dtype).tiny)
    return (_ROUNDING + min(float((lost / lengths).max()), _ROUNDING)) * 1.01


def squared_lengths(rows: Tensor) -> Tensor:
    """Return the rows' squared lengths, (n_rows,); infinite or not a number where they overflow."""
    if rows.device.type != "cpu":
        found: Tensor = torch.linalg.vecdot(rows, rows)
        return found
    x, squares = rows.numpy(), rows.new_empty(len(rows))
    out = squares.numpy()
    _in_pieces(rows, _PIECE_ENTRIES_OF_PRODUCTS, lambda at: np.vecdot(x[at], x[at], out=out[at]))
    return squares


def _multiply_one(query: Tensor, rows: Tensor, found: Tensor, squares: Tensor | None) -> None:
    """Multiply one query: NumPy's dot products take half as long as a matrix product, 11 ms for 22 in 50257 x 768."""
    x, q, out = rows.numpy(), query.numpy(), found.numpy()
    out_squares = None if squares is None else squares.numpy()

    def multiply(at: slice) -> None:
        np.vecdot(x[at], q, out=out[at])
        if out_squares is not None:
            np.vecdot(x[at], x[at], out=out_squares[at])

    _in_pieces(rows, _PIECE_ENTRIES_OF_PRODUCTS if squares is None else _PIECE_ENTRIES, multiply)


def _multiply_many(queries: Tensor, rows: Tensor, found: Tensor, squares: Tensor | None, *, coarse: bool) -> None:
    # torch's BLAS keeps to torch's thread count; NumPy's, with threads of its own that wait spinning, was 2 to 10 times
    # slower than this on two busy cores, and no faster on idle ones.
    factors = queries.bfloat16() if coarse else queries
    size = max(_PIECE_ENTRIES_OF_PRODUCTS // rows.shape[1], 1)
    rounded = torch.empty(min(size, len(rows)), rows.shape[1], dtype=torch.bfloat16) if coarse else None
    for start in range(0, len(rows), size):
        piece = rows[start : start + size]
        into = found[:, start : start + size]
        if squares is not None:
            squares[start : start + size] = squared_lengths(piece)
        if rounded is not None:
            into.copy_(factors @ rounded[: len(piece)].copy_(piece).T)
            into.add_(into.abs(), alpha=1.01 * _ROUNDING)
        else:
            torch.mm(factors, piece.T, out=into)


def _in_pieces(rows: Tensor, entries: int, work: Callable[[slice], object]) -> None:
    """Do work on all rows, a piece after the other on each of as many threads as torch may use."""
    size = max(entries // max(rows.shape[1], 1), 1)

    def walk(start: int, stop: int) -> None:
        with np.errstate(over="ignore", invalid="ignore"):  # the caller looks; each thread has its own state
            for first in range(start, stop, size):
                work(slice(first, min(first + size, stop)))

    n_threads = min(torch.get_num_threads(), len(rows) // (4 * size))
    if n_threads < 2:
        walk(0, len(rows))
        return
    bounds = [len(rows) * part // n_threads for part in range(n_threads + 1)]
    with ThreadPoolExecutor(n_threads) as pool:
        list(pool.map(walk, bounds[:-1], bounds[1:]))


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
        norms: (n_rows,) their lengths, same dtype; 0 only for rows of zeros. Empty before they are measured.
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


def blocks_of(
    table: Tensor | NDArray[np.generic],
    *,
    first: int = 0,
    norms: Tensor | None = None,
    most_rows: int | None = None,
    measured: bool = True,
) -> Iterator[Rows]:
    """Yield a table's rows in blocks of bounded size.

    Args:
        table: (n_rows, d) of a float dtype.
        first: the row to begin at.
        norms: (n_rows,) the rows' lengths, where they are known.
        most_rows: how many rows a block may have where it is a view of the table and costs no memory.
        measured: whether to measure, and check, rows whose lengths are not given; what bounds does otherwise.
    """
    if isinstance(table, np.ndarray) and table.flags.carray and table.dtype.isnative and not lies_in_file(table):
        table = torch.from_numpy(table)
    n_rows, width = table.shape
    device = table.device.type if isinstance(table, Tensor) else "cpu"
    size = min(_MOST_ROWS, max(_BLOCK_ENTRIES.get(device, _BLOCK_ENTRIES["cpu"]) // max(width, 1), 1))
    dtype = work_dtype(table)
    if isinstance(table, Tensor):
        if most_rows is not None and table.dtype == dtype and device != "mps":
            size = most_rows
        parts = ((start, table[start : start + size].detach()) for start in range(first, n_rows, size))
    else:  # torch wants memory that may be written to, and no foreign byte order
        parts = (
            (start, torch.from_numpy(np.require(block, block.dtype.newbyteorder("="), ["C", "W"])))
            for start, block in row_blocks(table, size, first=first)
        )
    for start, part in parts:
        if device == "mps":  # which has no float64
            part = part.cpu()
        rows = Rows(start, part.to(dtype), torch.empty(0), part)
        if norms is not None:
            yield replace(rows, norms=norms[start : start + size].to(rows.vectors))
        else:
            yield measured_rows(rows, squared_lengths(rows.vectors)) if measured else rows


def rows_from(x: Tensor, dtype: torch.dtype, *, start: int = 0, name: str = "table") -> Rows:
    """Prepare rows, and refuse those that cannot be compared."""
    vectors = x.to(dtype)
    return measured_rows(Rows(start, vectors, torch.empty(0), x), squared_lengths(vectors), name=name)


def measured_rows(rows: Rows, squares: Tensor, *, name: str = "table") -> Rows:
    """Return rows with their lengths, also where the squares of very small entries vanish; refuse what overflows."""
    x, norms = rows.vectors, squares.sqrt()
    largest = torch.finfo(x.dtype).max ** 0.5 / 4
    if not bool((norms <= largest).all()):
        raise ValueError(
            f"{name} row {rows.start + int((~(norms <= largest)).nonzero()[0])} has entries that are not finite, or so "
            "large that their squares overflow: take such rows out, or scale everything down"
        )
    faint = norms < 1e8 * torch.finfo(x.dtype).tiny ** 0.5
    if bool(faint.any()):
        some = x[faint].double()
        scale = some.abs().amax(dim=1) if x.shape[1] else some.new_zeros(len(some))
        lengths = torch.linalg.vector_norm(some / scale.clamp(min=torch.finfo(torch.float64).tiny)[:, None], dim=1)
        norms[faint] = (lengths * scale).to(norms)
    return replace(rows, norms=norms)


def take_rows(table: Tensor | NDArray[np.generic], ids: NDArray[np.int64]) -> Tensor:
    """Return a copy of some rows, (n_ids, d), where the table is."""
    if isinstance(table, Tensor):
        return table.detach()[torch.from_numpy(ids).to(table.device)]
    rows = table[ids]
    return torch.from_numpy(np.require(rows, rows.dtype.newbyteorder("="), ["C", "W"]))


def upper_bounds(queries: Rows, rows: Rows, metric: str, *, coarse: bool = False) -> tuple[Tensor, Rows]:
    """Return what no similarity exceeds, and the rows with their lengths, measured in the same pass where need be.

    The rounding of a product of d terms, in whatever order they are summed, is at most d/2 eps |q||x| (Higham 2002,
    Accuracy and Stability of Numerical Algorithms, §3.1); 16 more terms cover norms, thresholds and rounded results.
    For "euclidean" the similarity is minus the squared distance.

    Args:
        queries: measured.
        rows: measured or not.
        metric: "cosine", "dot" or "euclidean".
        coarse: multiply in bfloat16, for wider bounds in half the time.

    Returns:
        (n_queries, n_rows) bounds, above the similarity by at most bound_widths where not coarse; and measured rows.
    """
    tiny = torch.finfo(rows.vectors.dtype).tiny
    factors = queries.vectors
    if metric == "cosine":
        factors = factors / queries.norms.clamp(min=tiny)[:, None]
    elif metric == "euclidean":
        factors = factors * 2
    unknown = len(rows.norms) != len(rows.vectors)
    upper, squares = products(factors, rows.vectors, with_squares=unknown, coarse=coarse)  # (n_queries, n_rows)
    if squares is not None:
        rows = measured_rows(rows, squares)
    share = _share(queries, rows) + (coarse_share(factors) if coarse else 0.0)
    if metric == "cosine":
        torch.addcmul(upper.new_tensor(2 * share), upper, rows.norms.clamp(min=tiny).reciprocal(), out=upper)
        # Products with rows as short as these may have lost their last digits to underflow: always worked out.
        faint = (rows.norms > 0) & (rows.norms < 1e8 * tiny)
        if bool(faint.any()):
            upper[:, faint] = torch.inf
    elif metric == "dot":
        upper.addr_(queries.norms * share, rows.norms).add_(_vanished(queries, rows))
    else:
        upper.sub_(rows.norms.square().mul_(1 - 2 * share))
        upper.sub_(queries.norms.square().mul_(1 - 2 * share).sub_(_vanished(queries, rows))[:, None])
    return upper, rows


def bound_widths(queries: Rows, rows: Rows, metric: str) -> Tensor:
    """Return how far below upper_bounds a similarity can lie, (n_queries, n_rows) or broadcastable to it."""
    share = _share(queries, rows)
    if metric == "cosine":
        return rows.norms.new_tensor(4 * share)
    if metric == "dot":
        half = torch.outer(queries.norms, rows.norms).mul_(share)
    else:
        half = (queries.norms.square()[:, None] + rows.norms.square()).mul_(2 * share)
    return half.add_(_vanished(queries, rows)).mul_(2)


def _share(queries: Rows, rows: Rows) -> float:
    """Return by what share of the two lengths a product may be off."""
    share = (rows.vectors.shape[1] + 16) * torch.finfo(rows.vectors.dtype).eps / 2 * 1.01
    if rows.vectors.dtype == torch.float32 and len(queries.vectors) > 1:
        share += _PRODUCT_ROUNDING[torch.get_float32_matmul_precision()]
    return share


def _vanished(queries: Rows, rows: Rows) -> Tensor:
    """Return by how much products may be off where factors or terms are too small for their dtype, ()."""
    tiny = torch.finfo(rows.vectors.dtype).tiny
    longest = queries.norms.max() + (rows.norms.max() if len(rows.norms) else 0)
    return 4 * rows.vectors.shape[1] * tiny * (1 + longest)
