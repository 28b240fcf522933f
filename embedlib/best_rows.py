"""The best rows for each query: of those that bounds let in, the few that could win worked out exactly."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from embedlib.row_bounds import Rows, blocks_of, bounds, take_rows, work_dtype

# Pairs are worked out in float64 this many entries at a time: 8 MB for each of a handful of arrays.
_PAIR_ENTRIES = 2**20


class Best:
    """The k best so far of every query, rounded: greater values first, among equal ones the lower id."""

    def __init__(self, n_queries: int, k: int, dtype: type[np.floating]) -> None:
        self.dtype = dtype
        self.values = np.full((n_queries, k), -np.inf)
        self.ids = np.full((n_queries, k), np.iinfo(np.int64).max)

    def offer(self, queries: NDArray[np.int64], ids: NDArray[np.int64], values: NDArray[np.float64]) -> None:
        """Take in (query, id, value) triples whose ids were never offered to that query before."""
        touched = np.unique(queries)
        k = self.ids.shape[1]
        of = np.concatenate([queries, np.repeat(touched, k)])
        every_id = np.concatenate([ids, self.ids[touched].ravel()])
        values = values.astype(self.dtype).astype(np.float64)
        every_value = np.concatenate([values, self.values[touched].ravel()])
        order = np.lexsort((every_id, -every_value, of))
        of = of[order]
        place = np.arange(len(of)) - np.searchsorted(of, of)  # within its query
        kept = place < k
        self.ids[of[kept], place[kept]] = every_id[order][kept]
        self.values[of[kept], place[kept]] = every_value[order][kept]


def take_best(best: Best, at: slice, queries: Rows, rows: Rows, limits: tuple[Tensor, Tensor], metric: str) -> None:
    """Offer best[at] the rows that their bounds let in; an upper bound of -inf leaves a row out."""
    upper, width = limits
    k = best.ids.shape[1]
    worst = best.values[at, -1]  # (n_queries,)
    least = torch.from_numpy(-(worst**2) if metric == "euclidean" else worst)
    least = least.to(upper).clamp(min=torch.finfo(upper.dtype).min)
    hit = (upper.amax(dim=1) >= least).nonzero()[:, 0]  # queries that any of these rows may concern
    if len(hit) == 0:
        return
    open_to, least = upper[hit], least[hit]
    found = (open_to >= least[:, None]).nonzero()  # (n_pairs, 2)
    if len(found) > 4 * k * len(hit):
        lower = (upper - width)[hit]
        lower.masked_fill_(lower == torch.inf, -torch.inf)  # nothing is known of those
        top = lower.amax(dim=1) if k == 1 or k > lower.shape[1] else lower.topk(k, dim=1).values[:, -1]
        found = (open_to >= torch.maximum(least, top)[:, None]).nonzero()
    of, columns = hit[found[:, 0]], found[:, 1]
    step = max(_PAIR_ENTRIES // max(rows.vectors.shape[1], 1), 1)
    for i in range(0, len(of), step):
        q, r = of[i : i + step], columns[i : i + step]
        values = similarity_of(queries.exact[q], rows.exact[r], metric)
        best.offer(q.cpu().numpy() + at.start, r.cpu().numpy() + rows.start, values)


def count_before(
    table: Tensor | NDArray[np.generic], query: Rows, row: int, metric: str, exclude: NDArray[np.int64]
) -> int:
    """Count the rows that come before `row` for one query: more similar, or as similar with a lower id."""
    digits = np.float64 if work_dtype(table) == torch.float64 else np.float32
    own = similarity_of(query.exact, take_rows(table, np.array([row])), metric).astype(digits)[0]
    level = float(-(own**2) if metric == "euclidean" else own)
    count = 0
    for rows in blocks_of(table):
        upper, width = (part.cpu() for part in bounds(query, rows, metric))
        counts = torch.ones(len(rows.vectors), dtype=torch.bool)
        inside = exclude[(exclude >= rows.start) & (exclude < rows.start + len(counts))]
        counts[torch.from_numpy(inside) - rows.start] = False
        above = ((upper - width)[0] > level) & (upper[0] < torch.inf)
        count += int((above & counts).sum())
        unsure = ((upper[0] >= level) & ~above & counts).nonzero()[:, 0]
        step = max(_PAIR_ENTRIES // rows.vectors.shape[1], 1)
        for some in torch.split(unsure, step):
            exact = rows.exact[some.to(rows.exact.device)]
            values = similarity_of(query.exact.expand(len(some), -1), exact, metric).astype(digits)
            ids = some.numpy() + rows.start
            count += int(((values > own) | ((values == own) & (ids < row))).sum())
    return count


def similarity_of(a: Tensor, b: Tensor, metric: str) -> NDArray[np.float64]:
    """Work out the similarity of each row of a to the same row of b, both (n_pairs, d), in float64."""
    # NumPy adds up every row in the same order, so that equal rows are equally similar to the last digit.
    left, right = a.cpu().double().numpy(), b.cpu().double().numpy()
    if metric == "euclidean":
        return -_lengths(left - right)
    if metric == "dot":
        return _dots(left, right)
    squares = _dots(left, left), _dots(right, right)
    if not all(((square > 1e-140) & (square < 1e140)).all() for square in squares):  # their product is not safe
        left, right = _without_scale(left), _without_scale(right)
        squares = _dots(left, left), _dots(right, right)
    lengths = np.sqrt(squares[0] * squares[1])  # where a = b, exactly their product below
    return np.clip(_dots(left, right) / np.where(lengths == 0, 1, lengths), -1, 1)


def _dots(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the dot product of each row of a with the same row of b, (n_rows,)."""
    return np.asarray(np.vecdot(a, b), dtype=np.float64)


def _lengths(a: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rows' lengths, (n_rows,)."""
    return np.sqrt(_dots(a, a))


def _without_scale(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide rows by the power of two at their greatest entry, so that no square overflows or vanishes."""
    exponent = np.frexp(np.abs(x).max(axis=1, initial=0))[1]  # (n_rows,)
    return np.asarray(np.ldexp(x, -exponent[:, None]), dtype=np.float64)
