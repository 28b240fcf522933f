"""The rows of a table nearest to a vector: exact, in the full space, whatever the table's size.

How alike every row of a table is to one vector, for a picture in which all of them are coloured.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import cosine_similarity

from embedlib.neighbours.blocks import row_blocks
from embedlib.neighbours.bounds import Rows, blocks_of, rows_from, upper_bounds, work_dtype, worth_rounding
from embedlib.neighbours.top_k import Best, take_best

METRICS = ("cosine", "dot", "euclidean")
Table = Tensor | NDArray[np.generic]
Progress = Callable[[float], None]

# Queries that meet a block at once, and bounds that are looked at together: 16 MB of float32.
_QUERIES_AT_ONCE = 256
_SIMILARITIES_AT_ONCE = 2**22
# Coarse bounds pay as long as they let in no more than this times the k rows that are asked for.
_COARSE_PAIRS = 16


class Neighbours(NamedTuple):
    """The k nearest rows of each query, the nearest first.

    Attributes:
        similarities: (n_queries, k) falling; the greater, the nearer, for every metric.
        ids: (n_queries, k) int64 row numbers; among equal similarities the lower first.
    """

    similarities: Tensor
    ids: Tensor


def nearest_neighbours(
    table: Table,
    queries: Table,
    k: int = 10,
    metric: str = "cosine",
    *,
    exclude: Tensor | Sequence[int] | NDArray[np.integer] | None = None,
    row_norms: Tensor | None = None,
) -> Neighbours:
    """Find the k rows of a table nearest to each query, exactly.

    A product in float32 (float64 for a float64 table; bfloat16 first, for many queries on a processor that knows it)
    bounds every similarity; whatever could be among the k is worked out in float64 and rounded once. So the answer does
    not depend on how sums are ordered: equal rows tie, a row is at distance 0 from itself, and the order is the same on
    every device. The table is read once, in blocks: beside it and the result, about 100 MB are in use on the CPU,
    whatever n_rows and n_queries. An np.memmap is read from its file.

    Where very many rows are equal, or all lie in one direction many times as far out as they differ, more of them have
    to be worked out: the same answer, later. On the CPU all keeps to torch's number of threads.

    Args:
        table: (n_rows, d) finite, of a float dtype: a Tensor on any device, an array or an np.memmap.
        queries: (n_queries, d) finite, of any float dtype; one query is one row, query[None].
        k: in [1, n_rows - n_excluded].
        metric: "cosine" (0 for a row of zeros), "dot", or "euclidean" (minus the distance).
        exclude: (n_queries,) or (n_queries, n_excluded) row ids to leave out for each query, such as its own row;
            -1 leaves out none.
        row_norms: what row_norms(table) returned, to save working it out again for every query.

    Returns:
        Neighbours on the device of the table; similarities float64 where the table is, otherwise float32.

    Raises:
        ValueError: a shape, dtype, metric, k or id out of its range, or entries that are not finite or so large that
            their squares overflow.
    """
    _check(table, metric, "table")
    _check(queries, metric, "queries")
    n_rows, width = table.shape
    if queries.shape[1] != width:
        raise ValueError(f"queries has {queries.shape[1]} columns: it must have as many as the table, d={width}")
    if row_norms is not None and tuple(row_norms.shape) != (n_rows,):
        raise ValueError(f"row_norms has shape {tuple(row_norms.shape)}: it must be (n_rows={n_rows},)")
    left_out = _excluded(exclude, len(queries), n_rows)
    most = n_rows - left_out.shape[1]
    if not 1 <= k <= most:
        raise ValueError(f"k={k} must be between 1 and {most}, the rows there are to choose from")
    dtype = work_dtype(table)
    device = table.device if isinstance(table, Tensor) else torch.device("cpu")
    best = Best(len(queries), k, np.float64 if dtype == torch.float64 else np.float32)
    asked = _query_rows(queries, dtype, device)
    at_once = min(len(queries), _QUERIES_AT_ONCE)
    most_rows = max(_SIMILARITIES_AT_ONCE // max(at_once, 1), 1)
    coarse = at_once > 0 and worth_rounding(asked.vectors[:at_once], asked.vectors)
    for block in blocks_of(table, norms=row_norms, most_rows=most_rows, measured=False) if at_once else ():
        rows = block
        for start in range(0, len(queries), at_once):
            at = slice(start, min(start + at_once, len(queries)))
            some = asked.part(at.start, at.stop)
            done = False
            while not done:
                upper, rows = upper_bounds(some, rows, metric, coarse=coarse)
                _leave_out(upper, left_out[at], rows.start)
                most_pairs = _COARSE_PAIRS * k * len(upper) if coarse else None
                done = take_best(best, at, some, rows, upper, metric, most_pairs=most_pairs)
                coarse = coarse and done  # rows that lie too close for it in one block do so in the others
    similarities = torch.from_numpy(best.values).to(dtype).to(device)
    return Neighbours(similarities, torch.from_numpy(best.ids).to(device))


def neighbour_distances(table: Table, *, metric: str = "cosine", progress: Progress | None = None) -> Tensor:
    """Measure how far every row is from its nearest other row: small in a crowd, great for a loner.

    Every pair is looked at once, n_rows² d / 2 multiplications, in blocks as nearest_neighbours does.

    Args:
        table: (n_rows, d) as for nearest_neighbours, at least 2 rows.
        metric: "cosine" (1 less the cosine, in [0, 2]; 1 for a row of zeros) or "euclidean".
        progress: called with the share done, rising to 1, many times a second; may raise to cancel.

    Returns:
        (n_rows,) distances, at least 0 and exactly 0 for rows that are there twice, on the device of the table; float64
        where the table is, otherwise float32.

    Raises:
        ValueError: fewer than 2 rows, metric "dot" (which is no distance), or as for nearest_neighbours.
    """
    _check(table, metric, "table")
    if metric == "dot":
        raise ValueError("metric='dot' has no distance: choose 'cosine' or 'euclidean'")
    n_rows = len(table)
    if n_rows < 2:
        raise ValueError(f"n_rows={n_rows} must be at least 2: one row alone has no neighbour")
    best = Best(n_rows, 1, np.float64)
    norms = row_norms(table)
    pairs_done = 0
    coarse = True
    for here in blocks_of(table, norms=norms):
        for there in blocks_of(table, first=here.start, norms=norms):
            coarse = coarse and worth_rounding(here.vectors, there.vectors)
            if not _compare_blocks(best, here, there, metric, coarse=coarse):
                coarse = False
                _compare_blocks(best, here, there, metric, coarse=False)
            pairs_done += len(here.vectors) * len(there.vectors) * (1 if here.start == there.start else 2)
            if progress is not None:
                progress(pairs_done / n_rows**2)
    similarity = torch.from_numpy(best.values[:, 0])
    device = table.device if isinstance(table, Tensor) else torch.device("cpu")
    return (1 - similarity if metric == "cosine" else similarity.abs()).to(work_dtype(table)).to(device)


def _compare_blocks(best: Best, here: Rows, there: Rows, metric: str, *, coarse: bool) -> bool:
    """Find the nearest in one block for each row of the other, both ways; False where coarse bounds do not do."""
    upper, _ = upper_bounds(here, there, metric, coarse=coarse)
    if here.start == there.start:
        upper.fill_diagonal_(-torch.inf)
    most_pairs = _COARSE_PAIRS * len(upper) if coarse else None
    mine = slice(here.start, here.start + len(here.vectors))
    done = take_best(best, mine, here, there, upper, metric, most_pairs=most_pairs)
    if not done or here.start == there.start:
        return done
    theirs = slice(there.start, there.start + len(there.vectors))
    return take_best(best, theirs, there, here, upper.T, metric, most_pairs=most_pairs)


def row_norms(table: Table) -> Tensor:
    """Measure every row's length, in the precision that nearest_neighbours takes it.

    Args:
        table: (n_rows, d) as for nearest_neighbours.

    Returns:
        (n_rows,) at least 0, on the device of the table; float64 where the table is, otherwise float32.

    Raises:
        ValueError: as for nearest_neighbours.
    """
    _check(table, METRICS[0], "table")
    norms = [rows.norms for rows in blocks_of(table)]
    device = table.device if isinstance(table, Tensor) else torch.device("cpu")
    return torch.cat(norms).to(device) if norms else torch.zeros(0, dtype=work_dtype(table), device=device)


def _query_rows(queries: Table, dtype: torch.dtype, device: torch.device) -> Rows:
    """Return queries ready to be compared, where the table is."""
    if not isinstance(queries, Tensor):
        queries = torch.from_numpy(np.array(queries, queries.dtype.newbyteorder("=")))
    return rows_from(queries.detach().to("cpu" if device.type == "mps" else device), dtype, name="queries")


def _leave_out(upper: Tensor, ids: NDArray[np.int64], start: int) -> None:
    """Rule out the given rows for each query, of those that begin at start."""
    columns = ids - start  # (n_queries, n_excluded)
    query, which = np.nonzero((ids >= 0) & (columns >= 0) & (columns < upper.shape[1]))
    if len(query):
        upper[torch.from_numpy(query), torch.from_numpy(columns[query, which])] = -torch.inf


def _excluded(
    exclude: Tensor | Sequence[int] | NDArray[np.integer] | None, n_queries: int, n_rows: int
) -> NDArray[np.int64]:
    """Return ids to leave out, (n_queries, n_excluded)."""
    if exclude is None:
        return np.empty((n_queries, 0), dtype=np.int64)
    ids = np.asarray(exclude.cpu() if isinstance(exclude, Tensor) else exclude, dtype=np.int64)
    ids = ids[:, None] if ids.ndim == 1 else ids
    if ids.ndim != 2 or len(ids) != n_queries:
        raise ValueError(
            f"exclude has shape {ids.shape}: it must be (n_queries={n_queries},) or that with more columns"
        )
    if ids.size and not (ids.min() >= -1 and ids.max() < n_rows):
        raise ValueError(f"exclude has ids in [{ids.min()}, {ids.max()}]: they must be in [-1, n_rows={n_rows})")
    return ids


def _check(x: Table, metric: str, name: str) -> None:
    if metric not in METRICS:
        raise ValueError(f"metric={metric!r} must be one of {', '.join(METRICS)}")
    if x.ndim != 2 or not x.shape[1]:
        raise ValueError(f"{name} has shape {tuple(x.shape)}: it must be (rows, d), with d at least 1")
    floating = x.is_floating_point() if isinstance(x, Tensor) else x.dtype.kind == "f"
    if not floating or x.dtype.itemsize not in {2, 4, 8}:
        raise ValueError(f"{name} is {x.dtype}: it must be float16, float32 or float64")


_ROWS_AT_ONCE = 16_384
_FAINT = 1e-15  # a length whose square is near float32's least, 1e-38; below, cosines are worked out in float64


def likeness_to(table: Tensor | NDArray[np.generic], query: Tensor, metric: str = "cosine") -> Tensor:
    """Measure how alike every row is to a vector, in one pass and in float32; nearest_neighbours decides close calls.

    Args:
        table: (n_rows, d) of a float dtype: a Tensor on any device, an array or an np.memmap.
        query: (d,).
        metric: "cosine" (0 for a row of zeros), "dot", or "euclidean" (minus the distance).

    Returns:
        (n_rows,) float32 on the CPU; the greater, the more alike.

    Raises:
        ValueError: shapes that do not agree, or another metric.
    """
    if metric not in METRICS:
        raise ValueError(f"metric={metric!r} must be one of {', '.join(METRICS)}")
    if table.ndim != 2 or tuple(query.shape) != (table.shape[1],):
        raise ValueError(f"query has shape {tuple(query.shape)}: it must be ({table.shape[-1]},), as wide as the table")
    if isinstance(table, Tensor):
        blocks = iter(torch.split(table.detach(), _ROWS_AT_ONCE))
    else:
        blocks = (torch.from_numpy(np.require(block, np.float32, "W")) for _, block in row_blocks(table, _ROWS_AT_ONCE))
    return torch.cat([_likeness(block.float(), query.to(block.device).float(), metric).cpu() for block in blocks])


def _likeness(rows: Tensor, query: Tensor, metric: str) -> Tensor:
    """Return (n_rows,)."""
    if metric == "euclidean":
        distance: Tensor = torch.linalg.vector_norm(rows - query, dim=1)
        return -distance
    products = rows @ query
    if metric == "dot":
        return products
    lengths, own = torch.linalg.vector_norm(rows, dim=1), torch.linalg.vector_norm(query)
    found: Tensor = products / (lengths * own).clamp(min=_FAINT**2)
    faint = lengths.minimum(own) < _FAINT
    if bool(faint.any()):
        some = cosine_similarity(rows[faint].double(), query.double(), dim=1, eps=1e-100)  # 0 for a row of zeros
        found[faint] = some.float()
    return found
