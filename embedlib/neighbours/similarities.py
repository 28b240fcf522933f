"""How similar rows are: by one product, with what that may be off by, or pair by pair in float64."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from embedlib.neighbours.blocks import Rows, Table, parts_of

METRICS = ("cosine", "dot", "euclidean")
PAIR_ENTRIES = 2**17  # of pairs that are worked out in float64 at once: 1 MB, which the cache holds
# From this many queries and columns on, products rounded to bfloat16 first save time where the processor knows it:
# 64 queries in 50257 x 768 take 70 ms on one core, not 130.
_ROUNDED_QUERIES, _ROUNDED_WIDTH = 16, 128
_ROUNDING = 2.0**-8  # what is rounded to its 8 binary digits is off by this share of itself at most
# What float32 products may lose besides the rounding of sums, where the caller has allowed it.
_PRODUCT_ROUNDING = {"highest": 0.0, "high": 2.0**-10, "medium": 2.0**-7}


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
    parts = [_similarity_in_float32(part.float(), vector.to(part.device), metric).cpu() for _, part in parts_of(table)]
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


def worth_rounding(queries: Rows, rows: Rows) -> bool:
    """Tell whether products in bfloat16 are faster here; on processors that do not know it they are far slower."""
    if rows.vectors.device.type != "cpu" or rows.vectors.dtype != torch.float32:
        return False
    known: dict[str, bool] = getattr(torch.cpu, "get_capabilities", dict)()  # PyTorch 2.6 cannot say
    able = bool(known.get("avx512_bf16") or known.get("amx_bf16"))
    return able and len(queries.norms) >= _ROUNDED_QUERIES and rows.vectors.shape[1] >= _ROUNDED_WIDTH


def product_similarities(queries: Rows, rows: Rows, metric: str, *, rounded: bool = False) -> Tensor:
    """Return all of (n_queries, n_rows), but for rounding_slack; minus the squared distance for "euclidean"."""
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


def rounding_slack(queries: Rows, rows: Rows, metric: str, *, rounded: bool = False) -> Tensor:
    """Return how far product_similarities may be off for each query, (n_queries, 1).

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


def exact_similarities(a: Tensor, b: Tensor, metric: str) -> NDArray[np.float64]:
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
