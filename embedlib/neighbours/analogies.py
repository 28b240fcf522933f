"""Directions with a meaning: the line from some words to others, and a - b + c with the rank of the answer."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from embedlib.neighbours.blocks import Table, take_rows, tensor_blocks, work_dtype
from embedlib.neighbours.search import METRICS, nearest_neighbours, ranks


class Analogy(NamedTuple):
    """The rows nearest to a - b + c, the nearest first.

    Attributes:
        similarities: (k,) falling, dtype of the table (float32 at least).
        ids: (k,) int64; among equal similarities the lower first.
        query: (d,) float64 on the CPU, a - b + c; an argument of neighbour_rank.
    """

    similarities: Tensor
    ids: Tensor
    query: Tensor


def meaning_axis(table: Table, from_ids: Sequence[int], to_ids: Sequence[int]) -> Tensor:
    """Return the direction from the mean of some rows to the mean of others.

    Args:
        table: (n_rows, d) of a float dtype; the rows named must be finite.
        from_ids: at least one row id; one given twice counts twice.
        to_ids: the same.

    Returns:
        (d,) float64 of length 1, on the CPU.

    Raises:
        ValueError: no ids, an id out of range, a row that is not finite, or two means that are equal but for rounding.

    Source: Bolukbasi et al. 2016, §4, https://arxiv.org/abs/1607.06520, with one pair of means.

    >>> from embedlib import meaning_axis
    >>> meaning_axis(torch.tensor([[0.0, 0.0], [0.0, 2.0], [3.0, 1.0]]), [0, 1], [2]).tolist()
    [1.0, 0.0]
    """
    start, end = _mean_row(table, from_ids, "from_ids"), _mean_row(table, to_ids, "to_ids")
    line = end - start  # (d,)
    length = torch.linalg.vector_norm(line)
    scale = torch.linalg.vector_norm(start) + torch.linalg.vector_norm(end)
    if not length > 16 * torch.finfo(torch.float64).eps * scale:
        raise ValueError(
            "from_ids and to_ids have the same mean, so that no direction leads from one to the other: "
            "name rows that differ"
        )
    return line.div(length)


def axis_coordinates(table: Table, axes: Tensor) -> Tensor:
    """Measure how far along each axis every row lies, in the table's own units.

    Args:
        table: (n_rows, d) of a float dtype; read in blocks.
        axes: (n_axes, d), or (d,) for one; of length 1 as meaning_axis gives them, and not made orthogonal.

    Returns:
        (n_rows, n_axes) float32 (float64 for a float64 table), on the device of the table.

    Raises:
        ValueError: axes of another shape.

    >>> from embedlib import axis_coordinates, meaning_axis
    >>> table = torch.tensor([[0.0, 0.0], [2.0, 0.0], [1.0, 5.0]])
    >>> axis_coordinates(table, meaning_axis(table, [0], [1]))
    tensor([[0.],
            [2.],
            [1.]])
    """
    width = table.shape[1]
    axes = axes[None] if axes.ndim == 1 else axes
    if axes.ndim != 2 or axes.shape[1] != width:
        raise ValueError(f"axes has shape {tuple(axes.shape)}: it must be (n_axes, d={width})")
    directions = axes.cpu().double()
    dtype = work_dtype(table)
    parts = [(rows.cpu().double() @ directions.T).to(dtype) for _, rows in tensor_blocks(table)]
    coordinates = torch.cat(parts) if parts else torch.zeros(0, len(axes), dtype=dtype)
    return coordinates.to(table.device) if isinstance(table, Tensor) else coordinates


def analogy(
    table: Table, a: int, b: int, c: int, *, k: int = 10, metric: str = "cosine", exclude_inputs: bool = True
) -> Analogy:
    """Find the rows nearest to a - b + c, the answer to an analogy (king - man + woman).

    The three rows are scaled to length 1 first, as in the original work (3CosAdd); under "dot" and "euclidean" they are
    left as they are, since lengths count there. A row of zeros stays zeros.

    Args:
        a: row id, such as king's.
        b: row id, such as man's: subtracted.
        c: row id, such as woman's: added.
        k: at least 1, at most the number of rows left.
        metric: "cosine", "dot" or "euclidean".
        exclude_inputs: leave out a, b and c themselves, as is usual: with them the answer is mostly a or c.

    Returns:
        Analogy.

    Raises:
        ValueError: an id out of range, or as for nearest_neighbours.

    Source: Mikolov et al. 2013, Linguistic Regularities in Continuous Space Word Representations, §4; the name 3CosAdd
        is Levy and Goldberg's, 2014.

    >>> from embedlib import analogy
    >>> table = torch.tensor([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [-1.0, 1.0]])
    >>> analogy(table, 1, 0, 2, k=1).ids.tolist()
    [3]
    """
    if metric not in METRICS:
        raise ValueError(f"metric={metric!r} must be one of {', '.join(METRICS)}")
    ids = _row_ids(table, [a, b, c], "a, b, c")
    query = analogy_queries(table, ids[None], metric)[0]
    nearest = nearest_neighbours(
        table, query[None], k, metric, exclude=np.unique(ids)[None] if exclude_inputs else None
    )
    return Analogy(similarities=nearest.similarities[0], ids=nearest.ids[0], query=query)


def analogy_queries(table: Table, ids: NDArray[np.int64], metric: str = "cosine") -> Tensor:
    """Return a - b + c for rows (a, b, c), (n, 3) ids, as `analogy` searches for it: (n, d) float64 on the CPU."""
    rows = take_rows(table, ids.ravel()).cpu().double()
    if metric == "cosine":
        rows = functional.normalize(rows, dim=1, eps=torch.finfo(torch.float64).tiny)
    a, b, c = rows.reshape(*ids.shape, -1).unbind(dim=1)
    return a - b + c


def neighbour_rank(
    table: Table, query: Tensor, expected_id: int, *, metric: str = "cosine", exclude: Iterable[int] = ()
) -> int:
    """Return the rank of a row among all rows, nearest first, in the order of nearest_neighbours.

    Args:
        query: (d,) finite.
        expected_id: the row to rank.
        metric: "cosine", "dot" or "euclidean".
        exclude: row ids that are left out; not expected_id.

    Returns:
        In [1, n_rows - n_excluded]; 1 is the nearest.

    Raises:
        ValueError: an id out of range, expected_id excluded, a query of another width, or as for nearest_neighbours.

    >>> from embedlib import neighbour_rank
    >>> table = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> neighbour_rank(table, torch.tensor([1.0, 0.1]), 2)
    2
    """
    if metric not in METRICS:
        raise ValueError(f"metric={metric!r} must be one of {', '.join(METRICS)}")
    if tuple(query.shape) != (table.shape[1],):
        raise ValueError(f"query has shape {tuple(query.shape)}: it must be (d={table.shape[1]},)")
    left_out = _row_ids(table, list(exclude), "exclude")
    expected = _row_ids(table, [expected_id], "expected_id")
    if expected[0] in left_out:
        raise ValueError(f"expected_id={expected_id} is among exclude, so that it has no place: take it out of there")
    return int(ranks(table, query[None], expected, metric, exclude=np.unique(left_out)[None])[0])


def _mean_row(table: Table, ids: Sequence[int], name: str) -> Tensor:
    """Return the mean of some rows, (d,) float64 on the CPU."""
    if not len(ids):
        raise ValueError(f"{name} is empty: name at least one row")
    mean = take_rows(table, _row_ids(table, ids, name)).cpu().double().mean(dim=0)
    if not bool(mean.isfinite().all()):
        raise ValueError(f"{name} has a row that is not finite: name others")
    return mean


def _row_ids(table: Table, ids: Sequence[int], name: str) -> NDArray[np.int64]:
    """Return ids as an array, after a check that the table has them."""
    rows = np.array(list(ids), dtype=np.int64)
    if len(rows) and not (rows.min() >= 0 and rows.max() < len(table)):
        raise ValueError(f"{name} has ids in [{rows.min()}, {rows.max()}]: they must be in [0, n_rows={len(table)})")
    return rows


class RowRanks(NamedTuple):
    """Ranks of all rows of a table by their similarity to one direction.

    Attributes:
        similarities: (n_rows,) float32 cosines in [-1, 1]; 0 for a row of zeros.
        ranks: (n_rows,) int64 ranks; 1 is the nearest, among equal ones the lower row first, 0 for an excluded row.
    """

    similarities: Tensor
    ranks: Tensor

    def nearest(self, k: int) -> list[int]:
        """Return the k nearest rows, or fewer if the others are excluded."""
        order = self.ranks.argsort(stable=True)
        left_out = int((self.ranks == 0).sum())
        return order[left_out : left_out + k].tolist()


def neighbour_ranks(rows: Tensor, row: int) -> RowRanks:
    """Rank all other rows of a small table by their cosine with one, on the CPU."""
    ids = _row_ids(rows, [row], "row")
    return _row_ranks(rows, take_rows(rows, ids), ids)


def analogy_ranks(rows: Tensor, a: int, b: int, c: int) -> RowRanks:
    """Rank the rows of a small table by their nearness to a - b + c, as `analogy` does, on the CPU.

    a, b and c are excluded.
    """
    ids = _row_ids(rows, [a, b, c], "a, b, c")
    return _row_ranks(rows, analogy_queries(rows, ids[None]), ids)


def _row_ranks(rows: Tensor, query: Tensor, left_out: NDArray[np.int64]) -> RowRanks:
    similar, order = (part[0].cpu() for part in nearest_neighbours(rows, query, len(rows)))
    cosines, own_ranks = torch.empty(len(rows)), torch.zeros(len(rows), dtype=torch.int64)
    cosines[order] = similar.float()
    counted = order[~torch.isin(order, torch.from_numpy(left_out))]
    own_ranks[counted] = torch.arange(1, len(counted) + 1)
    return RowRanks(cosines, own_ranks)
