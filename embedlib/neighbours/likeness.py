"""How alike every row of a table is to one vector, for a picture in which all of them are coloured."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import cosine_similarity

from embedlib.neighbours.blocks import row_blocks
from embedlib.neighbours.neighbours import METRICS

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
