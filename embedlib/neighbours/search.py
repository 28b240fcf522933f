"""The rows of a table nearest to a vector: exact, in the full space, whatever the table's size.

One product in the table's precision tells every similarity but for rounding; the few rows that could be among the
nearest for all that are worked out again in float64.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from embedlib.neighbours.blocks import is_mapped, row_blocks

METRICS = ("cosine", "dot", "euclidean")
Table = Tensor | NDArray[np.generic]
Progress = Callable[[float], None]

# A block that is read or converted has 8 MB of float32, a GPU is fed more at once; similarities that are looked at
# together have 16 MB; pairs are worked out in float64 1 MB at a time, which the cache holds.
_BLOCK_ENTRIES = {"cpu": 2**21, "cuda": 2**25}
_VIEW_ENTRIES = 2**24  # of a block that is no copy, but becomes one where rows are very short
_QUERIES_AT_ONCE = 256
_SIMILARITIES_AT_ONCE = 2**22
_PAIR_ENTRIES = 2**17
# From this many queries and columns on, products rounded to bfloat16 first save time where the processor knows it:
# 64 queries in 50257 x 768 take 70 ms on one core, not 130. They pay as long as they let in no more than so many
# times the k rows that are asked for; in few columns rows lie too close together.
_ROUNDED_QUERIES, _ROUNDED_WIDTH, _ROUNDED_PAIRS = 16, 128, 16
_ROUNDING = 2.0**-8  # what is rounded to its 8 binary digits is off by this share of itself at most
# What float32 products may lose besides the rounding of sums, where the caller has allowed it.
_PRODUCT_ROUNDING = {"highest": 0.0, "high": 2.0**-10, "medium": 2.0**-7}


class Neighbours(NamedTuple):
    """The k nearest rows of each query, the nearest first.

    Attributes:
        similarities: (n_queries, k) falling; the greater, the nearer, for every metric.
        ids: (n_queries, k) int64 row numbers; among similarities equal in float64 the lower first.
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
) -> "Best":
    """Find the k rows nearest to each query in blocks of rows, each with the number of its first."""
    best = Best(len(queries), k)
    at_once = min(len(queries), _QUERIES_AT_ONCE)
    parts = [
        rows_of(queries[start : start + at_once], dtype, device, metric, start=start, name="queries")
        for start in range(0, len(queries), max(at_once, 1))
    ]
    rounded = bool(parts) and _worth_rounding(parts[0], parts[0])
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
            near = _similarities(some, rows, metric, rounded=rounded).index_put_(out, minus_infinity)
            if not best.take(some, rows, near, metric, rounded=rounded):
                rounded = False  # rows that lie too close for it in one block do so in the others
                near = _similarities(some, rows, metric).index_put_(out, minus_infinity)
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
            rounded = rounded and _worth_rounding(here, there)
            if not _compare(best, here, there, metric, rounded=rounded):
                rounded = _compare(best, here, there, metric, rounded=False) and False
            pairs_done += len(here.norms) * len(there.norms) * (1 if here.ids == there.ids else 2)
            if progress is not None:
                progress(pairs_done / n_rows**2)
    similarity = torch.from_numpy(best.values[:, 0])
    return (1 - similarity if metric == "cosine" else similarity.abs()).to(work_dtype(table)).to(device_of(table))


def _compare(best: "Best", here: "Rows", there: "Rows", metric: str, *, rounded: bool) -> bool:
    """Find the nearest in one block for each row of the other, both ways; False where rounded products do not do."""
    near = _similarities(here, there, metric, rounded=rounded)
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


