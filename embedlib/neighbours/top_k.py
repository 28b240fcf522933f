"""The best rows for each query: of those that bounds let in, the few that could win worked out exactly."""

from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from embedlib.neighbours.bounds import Rows, blocks_of, bound_widths, take_rows, upper_bounds, work_dtype

# Pairs are worked out in float64 this many entries at a time: 1 MB for each of a handful of arrays, still in the cache.
_PAIR_ENTRIES = 2**17
# Groups of rows are looked into this many at a time, a million rows.
_GROUPS_AT_ONCE = 2**14


class Best:
    """The k best so far of every query, rounded: greater values first, among equal ones the lower id."""

    def __init__(self, n_queries: int, k: int, dtype: type[np.floating]) -> None:
        self.dtype = dtype
        self.values = np.full((n_queries, k), -np.inf)
        self.ids = np.full((n_queries, k), np.iinfo(np.int64).max)

    def offer(self, queries: NDArray[np.int64], ids: NDArray[np.int64], values: NDArray[np.float64]) -> None:
        """Take in (query, id, value) triples; one that was offered before changes nothing."""
        touched = np.unique(queries)
        k = self.ids.shape[1]
        of = np.concatenate([queries, np.repeat(touched, k)])
        every_id = np.concatenate([ids, self.ids[touched].ravel()])
        values = values.astype(self.dtype).astype(np.float64)
        every_value = np.concatenate([values, self.values[touched].ravel()])
        order = np.lexsort((every_id, -every_value, of))
        once = np.ones(len(order), dtype=bool)
        once[1:] = (np.diff(of[order]) != 0) | (np.diff(every_id[order]) != 0)  # equal ones have come to lie together
        order = order[once]
        of = of[order]
        place = np.arange(len(of)) - np.searchsorted(of, of)  # within its query
        kept = place < k
        self.ids[of[kept], place[kept]] = every_id[order][kept]
        self.values[of[kept], place[kept]] = every_value[order][kept]


def take_best(
    best: Best, at: slice, queries: Rows, rows: Rows, upper: Tensor, metric: str, *, most_pairs: int | None = None
) -> bool:
    """Offer best[at] the rows that their bounds let in; an upper bound of -inf leaves a row out.

    The rows that look best are worked out first: the k-th of them is what the others have to reach.

    Args:
        best: what was found in other rows.
        at: which of its queries these are.
        queries: measured.
        rows: measured.
        upper: (n_queries, n_rows) from upper_bounds; not written to.
        metric: "cosine", "dot" or "euclidean".
        most_pairs: give up where more pairs than this would have to be worked out.

    Returns:
        Whether all was worked out; where not, call again with closer bounds.
    """
    k = best.ids.shape[1]
    size = _group_size(k, upper.shape[1])
    tops = _group_tops(upper, size)  # (n_queries, n_groups)
    hit = (tops.amax(dim=1) >= _least(best, at, upper, metric)).nonzero()[:, 0]  # queries these rows may concern
    if len(hit) == 0:
        return True
    known, known_tops = upper, tops
    if bool((tops == torch.inf).any()):  # rows of which nothing is known come later
        known = upper.masked_fill(upper == torch.inf, -torch.inf)
        known_tops = _group_tops(known, size)
    value, group = known_tops[hit].topk(min(k, tops.shape[1]), dim=1)  # (n_hit, k)
    which, place = ((value >= _least(best, at, upper, metric)[hit, None]) & (value > -torch.inf)).nonzero().T
    first = torch.stack([hit[which], _best_of_groups(known, hit[which], group[which, place], size)], dim=1)
    _offer_pairs(best, at, queries, rows, first, metric)
    n_rows, n_pairs = upper.shape[1], 0
    for found in _pairs_above(upper, tops, _least(best, at, upper, metric), size):
        n_pairs += len(found)
        if most_pairs is not None and n_pairs > most_pairs:
            return False
        again = torch.isin(found[:, 0] * n_rows + found[:, 1], first[:, 0] * n_rows + first[:, 1])
        _offer_pairs(best, at, queries, rows, found[~again], metric)
    return True


