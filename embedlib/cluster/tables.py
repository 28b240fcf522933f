"""Principal components and nearest rows of a table on disk, part by part, then merged."""

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from embedlib.cluster.connection import Cluster, OnMessage, Send
from embedlib.cluster.disk import TableOnDisk, TablePart, table_on_disk
from embedlib.neighbours.blocks import Table, rows_at_once, tensor_blocks
from embedlib.neighbours.search import Best, Neighbours, best_in_blocks, check_queries
from embedlib.progress import Progress
from embedlib.projection.pca import (
    Moments,
    Pca,
    basis,
    block_rows,
    check_sizes,
    merge_moments,
    moments,
    read_blocks,
    solve_scatter,
)

Source = str | Path | Sequence[str | Path] | TableOnDisk

_CPU = torch.device("cpu")
_BLOCK_ENTRIES = 2**21  # read at once where nearest rows are searched


def fit_pca(
    table: Source, n_components: int = 3, *, cluster: Cluster | None = None, progress: Progress | None = None
) -> Pca:
    """Fit principal components of a table on disk; equal to `embedlib.fit_pca`, which reads it on one machine.

    Each part is read in one pass by one worker; partial moments, n_features² numbers, are merged. All is read again
    with products in float64 where variances span more than 1:1000. The result is on the CPU. `table` is a source of
    `table_on_disk`, on a file system that all workers share, or its result. Without a cluster the parts are read here,
    one by one. `progress` is called on this thread with the share of the rows read, in (0, 1] for each pass, and may
    raise to stop.

    Raises:
        TableError: a file that cannot be read.
        ClusterError: of the cluster.

    Source: Chan, Golub & LeVeque 1983, https://doi.org/10.1080/00031305.1983.10483115
    """
    whole = _open_source(table)
    check_sizes(whole.n_rows, whole.d_model, n_components, streamed=True)
    own = torch.float64 if whole.dtype.itemsize == 8 else torch.float32
    for dtype in (own, torch.float64):
        shared = (whole.d_model, dtype)
        sums = _merge_moments(list(_part_results(whole, cluster, _part_moments, shared, _merge_moments, progress)))
        solution = solve_scatter(sums, n_components, exact=dtype == torch.float64)
        if solution is not None:
            break
    assert solution is not None  # float64 resolves any spectrum
    return basis("covariance, streamed", solution, n_components, own, _CPU)


def nearest_neighbours(
    table: Source,
    queries: Table,
    k: int = 10,
    metric: str = "cosine",
    *,
    exclude: Tensor | Sequence[int] | NDArray[np.integer] | None = None,
    cluster: Cluster | None = None,
    progress: Progress | None = None,
) -> Neighbours:
    """Find the k rows of a table on disk nearest to each query; equal to `embedlib.nearest_neighbours`.

    Ids count the rows of all files; the result is on the CPU. `table` is a source of `table_on_disk`, on a file system
    that all workers share, or its result; `exclude` has row ids to leave out for each query, (n_queries,) or
    (n_queries, n_excluded), -1 for none. Without a cluster the parts are read here, one by one. `progress` is called on
    this thread with the share of the rows read, in (0, 1], and may raise to stop.

    Raises:
        TableError: a file that cannot be read.
        ClusterError: of the cluster.
    """
    whole = _open_source(table)
    left_out = check_queries((whole.n_rows, whole.d_model), queries, k, metric, exclude)
    dtype = torch.float64 if whole.dtype.itemsize == 8 else torch.float32
    rows = queries.detach().cpu() if isinstance(queries, Tensor) else np.array(queries)
    best = _part_results(whole, cluster, _nearest_in_part, (rows, k, metric, left_out, dtype), _merge_best, progress)
    return _merge_best(list(best)).neighbours(dtype, _CPU)


def _open_source(table: Source) -> TableOnDisk:
    return table if isinstance(table, TableOnDisk) else table_on_disk(table)


def _part_results(
    whole: TableOnDisk,
    cluster: Cluster | None,
    work: Callable[..., Any],
    shared: tuple[Any, ...],
    merge: Callable[[list[Any]], Any],
    progress: Progress | None,
) -> Iterator[Any]:
    """Yield partial results of each part, computed locally or on the cluster; some are already merged."""
    on_message = _progress_counter(whole, progress)
    if cluster is not None:
        yield from cluster.results(work, whole.parts, *shared, merge=merge, on_message=on_message)
        return
    kept: list[Any] = []
    for part in whole.parts:
        kept = [merge([*kept, work(part, *shared, lambda *news: [on_message(one) for one in news])])]
    yield from kept


def _progress_counter(whole: TableOnDisk, progress: Progress | None) -> OnMessage:
    """Return a handler that converts messages [first row of the part, rows read of it] to the share of all rows."""
    read: dict[int, int] = {}  # of a part that is read again on another worker, the most

    def on_message(news: Any) -> None:
        if news is not None:
            first, count = news
            read[first] = max(read.get(first, 0), count)
        if progress is not None and read:
            progress(sum(read.values()) / whole.n_rows)

    return on_message


def _blocks_with_progress(part: TablePart, n_rows: int, send: Send) -> Iterator[NDArray[Any]]:
    """Read a part in blocks, and report (or be cancelled) before each."""
    for block in part.blocks(n_rows):
        send()
        yield block


def _part_moments(part: TablePart, d_model: int, dtype: torch.dtype, send: Send) -> Moments:
    sums = moments(read_blocks(lambda: _blocks_with_progress(part, block_rows(d_model), send), dtype, d_model))
    send([part.first, part.n_rows])
    return sums


def _merge_moments(parts: list[Moments]) -> Moments:
    return reduce(merge_moments, parts)


def _nearest_in_part(
    part: TablePart,
    queries: Table,
    k: int,
    metric: str,
    exclude: NDArray[np.int64],
    dtype: torch.dtype,
    send: Send,
) -> Best:
    def blocks() -> Iterator[tuple[int, Tensor]]:
        base = part.first
        for block in _blocks_with_progress(part, max(_BLOCK_ENTRIES // queries.shape[1], 1), send):
            at_once = rows_at_once(block, len(queries))
            yield from ((base + start, rows) for start, rows in tensor_blocks(block, at_once))
            base += len(block)

    best = best_in_blocks(blocks(), queries, k, metric, exclude, dtype)
    send([part.first, part.n_rows])
    return best


def _merge_best(best: list[Best]) -> Best:
    return reduce(Best.merge, best)