def similarity_to(table: Table, query: Tensor, metric: str = "cosine") -> Tensor:
    """Measure how similar every row is to a vector, in one pass and in float32; nearest_neighbours decides close calls.

    Args:
        table: (n_rows, d) of a float dtype: a Tensor on any device, an array or an np.memmap.
        query: (d,).
        metric: "cosine" (0 for a row of zeros), "dot", or "euclidean" (minus the distance).

    Returns:
        (n_rows,) float32 on the CPU; the greater, the more similar.

    Raises:
        ValueError: shapes that do not agree, or another metric.
    """
    if metric not in METRICS:
        raise ValueError(f"metric={metric!r} must be one of {', '.join(METRICS)}")
    if table.ndim != 2 or tuple(query.shape) != (table.shape[1],):
        raise ValueError(f"query has shape {tuple(query.shape)}: it must be ({table.shape[-1]},), as wide as the table")
    vector = query.detach().float()
    parts = [_similarity_in_float32(part.float(), vector.to(part.device), metric).cpu() for _, part in _parts_of(table)]
    return torch.cat(parts) if parts else torch.zeros(0)


def _similarity_in_float32(rows: Tensor, query: Tensor, metric: str) -> Tensor:
    """Return (n_rows,)."""
    if metric == "euclidean":
        distance: Tensor = torch.linalg.vector_norm(rows - query, dim=1)
        return -distance
    products = rows @ query
    if metric == "dot":
        return products
    lengths, own = torch.linalg.vector_norm(rows, dim=1), torch.linalg.vector_norm(query)
    cosines: Tensor = products / (lengths * own).clamp(min=1e-30)
    faint = lengths.minimum(own) < 1e-15  # a square near float32's least, 1e-38, has lost its digits
    if bool(faint.any()):
        cosines[faint] = functional.cosine_similarity(rows[faint].double(), query.double(), dim=1, eps=1e-100).float()
    return cosines


