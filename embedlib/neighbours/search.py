"""The rows of a table nearest to a vector: exact, in the full space, whatever the table's size.

One product in the table's precision gives every similarity but for rounding; the few rows that rounding could move
across a threshold are compared again in float64, so that the answer does not depend on the order of sums.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from embedlib.errors import check_ints, check_tables
from embedlib.neighbours.blocks import (
    QUERIES_AT_ONCE,
    Table,
    rows_at_once,
    table_device,
    take_rows,
    tensor_blocks,
    work_dtype,
)
from embedlib.notebook import Figure, facts_html, matrix_figure
from embedlib.progress import Progress

Exclude = Tensor | Sequence[int] | Sequence[Sequence[int]] | NDArray[np.integer] | None

METRICS = ("cosine", "dot", "euclidean")
_SHOWN_QUERIES = 10  # in a notebook
_ROWS_AT_ONCE = 2048  # that are compared with all others before the table is read again
_EXACT_ENTRIES = 2**17  # compared in float64 at once: 1 MB, which the cache holds
# Error of float32 products beyond the rounding of sums, where the caller has allowed coarser ones.
_PRODUCT_ROUNDING = {"highest": 0.0, "high": 2.0**-10, "medium": 2.0**-7}


class Neighbours(NamedTuple):
    """The k nearest rows of each query, the nearest first.

    Attributes:
        similarities: (n_queries, k) falling; the greater, the nearer, for every metric.
        ids: (n_queries, k) int64 row numbers; among similarities equal in float64 the lower first.

    >>> from embedlib import nearest_neighbours
    >>> table = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> nearest_neighbours(table, table[:1], 2, metric="dot").similarities.tolist()
    [[1.0, 1.0]]
    """

    similarities: Tensor
    ids: Tensor

    def figure(self) -> Figure:
        """Draw the similarities, a row for each query, by Plotly."""
        return matrix_figure(self.similarities, x_title="nearest rows, from 0", y_title="query")

    def _repr_html_(self) -> str:
        """Show row numbers and similarities in a notebook."""
        lines = zip(self.ids.tolist(), self.similarities.tolist(), strict=True)
        facts = {
            f"query {number}": ", ".join(f"row {row} ({near:.4g})" for row, near in zip(rows, values, strict=True))
            for number, (rows, values) in enumerate(islice(lines, _SHOWN_QUERIES))
        }
        return facts_html(f"Nearest rows of {len(self.ids)} queries", facts)


def nearest_neighbours(
    table: Table,
    queries: Table,
    k: int = 10,
    metric: str = "cosine",
    *,
    exclude: Exclude = None,
    row_norms: Tensor | None = None,
) -> Neighbours:
    """Find the k rows of a table nearest to each query, exactly.

    Every candidate for the k is ranked in float64, so equal rows tie, a row is at distance 0 from itself, and the
    order is the same on every device. The table is read once, in blocks: beside it and the result, about 100 MB are in
    use. Where very many rows are equal, or lie close together far from 0, it takes longer.

    Args:
        table: (n_rows, d) finite, of a float dtype: a Tensor on any device, an array or an np.memmap.
        queries: (n_queries, d) finite, of any float dtype; one query is one row, query[None].
        k: in [1, n_rows - n_excluded].
        metric: "cosine" (0 for a row of zeros), "dot", or "euclidean" (minus the distance).
        exclude: (n_queries,) or (n_queries, n_excluded) row ids to leave out for each query, such as its own row;
            -1 leaves out none.
        row_norms: the result of row_norms(table), to avoid computing it again for every query.

    Returns:
        Neighbours on the device of the table; similarities float64 where the table is, otherwise float32.

    Raises:
        ValueError: a shape, dtype, metric, k or id out of its range, or entries that are not finite or so large that
            their squares overflow.

    >>> from embedlib import nearest_neighbours
    >>> table = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> nearest_neighbours(table, table[:1], 2, exclude=[0]).ids.tolist()
    [[2, 1]]
    """
    _check_rows(table, metric, "table")
    left_out = check_queries(tuple(table.shape), queries, k, metric, exclude)
    if row_norms is not None and tuple(row_norms.shape) != (len(table),):
        raise ValueError(f"row_norms has shape {tuple(row_norms.shape)}: it must be (n_rows={len(table)},)")
    blocks = tensor_blocks(table, rows_at_once(table, len(queries)))
    best = best_in_blocks(blocks, queries, k, metric, left_out, work_dtype(table), row_norms)
    return best.neighbours(work_dtype(table), table_device(table))


def neighbour_distances(table: Table, *, metric: str = "cosine", progress: Progress | None = None) -> Tensor:
    """Measure how far every row is from its nearest other row: small in a cluster, large for an outlier.

    Args:
        table: (n_rows, d) as for nearest_neighbours, at least 2 rows.
        metric: "cosine" (1 less the cosine, in [0, 2]; 1 for a row of zeros) or "euclidean".
        progress: called with the share done, rising to 1, many times a second; may raise to cancel.

    Returns:
        (n_rows,) distances, at least 0 and exactly 0 for duplicate rows, on the device of the table; float64
        where the table is, otherwise float32.

    Raises:
        ValueError: fewer than 2 rows, metric "dot" (which is no distance), or as for nearest_neighbours.

    >>> from embedlib import neighbour_distances
    >>> neighbour_distances(torch.tensor([[0.0], [1.0], [5.0]]), metric="euclidean").tolist()
    [1.0, 1.0, 4.0]
    """
    _check_rows(table, metric, "table")
    if metric == "dot":
        raise ValueError("metric='dot' has no distance: choose 'cosine' or 'euclidean'")
    n_rows = len(table)
    if n_rows < 2:
        raise ValueError(f"n_rows={n_rows} must be at least 2: one row alone has no neighbour")
    own, norms, similarities = np.arange(n_rows)[:, None], row_norms(table), []
    for first in range(0, n_rows, _ROWS_AT_ONCE):
        some = slice(first, min(first + _ROWS_AT_ONCE, n_rows))

        def blocks(some: slice = some) -> Iterator[tuple[int, Tensor]]:
            for start, part in tensor_blocks(table, rows_at_once(table, _ROWS_AT_ONCE)):
                yield start, part
                if progress is not None:
                    share = (start + len(part)) / n_rows
                    progress((some.start + share * (some.stop - some.start)) / n_rows)

        best = best_in_blocks(blocks(), table[some], 1, metric, own[some], work_dtype(table), norms)
        similarities.append(best.values[:, 0])
    similarity = torch.from_numpy(np.concatenate(similarities))
    return (1 - similarity if metric == "cosine" else similarity.abs()).to(work_dtype(table)).to(table_device(table))


def ranks(
    table: Table,
    queries: Table,
    row_ids: Tensor | NDArray[np.int64],
    metric: str = "cosine",
    *,
    exclude: Exclude = None,
) -> Tensor:
    """Return the rank that nearest_neighbours would give a row for each query, (n_queries,) int64; 1 is the nearest.

    `row_ids` has one row for each query, (n_queries,).
    """
    _check_rows(table, metric, "table")
    left_out = check_queries(tuple(table.shape), queries, 1, metric, exclude)
    ids = np.asarray(row_ids, dtype=np.int64)
    counts = np.ones(len(ids), dtype=np.int64)
    for asked in _prepared_queries(queries, work_dtype(table), table_device(table), metric):
        own_ids = ids[asked.ids]
        own = exact_similarities(asked.exact, take_rows(table, own_ids), metric)  # (n,)
        level = torch.from_numpy(-(own**2) if metric == "euclidean" else own)[:, None].to(asked.vectors)
        for start, part in tensor_blocks(table, rows_at_once(table, len(own))):
            rows = prepare_rows(part, work_dtype(table), part.device, metric, start=start)
            near, slack = product_similarities(asked, rows, metric), rounding_slack(asked, rows, metric)
            _exclude(near, left_out, asked, rows)
            above = near > level + slack
            query, row = ((near >= level - slack) & ~above).nonzero().T
            values, query = _exact_pairs(asked, rows, query, row, metric), query.cpu().numpy()
            same = (values == own[query]) & (row.cpu().numpy() + start < own_ids[query])
            close = query[(values > own[query]) | same]
            counts[asked.ids] += above.sum(dim=1).cpu().numpy() + np.bincount(close, minlength=len(own))
    return torch.from_numpy(counts)


def row_norms(table: Table) -> Tensor:
    """Measure every row's length, in the precision of nearest_neighbours.

    Returns:
        (n_rows,) at least 0, on the device of the table; float64 where the table is, otherwise float32.

    Raises:
        ValueError: as for nearest_neighbours.

    >>> from embedlib import row_norms
    >>> row_norms(torch.tensor([[3.0, 4.0], [0.0, 1.0]])).tolist()
    [5.0, 1.0]
    """
    _check_rows(table, "dot", "table")
    dtype = work_dtype(table)
    norms = [prepare_rows(part, dtype, part.device, "dot", start=start).norms for start, part in tensor_blocks(table)]
    return torch.cat([torch.zeros(0, dtype=dtype, device=table_device(table)), *norms]).to(table_device(table))


def similarity_to(table: Table, query: Tensor, metric: str = "cosine") -> Tensor:
    """Measure how similar every row is to a vector (d,), in one pass: (n_rows,) float32 on the CPU.

    "cosine" (0 for a row of zeros), "dot", or "euclidean" (minus the distance); nearest_neighbours decides close calls.
    """
    _check_rows(table, metric, "table")
    if tuple(query.shape) != (table.shape[1],):
        raise ValueError(f"query has shape {tuple(query.shape)}: it must be ({table.shape[1]},), as wide as the table")
    parts = [torch.zeros(0)]
    for start, part in tensor_blocks(table):
        asked = prepare_rows(query[None], torch.float32, part.device, metric, name="query")
        if metric == "euclidean":
            similar = -torch.linalg.vector_norm(part.float() - asked.vectors, dim=1)
        else:
            rows = prepare_rows(part, torch.float32, part.device, metric, start=start)
            similar = product_similarities(asked, rows, metric)[0]
        parts.append(similar.cpu())
    return torch.cat(parts)


class Rows(NamedTuple):
    """Consecutive rows in the precision of their products.

    Attributes:
        start: the number of the first.
        exact: (n_rows, d) unchanged, of any float dtype.
        vectors: (n_rows, d) float32 or float64. Under "cosine", those whose squares would vanish have length 1 here.
        norms: (n_rows,) the lengths of vectors.
    """

    start: int
    exact: Tensor
    vectors: Tensor
    norms: Tensor

    @property
    def ids(self) -> slice:
        """Their numbers."""
        return slice(self.start, self.start + len(self.norms))


def prepare_rows(
    rows: Tensor,
    dtype: torch.dtype,
    device: torch.device,
    metric: str,
    *,
    start: int = 0,
    norms: Tensor | None = None,
    name: str = "table",
) -> Rows:
    """Convert rows to the precision of products and measure their lengths; refuse those that cannot be compared."""
    exact = rows.detach().to("cpu" if device.type == "mps" else device)  # mps has no float64
    vectors = exact.to(dtype)
    norms = _lengths(vectors) if norms is None else norms[start : start + len(rows)].to(vectors)
    limits = torch.finfo(dtype)
    too_large = ~(norms <= limits.max**0.5 / 4)
    if bool(too_large.any()):
        raise ValueError(
            f"{name} row {start + int(too_large.nonzero()[0])} has entries that are not finite, or so "
            "large that their squares overflow: take such rows out, or scale everything down"
        )
    faint = (norms < 1e8 * limits.tiny**0.5).nonzero()[:, 0]
    faint = faint[vectors[faint].any(dim=1)]  # not rows of zeros
    if len(faint):
        largest = vectors[faint].abs().amax(dim=1, keepdim=True).double()
        unit = vectors[faint].double() / largest
        lengths = torch.linalg.vector_norm(unit, dim=1, keepdim=True)
        if metric == "cosine":
            vectors = vectors.index_copy(0, faint, (unit / lengths).to(dtype))
            norms = norms.index_fill(0, faint, 1.0)
        else:
            norms = norms.index_copy(0, faint, (lengths * largest)[:, 0].to(dtype))
    return Rows(start, exact, vectors, norms)


def _lengths(rows: Tensor) -> Tensor:
    """Return row lengths, (n_rows,); infinite or NaN where squares overflow."""
    if rows.device.type != "cpu":
        lengths: Tensor = torch.linalg.vector_norm(rows, dim=1)
        return lengths
    with np.errstate(over="ignore", invalid="ignore"):
        return torch.from_numpy(np.sqrt(np.vecdot(rows.numpy(), rows.numpy())))  # half the time of vector_norm


def _prepared_queries(queries: Table, dtype: torch.dtype, device: torch.device, metric: str) -> Iterator[Rows]:
    for start, part in tensor_blocks(queries, QUERIES_AT_ONCE):
        yield prepare_rows(part, dtype, device, metric, start=start, name="queries")


def product_similarities(queries: Rows, rows: Rows, metric: str) -> Tensor:
    """Return all of (n_queries, n_rows), but for rounding_slack; minus the squared distance for "euclidean"."""
    if len(queries.norms) == 1 and rows.vectors.device.type == "cpu":  # half the time of a matrix product
        near = torch.from_numpy(np.vecdot(rows.vectors.numpy(), queries.vectors.numpy()))[None]
    else:
        near = queries.vectors @ rows.vectors.T
    if metric == "cosine":
        tiny = torch.finfo(near.dtype).tiny
        near.div_(rows.norms.clamp(min=tiny)).div_(queries.norms.clamp(min=tiny)[:, None])
    elif metric == "euclidean":
        near.mul_(2).sub_(rows.norms.square()).sub_(queries.norms.square()[:, None])
    return near


def rounding_slack(queries: Rows, rows: Rows, metric: str) -> Tensor:
    """Return the rounding error of product_similarities for each query, (n_queries, 1).

    The rounding of a product of d terms, in whatever order they are summed, is at most d/2 eps |q||x| (Higham 2002,
    Accuracy and Stability of Numerical Algorithms, §3.1); 16 more terms cover norms, thresholds and rounded results.
    """
    limits, width = torch.finfo(rows.vectors.dtype), rows.vectors.shape[1]
    share = (width + 16) * limits.eps / 2 * 1.01
    if rows.vectors.dtype == torch.float32:
        share += _PRODUCT_ROUNDING[torch.get_float32_matmul_precision()]
    own, other = queries.norms[:, None], rows.norms.max()
    if metric == "cosine":
        return torch.full_like(own, 2 * share)
    vanished = 4 * width * limits.tiny * (1 + own + other)  # where factors or terms are too small for their dtype
    if metric == "dot":
        return share * own * other + vanished
    return share * (own + other).square() + vanished


def exact_similarities(a: Tensor, b: Tensor, metric: str) -> NDArray[np.float64]:
    """Compute the similarity of each row of a to the same row of b, (n_pairs, d), in float64."""
    # NumPy adds up every row in the same order, so that equal rows are equally similar to the last digit.
    left, right = a.cpu().double().numpy(), b.cpu().double().numpy()
    if metric == "euclidean":
        return np.asarray(-np.sqrt(np.vecdot(left - right, left - right)))
    if metric == "dot":
        return np.asarray(np.vecdot(left, right))
    squares = np.vecdot(left, left), np.vecdot(right, right)
    if not all(((square > 1e-140) & (square < 1e140)).all() for square in squares):  # their product is not safe
        # Powers of two, which change no digit.
        left, right = (np.ldexp(x, -np.frexp(np.abs(x).max(axis=1))[1][:, None]) for x in (left, right))
        squares = np.vecdot(left, left), np.vecdot(right, right)
    lengths = np.sqrt(squares[0] * squares[1])  # where a = b, exactly their product below
    return np.asarray(np.clip(np.vecdot(left, right) / np.where(lengths == 0, 1, lengths), -1, 1))


def _exact_pairs(queries: Rows, rows: Rows, query: Tensor, row: Tensor, metric: str) -> NDArray[np.float64]:
    """Compute the similarities of pairs of a query and a row, each counted from the first, in float64."""
    step = max(_EXACT_ENTRIES // rows.vectors.shape[1], 1)
    values = [
        exact_similarities(queries.exact[some], rows.exact[its], metric)
        for some, its in zip(torch.split(query, step), torch.split(row, step), strict=True)
    ]
    return np.concatenate(values)


class Best:
    """The k nearest rows so far of every query, in float64: the nearest first, among equal ones the lower id."""

    def __init__(self, n_queries: int, k: int) -> None:
        self.values = np.full((n_queries, k), -np.inf)
        self.ids = np.full((n_queries, k), np.iinfo(np.int64).max)

    def neighbours(self, dtype: torch.dtype, device: torch.device) -> Neighbours:
        """Return the neighbours, rounded to a dtype, on a device."""
        return Neighbours(torch.from_numpy(self.values).to(dtype).to(device), torch.from_numpy(self.ids).to(device))

    def merge(self, other: "Best") -> "Best":
        """Return the best among the rows of both, which share none."""
        both = Best(*self.ids.shape)
        for one in (self, other):
            both._add(np.repeat(np.arange(len(one.ids)), one.ids.shape[1]), one.ids.ravel(), one.values.ravel())
        return both

    def compare(self, queries: Rows, rows: Rows, metric: str, exclude: NDArray[np.int64]) -> None:
        """Re-rank in float64 those of the rows that may be among the k nearest of a query."""
        k, n_queries = self.ids.shape[1], len(queries.norms)
        near, slack = product_similarities(queries, rows, metric), rounding_slack(queries, rows, metric)
        _exclude(near, exclude, queries, rows)
        query, row = (near >= self._kth_best(queries, near, slack, metric)).nonzero().T
        if len(row) > 8 * k * n_queries:  # rank those that look nearest first: they leave fewer of the others
            top = near.topk(min(k, near.shape[1]), dim=1)
            query, place = (top.values > -torch.inf).nonzero().T
            self._rank(queries, rows, query, top.indices[query, place], metric)
            near.scatter_(1, top.indices, -torch.inf)
            query, row = (near >= self._kth_best(queries, near, slack, metric)).nonzero().T
        self._rank(queries, rows, query, row, metric)

    def _kth_best(self, queries: Rows, near: Tensor, slack: Tensor, metric: str) -> Tensor:
        """Return the least product of a row among the k nearest so far, (n_queries, 1); never -inf."""
        worst = torch.from_numpy(self.values[queries.ids, -1:])
        level = (-(worst**2) if metric == "euclidean" else worst).to(near) - slack
        return level.clamp(min=torch.finfo(near.dtype).min)

    def _rank(self, queries: Rows, rows: Rows, query: Tensor, row: Tensor, metric: str) -> None:
        values = _exact_pairs(queries, rows, query, row, metric)
        self._add(query.cpu().numpy() + queries.start, row.cpu().numpy() + rows.start, values)

    def _add(self, queries: NDArray[np.int64], ids: NDArray[np.int64], values: NDArray[np.float64]) -> None:
        """Add (query, id, similarity) triples and keep the best k of each query."""
        k = self.ids.shape[1]
        touched = np.unique(queries)
        queries = np.concatenate([queries, np.repeat(touched, k)])
        ids = np.concatenate([ids, self.ids[touched].ravel()])
        values = np.concatenate([values, self.values[touched].ravel()])
        order = np.lexsort((ids, -values, queries))
        kept = order[np.searchsorted(queries[order], touched)[:, None] + np.arange(k)]  # (n_touched, k)
        self.ids[touched], self.values[touched] = ids[kept], values[kept]


def best_in_blocks(
    blocks: Iterable[tuple[int, Tensor]],
    queries: Table,
    k: int,
    metric: str,
    exclude: NDArray[np.int64],
    dtype: torch.dtype,
    row_norms: Tensor | None = None,
) -> Best:
    """Find the k rows nearest to each query in blocks of rows, each with the number of its first."""
    best = Best(len(queries), k)
    asked: list[Rows] = []
    for start, part in blocks:
        asked = asked or list(_prepared_queries(queries, dtype, part.device, metric))
        rows = prepare_rows(part, dtype, part.device, metric, start=start, norms=row_norms)
        for some in asked:
            best.compare(some, rows, metric, exclude)
    return best


def _exclude(near: Tensor, exclude: NDArray[np.int64], queries: Rows, rows: Rows) -> None:
    """Set the similarity of excluded rows to -inf."""
    columns = exclude[queries.ids] - rows.start  # (n_queries, n_excluded)
    query, which = np.nonzero((exclude[queries.ids] >= 0) & (columns >= 0) & (columns < len(rows.norms)))
    place = torch.from_numpy(query).to(near.device), torch.from_numpy(columns[query, which]).to(near.device)
    near.index_put_(place, near.new_tensor(-torch.inf))


def check_queries(shape: tuple[int, ...], queries: Table, k: int, metric: str, exclude: Exclude) -> NDArray[np.int64]:
    """Refuse impossible searches in a table of a shape; return ids to exclude, (n_queries, n_excluded)."""
    check_ints(k=k)
    _check_rows(queries, metric, "queries")
    n_rows, width = shape
    if queries.shape[1] != width:
        raise ValueError(f"queries has {queries.shape[1]} columns: it must have as many as the table, d={width}")
    none = np.empty((len(queries), 0), dtype=np.int64)
    ids = none if exclude is None else np.asarray(exclude.cpu() if isinstance(exclude, Tensor) else exclude, np.int64)
    ids = ids[:, None] if ids.ndim == 1 else ids
    if ids.ndim != 2 or len(ids) != len(queries):
        raise ValueError(
            f"exclude has shape {ids.shape}: it must be (n_queries={len(queries)},) or that with more columns"
        )
    if ids.size and not (ids.min() >= -1 and ids.max() < n_rows):
        raise ValueError(f"exclude has ids in [{ids.min()}, {ids.max()}]: they must be in [-1, n_rows={n_rows})")
    if not 1 <= k <= n_rows - ids.shape[1]:
        raise ValueError(f"k={k} must be between 1 and {n_rows - ids.shape[1]}, the rows there are to choose from")
    return ids


def _check_rows(x: Table, metric: str, name: str) -> None:
    check_tables(**{name: x})
    if metric not in METRICS:
        raise ValueError(f"metric={metric!r} must be one of {', '.join(METRICS)}")
    if x.ndim != 2 or not x.shape[1]:
        raise ValueError(f"{name} has shape {tuple(x.shape)}: it must be (rows, d), with d at least 1")
    floating = x.is_floating_point() if isinstance(x, Tensor) else x.dtype.kind == "f"
    if not floating or x.dtype.itemsize not in {2, 4, 8}:
        raise ValueError(f"{name} is {x.dtype}: it must be float16, float32 or float64")
