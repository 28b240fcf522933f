"""The best so far of every query, whatever order a table's rows are looked at in."""

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from embedlib.neighbours.blocks import Rows
from embedlib.neighbours.similarities import PAIR_ENTRIES, exact_similarities, rounding_slack

# Products that are rounded first pay as long as they let in no more than so many times the k rows that are asked for;
# in few columns rows lie too close together.
_ROUNDED_PAIRS = 16


class Neighbours(NamedTuple):
    """The k nearest rows of each query, the nearest first.

    Attributes:
        similarities: (n_queries, k) falling; the greater, the nearer, for every metric.
        ids: (n_queries, k) int64 row numbers; among similarities equal in float64 the lower first.
    """

    similarities: Tensor
    ids: Tensor


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
        """Take in the rows that could be among the k best by their product_similarities; -inf leaves one out.

        The rows that look best are worked out first: the k-th of them is what the others have to reach.

        Returns: Whether all was done; not so where rounded products let in too many rows.
        """
        k = self.ids.shape[1]
        slack = rounding_slack(queries, rows, metric, rounded=rounded)
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
        step = max(PAIR_ENTRIES // rows.vectors.shape[1], 1)
        for some, its in () if len(row) == 0 else zip(torch.split(query, step), torch.split(row, step), strict=True):
            values = exact_similarities(queries.exact[some], rows.exact[its], metric)
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