def count_before(table: Table, query: Tensor, row: int, metric: str, exclude: NDArray[np.int64]) -> int:
    """Count the rows that come before `row` for one query, (d,): more similar, or as similar with a lower id.

    Rows of which the product alone is not certain are worked out as nearest_neighbours does.
    """
    dtype = work_dtype(table)
    sought = rows_of(query.detach()[None], dtype, device_of(table), metric, name="query")
    own = _exact(sought.exact, take_rows(table, np.array([row])), metric)[0]
    level = -(own**2) if metric == "euclidean" else own
    step = max(_PAIR_ENTRIES // table.shape[1], 1)
    count = 0
    for rows in blocks_of(table, metric):
        near, slack = _similarities(sought, rows, metric)[0].cpu(), float(_slack(sought, rows, metric))
        inside = exclude[(exclude >= rows.ids.start) & (exclude < rows.ids.stop)]
        near[torch.from_numpy(inside - rows.ids.start)] = -torch.inf
        above = near > level + slack
        count += int(above.sum())
        for some in torch.split(((near >= level - slack) & ~above).nonzero()[:, 0], step):
            exact = rows.exact[some.to(rows.exact.device)]
            values = _exact(sought.exact.expand(len(some), -1), exact, metric)
            count += int(((values > own) | ((values == own) & (some.numpy() + rows.ids.start < row))).sum())
    return count


class Rows(NamedTuple):
    """Consecutive rows in the precision they are multiplied in.

    Attributes:
        ids: their numbers.
        exact: (n_rows, d) what similarities are worked out from, of any float dtype.
        vectors: (n_rows, d) float32 or float64. Under "cosine", those whose squares would vanish have length 1 here.
        norms: (n_rows,) the lengths of vectors.
    """

    ids: slice
    exact: Tensor
    vectors: Tensor
    norms: Tensor


def work_dtype(table: Table) -> torch.dtype:
    """Return the precision a table is multiplied in: float64 where it is, otherwise float32."""
    return torch.float64 if table.dtype.itemsize == 8 else torch.float32


def device_of(table: Table) -> torch.device:
    """Return where a table is; an array is on the CPU."""
    return table.device if isinstance(table, Tensor) else torch.device("cpu")


def blocks_of(
    table: Table,
    metric: str,
    *,
    first: int = 0,
    norms: Tensor | None = None,
    most_rows: int | None = None,
    base: int = 0,
) -> Iterator[Rows]:
    """Yield a table's rows, counted from `base`, in blocks of bounded size."""
    for start, part in _parts_of(table, first=first, most_rows=most_rows):
        known = None if norms is None else norms[start : start + len(part)]
        yield rows_of(part, work_dtype(table), part.device, metric, start=base + start, norms=known)


def rows_of(
    x: Table,
    dtype: torch.dtype,
    device: torch.device,
    metric: str,
    *,
    start: int = 0,
    norms: Tensor | None = None,
    name: str = "table",
) -> Rows:
    """Prepare rows, and refuse those that cannot be compared."""
    if not isinstance(x, Tensor):
        x = torch.from_numpy(np.array(x, x.dtype.newbyteorder("=")))
    exact = x.detach().to("cpu" if device.type == "mps" else device)  # mps has no float64
    vectors = exact.to(dtype)
    norms = _lengths(vectors) if norms is None else norms.to(vectors)
    largest = torch.finfo(dtype).max ** 0.5 / 4
    if not bool((norms <= largest).all()):
        raise ValueError(
            f"{name} row {start + int((~(norms <= largest)).nonzero()[0])} has entries that are not finite, or so "
            "large that their squares overflow: take such rows out, or scale everything down"
        )
    faint = (norms < 1e8 * torch.finfo(dtype).tiny ** 0.5).nonzero()[:, 0]
    faint = faint[vectors[faint].any(dim=1)]  # not rows of zeros
    if len(faint):
        some = vectors[faint].double()
        scale = some.abs().amax(dim=1, keepdim=True)
        unit = some / scale
        lengths = torch.linalg.vector_norm(unit, dim=1, keepdim=True)
        norms = norms.index_copy(0, faint, (lengths * scale)[:, 0].to(dtype))
        if metric == "cosine":
            vectors = vectors.index_copy(0, faint, (unit / lengths).to(dtype))
            norms = norms.index_fill(0, faint, 1.0)
    return Rows(slice(start, start + len(vectors)), exact, vectors, norms)


def _lengths(rows: Tensor) -> Tensor:
    """Return (n_rows,); infinite or not a number where squares overflow."""
    if rows.device.type != "cpu":
        lengths: Tensor = torch.linalg.vector_norm(rows, dim=1)
        return lengths
    with np.errstate(over="ignore", invalid="ignore"):
        return torch.from_numpy(np.sqrt(np.vecdot(rows.numpy(), rows.numpy())))  # half the time of vector_norm


def take_rows(table: Table, ids: NDArray[np.int64]) -> Tensor:
    """Return a copy of some rows, (n_ids, d), where the table is."""
    if isinstance(table, Tensor):
        return table.detach()[torch.from_numpy(ids).to(table.device)]
    return torch.from_numpy(np.asarray(table[ids], table.dtype.newbyteorder("=")))


def _parts_of(table: Table, *, first: int = 0, most_rows: int | None = None) -> Iterator[tuple[int, Tensor]]:
    """Yield rows as tensors of bounded size, each with the number of its first row."""
    if isinstance(table, np.ndarray) and table.flags.carray and table.dtype.isnative and not is_mapped(table):
        table = torch.from_numpy(table)
    size = max(_BLOCK_ENTRIES.get(device_of(table).type, _BLOCK_ENTRIES["cpu"]) // max(table.shape[1], 1), 1)
    if isinstance(table, Tensor):
        if most_rows is not None and table.dtype == work_dtype(table):
            size = max(min(most_rows, _VIEW_ENTRIES // max(table.shape[1], 1)), 1)
        for start in range(first, len(table), size):
            yield start, table[start : start + size].detach()
    else:  # copied: torch wants memory that may be written to, and no foreign byte order
        for start, block in row_blocks(table, size, first=first):
            yield start, torch.from_numpy(np.array(block, block.dtype.newbyteorder("="), order="C"))


def _worth_rounding(queries: Rows, rows: Rows) -> bool:
    """Tell whether products in bfloat16 are faster here; on processors that do not know it they are far slower."""
    if rows.vectors.device.type != "cpu" or rows.vectors.dtype != torch.float32:
        return False
    known: dict[str, bool] = getattr(torch.cpu, "get_capabilities", dict)()  # PyTorch 2.6 cannot say
    able = bool(known.get("avx512_bf16") or known.get("amx_bf16"))
    return able and len(queries.norms) >= _ROUNDED_QUERIES and rows.vectors.shape[1] >= _ROUNDED_WIDTH


def _similarities(queries: Rows, rows: Rows, metric: str, *, rounded: bool = False) -> Tensor:
    """Return every similarity but for _slack, (n_queries, n_rows); minus the squared distance for "euclidean"."""
    near = rows.vectors.new_empty(len(queries.vectors), len(rows.vectors))
    if rounded:  # a piece at a time, whose rounded rows the cache holds: half the time of all at once
        factors = queries.vectors.bfloat16()
        for piece, into in zip(torch.split(rows.vectors, 1024), torch.split(near, 1024, dim=1), strict=True):
            into.copy_(factors @ piece.bfloat16().T)
    elif len(near) == 1 and near.device.type == "cpu":  # 11 ms for 50257 x 768, as a matrix product 22
        np.vecdot(rows.vectors.numpy(), queries.vectors.numpy(), out=near[0].numpy())
    else:
        torch.mm(queries.vectors, rows.vectors.T, out=near)
    if metric == "cosine":
        tiny = torch.finfo(near.dtype).tiny
        near.div_(rows.norms.clamp(min=tiny)).div_(queries.norms.clamp(min=tiny)[:, None])
    elif metric == "euclidean":
        near.mul_(2).sub_(rows.norms.square()).sub_(queries.norms.square()[:, None])
    return near


def _slack(queries: Rows, rows: Rows, metric: str, *, rounded: bool = False) -> Tensor:
    """Return how far _similarities may be off for each query, (n_queries, 1).

    The rounding of a product of d terms, in whatever order they are summed, is at most d/2 eps |q||x| (Higham 2002,
    Accuracy and Stability of Numerical Algorithms, §3.1); 16 more terms cover norms, thresholds and rounded results.
    """
    limits = torch.finfo(rows.vectors.dtype)
    width = rows.vectors.shape[1]
    share = (width + 16) * limits.eps / 2 * 1.01
    if rows.vectors.dtype == torch.float32:
        share += _PRODUCT_ROUNDING[torch.get_float32_matmul_precision()]
    factors = 0.0
    if rounded:  # the rows, the products, and the queries, of which what was rounded off is known
        lost = queries.vectors - queries.vectors.bfloat16().to(queries.vectors)
        shares = torch.linalg.vector_norm(lost, dim=1) / queries.norms.clamp(min=limits.tiny)
        factors = 1.01 * (2 * _ROUNDING + float(shares.max()))
    own, other = queries.norms[:, None], rows.norms.max()
    if metric == "cosine":
        return torch.full_like(own, 2 * share + factors)
    vanished = 4 * width * limits.tiny * (1 + own + other)  # where factors or terms are too small for their dtype
    if metric == "dot":
        return (share + factors) * own * other + vanished
    return share * (own + other).square() + 2 * factors * own * other + vanished


def _exact(a: Tensor, b: Tensor, metric: str) -> NDArray[np.float64]:
    """Work out the similarity of each row of a to the same row of b, (n_pairs, d), in float64."""
    # NumPy adds up every row in the same order, so that equal rows are equally similar to the last digit.
    left, right = a.cpu().double().numpy(), b.cpu().double().numpy()
    if metric == "euclidean":
        values = -np.sqrt(np.vecdot(left - right, left - right))
    elif metric == "dot":
        values = np.vecdot(left, right)
    else:
        squares = np.vecdot(left, left), np.vecdot(right, right)
        if not all(((square > 1e-140) & (square < 1e140)).all() for square in squares):  # their product is not safe
            # Powers of two, which change no digit.
            left, right = (np.ldexp(x, -np.frexp(np.abs(x).max(axis=1))[1][:, None]) for x in (left, right))
            squares = np.vecdot(left, left), np.vecdot(right, right)
        lengths = np.sqrt(squares[0] * squares[1])  # where a = b, exactly their product below
        values = np.clip(np.vecdot(left, right) / np.where(lengths == 0, 1, lengths), -1, 1)
    return np.asarray(values, dtype=np.float64)


class Best:
    """The k best so far of every query, in float64: greater values first, among equal ones the lower id."""

    def __init__(self, n_queries: int, k: int) -> None:
        self.values = np.full((n_queries, k), -np.inf)
        self.ids = np.full((n_queries, k), np.iinfo(np.int64).max)

    def neighbours(self, dtype: torch.dtype, device: torch.device) -> Neighbours:
        """Return them, rounded to a dtype, on a device."""
        return Neighbours(torch.from_numpy(self.values).to(dtype).to(device), torch.from_numpy(self.ids).to(device))

    def joined(self, other: "Best") -> "Best":
        """Return the best of the same queries among the rows of both."""
        both = Best(*self.ids.shape)
        for one in (self, other) if self.ids.size else ():
            both._offer(np.repeat(np.arange(len(one.ids)), one.ids.shape[1]), one.ids.ravel(), one.values.ravel())
        return both

    def take(self, queries: Rows, rows: Rows, near: Tensor, metric: str, *, rounded: bool = False) -> bool:
        """Take in the rows that could be among the k best by their _similarities; -inf leaves one out.

        The rows that look best are worked out first: the k-th of them is what the others have to reach.

        Returns: Whether all was done; not so where rounded products let in too many rows.
        """
        k = self.ids.shape[1]
        slack = _slack(queries, rows, metric, rounded=rounded)
        top = near.topk(min(k, near.shape[1]), dim=1)  # (n_queries, k)
        which, place = (top.values >= self._least(queries, near, slack, metric)).nonzero().T
        self._work_out(queries, rows, which, top.indices[which, place], metric)
        near.scatter_(1, top.indices, -torch.inf)
        which, row = (near >= self._least(queries, near, slack, metric)).nonzero().T
        if rounded and len(row) > _ROUNDED_PAIRS * k * len(near):
            return False
        self._work_out(queries, rows, which, row, metric)
        return True

    def _least(self, queries: Rows, near: Tensor, slack: Tensor, metric: str) -> Tensor:
        """Return what a row has to reach to be among the k best so far, (n_queries, 1); never -inf."""
        worst = torch.from_numpy(self.values[queries.ids, -1:])
        reached = (-(worst**2) if metric == "euclidean" else worst).to(near) - slack
        return reached.clamp(min=torch.finfo(near.dtype).min)

    def _work_out(self, queries: Rows, rows: Rows, query: Tensor, row: Tensor, metric: str) -> None:
        """Take in the exact values of pairs of a query and a row, each counted from the first."""
        step = max(_PAIR_ENTRIES // rows.vectors.shape[1], 1)
        for some, its in () if len(row) == 0 else zip(torch.split(query, step), torch.split(row, step), strict=True):
            values = _exact(queries.exact[some], rows.exact[its], metric)
            self._offer(some.cpu().numpy() + queries.ids.start, its.cpu().numpy() + rows.ids.start, values)

    def _offer(self, queries: NDArray[np.int64], ids: NDArray[np.int64], values: NDArray[np.float64]) -> None:
        """Take in (query, id, value) triples; one that was offered before changes nothing."""
        touched = np.unique(queries)
        k = self.ids.shape[1]
        of = np.concatenate([queries, np.repeat(touched, k)])
        every_id = np.concatenate([ids, self.ids[touched].ravel()])
        every_value = np.concatenate([values, self.values[touched].ravel()])
        order = np.lexsort((every_id, -every_value, of))
        once = np.append(True, (np.diff(of[order]) != 0) | (np.diff(every_id[order]) != 0))  # equal ones lie together
        order = order[once]
        of = of[order]
        place = np.arange(len(of)) - np.searchsorted(of, of)  # within its query
        kept = place < k
        self.ids[of[kept], place[kept]] = every_id[order][kept]
        self.values[of[kept], place[kept]] = every_value[order][kept]


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
