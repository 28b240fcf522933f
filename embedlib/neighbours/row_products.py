"""One pass over rows: their products with every query, and their squares while they are in the cache."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
from torch import Tensor

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
    known = torch.cpu.get_capabilities()
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