def _least(best: Best, at: slice, upper: Tensor, metric: str) -> Tensor:
    """Return what a bound has to reach for its row to be among the k best so far, (n_queries,)."""
    worst = best.values[at, -1]
    least = torch.from_numpy(-(worst**2) if metric == "euclidean" else worst)
    return least.to(upper).clamp(min=torch.finfo(upper.dtype).min)


def _group_size(k: int, n_rows: int) -> int:
    """Return how many rows are looked at as one: so many that the k best are hardly ever in fewer than k groups."""
    return max(1, min(64, n_rows // (16 * k)))


def _group_tops(upper: Tensor, size: int) -> Tensor:
    """Return the greatest of every n_groups-th column, (n_queries, n_groups); a last, short group has the rest."""
    n_groups = upper.shape[1] // size
    tops = upper[:, : n_groups * size].view(len(upper), size, n_groups).amax(dim=1)
    rest = upper[:, n_groups * size :]
    return torch.cat([tops, rest.amax(dim=1, keepdim=True)], dim=1) if rest.shape[1] else tops


def _columns_of(group: Tensor, size: int, n_rows: int) -> Tensor:
    """Return each group's columns, (n, size); n_rows where a group has fewer."""
    n_groups = n_rows // size
    places = torch.arange(size, device=group.device)
    columns = group[:, None] + n_groups * places
    rest = (n_groups * size + places).clamp(max=n_rows)
    return torch.where(group[:, None] < n_groups, columns, rest)


def _best_of_groups(upper: Tensor, query: Tensor, group: Tensor, size: int) -> Tensor:
    """Return the column that is greatest in each pair of a query and a group, (n_pairs,)."""
    columns = _columns_of(group, size, upper.shape[1])
    values = upper[query[:, None], columns.clamp(max=upper.shape[1] - 1)]
    return columns.gather(1, values.argmax(dim=1, keepdim=True))[:, 0]


def _pairs_above(upper: Tensor, tops: Tensor, least: Tensor, size: int) -> Iterator[Tensor]:
    """Yield the pairs of a query and a column whose bound reaches the query's least, (n_pairs, 2) at a time."""
    n_rows = upper.shape[1]
    for some in torch.split((tops >= least[:, None]).nonzero(), _GROUPS_AT_ONCE):
        query = some[:, :1]
        columns = _columns_of(some[:, 1], size, n_rows)
        inside = columns < n_rows
        inside &= upper[query, columns.clamp(max=n_rows - 1)] >= least[query]
        which, place = inside.nonzero().T
        yield torch.stack([some[which, 0], columns[which, place]], dim=1)


def _offer_pairs(best: Best, at: slice, queries: Rows, rows: Rows, pairs: Tensor, metric: str) -> None:
    """Work out pairs of a query and a row, (n_pairs, 2), and offer them."""
    step = max(_PAIR_ENTRIES // rows.vectors.shape[1], 1)
    for some in torch.split(pairs, step):
        query, row = some.T
        values = similarity_of(queries.exact[query], rows.exact[row], metric)
        best.offer(query.cpu().numpy() + at.start, row.cpu().numpy() + rows.start, values)


def count_before(
    table: Tensor | NDArray[np.generic], query: Rows, row: int, metric: str, exclude: NDArray[np.int64]
) -> int:
    """Count the rows that come before `row` for one query: more similar, or as similar with a lower id."""
    digits = np.float64 if work_dtype(table) == torch.float64 else np.float32
    own = similarity_of(query.exact, take_rows(table, np.array([row])), metric).astype(digits)[0]
    level = float(-(own**2) if metric == "euclidean" else own)
    count = 0
    for block in blocks_of(table, measured=False):
        upper, rows = upper_bounds(query, block, metric)
        upper, width = upper.cpu(), bound_widths(query, rows, metric).cpu()
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
