"""The rows of a table nearest to a vector: exact, in the full space, whatever the table's size.

One product in the table's precision tells every similarity but for rounding; the few rows that could be among the
nearest for all that are worked out again in float64.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from embedlib.neighbours.best import Best, Neighbours
from embedlib.neighbours.blocks import Rows, Table, blocks_of, device_of, rows_of, take_rows, work_dtype
from embedlib.neighbours.similarities import (
    METRICS,
    PAIR_ENTRIES,
    exact_similarities,
    product_similarities,
    rounding_slack,
    worth_rounding,
)

Progress = Callable[[float], None]

_QUERIES_AT_ONCE = 256
_SIMILARITIES_AT_ONCE = 2**22  # 16 MB of those that are looked at together


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

    Whatever could be among the k is worked out and ranked in float64, and rounded at the end. So the answer does not
    depend on how sums are ordered: equal rows tie, a row is at distance 0 from itself, and the order is the same on
    every device. The table is read once, in blocks: beside it and the result, about 100 MB are in use on the CPU,
    whatever n_rows and n_queries. Where very many rows are equal, or all lie in one direction many times as far out as
    they differ, more of them have to be worked out: the same answer, later. On the CPU all keeps to torch's number of
    threads.

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
    left_out = check_queries(tuple(table.shape), queries, k, metric, exclude)
    if row_norms is not None and tuple(row_norms.shape) != (len(table),):
        raise ValueError(f"row_norms has shape {tuple(row_norms.shape)}: it must be (n_rows={len(table)},)")
    dtype, device = work_dtype(table), device_of(table)
    best = best_rows(
        [(0, table)], queries, k, metric, exclude=left_out, dtype=dtype, device=device, row_norms=row_norms
    )
    return best.neighbours(dtype, device)


def check_queries(
    shape: tuple[int, ...],
    queries: Table,
    k: int,
    metric: str,
    exclude: Tensor | Sequence[int] | NDArray[np.integer] | None,
) -> NDArray[np.int64]:
    """Refuse what nearest_neighbours cannot search in a table of a shape; return ids to leave out, (n_queries, n)."""
    _check(queries, metric, "queries")
    n_rows, width = shape
    if queries.shape[1] != width:
        raise ValueError(f"queries has {queries.shape[1]} columns: it must have as many as the table, d={width}")
    left_out = _excluded(exclude, len(queries), n_rows)
    most = n_rows - left_out.shape[1]
    if not 1 <= k <= most:
        raise ValueError(f"k={k} must be between 1 and {most}, the rows there are to choose from")
    return left_out


def best_rows(
    blocks: Iterable[tuple[int, Table]],
    queries: Table,
    k: int,
    metric: str,
    *,
    exclude: NDArray[np.int64],
    dtype: torch.dtype,
    device: torch.device,
    row_norms: Tensor | None = None,
) -> Best:
    """Find the k rows nearest to each query in blocks of rows, each with the number of its first."""
    best = Best(len(queries), k)
    at_once = min(len(queries), _QUERIES_AT_ONCE)
    parts = [
        rows_of(queries[start : start + at_once], dtype, device, metric, start=start, name="queries")
        for start in range(0, len(queries), max(at_once, 1))
    ]
    rounded = bool(parts) and worth_rounding(parts[0], parts[0])
    minus_infinity = torch.tensor(-torch.inf, dtype=dtype)
    most_rows = _SIMILARITIES_AT_ONCE // max(at_once, 1)
    in_blocks = (
        rows
        for base, block in blocks
        for rows in blocks_of(block, metric, norms=row_norms, most_rows=most_rows, base=base)
    )
    for rows in in_blocks if parts else ():
        for some in parts:
            columns = exclude[some.ids] - rows.ids.start  # (n_some, n_excluded)
            query, which = np.nonzero((exclude[some.ids] >= 0) & (columns >= 0) & (columns < len(rows.norms)))
            out = torch.from_numpy(query), torch.from_numpy(columns[query, which])
            near = product_similarities(some, rows, metric, rounded=rounded).index_put_(out, minus_infinity)
            if not best.take(some, rows, near, metric, rounded=rounded):
                rounded = False  # rows that lie too close for it in one block do so in the others
                near = product_similarities(some, rows, metric).index_put_(out, minus_infinity)
                best.take(some, rows, near, metric)
    return best


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
    best = Best(n_rows, 1)
    norms = row_norms(table)
    pairs_done = 0
    rounded = True
    for here in blocks_of(table, metric, norms=norms):
        for there in blocks_of(table, metric, norms=norms, first=here.ids.start):
            rounded = rounded and worth_rounding(here, there)
            if not _compare(best, here, there, metric, rounded=rounded):
                rounded = _compare(best, here, there, metric, rounded=False) and False
            pairs_done += len(here.norms) * len(there.norms) * (1 if here.ids == there.ids else 2)
            if progress is not None:
                progress(pairs_done / n_rows**2)
    similarity = torch.from_numpy(best.values[:, 0])
    return (1 - similarity if metric == "cosine" else similarity.abs()).to(work_dtype(table)).to(device_of(table))


def _compare(best: Best, here: Rows, there: Rows, metric: str, *, rounded: bool) -> bool:
    """Find the nearest in one block for each row of the other, both ways; False where rounded products do not do."""
    near = product_similarities(here, there, metric, rounded=rounded)
    if here.ids == there.ids:
        return best.take(here, there, near.fill_diagonal_(-torch.inf), metric, rounded=rounded)
    other_way = near.T.clone()
    return best.take(here, there, near, metric, rounded=rounded) and best.take(
        there, here, other_way, metric, rounded=rounded
    )


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
    norms = [rows.norms for rows in blocks_of(table, "dot")]
    return torch.cat(norms).to(device_of(table)) if norms else torch.zeros(0, dtype=work_dtype(table))


def count_before(table: Table, query: Tensor, row: int, metric: str, exclude: NDArray[np.int64]) -> int:
    """Count the rows that come before `row` for one query, (d,): more similar, or as similar with a lower id.

    Rows of which the product alone is not certain are worked out as nearest_neighbours does.
    """
    dtype = work_dtype(table)
    sought = rows_of(query.detach()[None], dtype, device_of(table), metric, name="query")
    own = exact_similarities(sought.exact, take_rows(table, np.array([row])), metric)[0]
    level = -(own**2) if metric == "euclidean" else own
    step = max(PAIR_ENTRIES // table.shape[1], 1)
    count = 0
    for rows in blocks_of(table, metric):
        near, slack = product_similarities(sought, rows, metric)[0].cpu(), float(rounding_slack(sought, rows, metric))
        inside = exclude[(exclude >= rows.ids.start) & (exclude < rows.ids.stop)]
        near[torch.from_numpy(inside - rows.ids.start)] = -torch.inf
        above = near > level + slack
        count += int(above.sum())
        for some in torch.split(((near >= level - slack) & ~above).nonzero()[:, 0], step):
            exact = rows.exact[some.to(rows.exact.device)]
            values = exact_similarities(sought.exact.expand(len(some), -1), exact, metric)
            count += int(((values > own) | ((values == own) & (some.numpy() + rows.ids.start < row))).sum())
    return count


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
