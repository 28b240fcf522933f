"""Measures on one row per position: the row a scheme adds, or a rotated query."""

import torch
from torch import Tensor

from embedlib.measures.context import MeasureContext, has_positions
from embedlib.measures.similarity import adjacent_distance
from embedlib.positional import PositionalScheme
from embedlib.transformer.encoder import float64_copy


def position_rows(scheme: PositionalScheme, seq_len: int) -> Tensor | None:
    """Return one row per position in float64, between which distances are meaningful; None for other schemes.

    For a scheme that adds rows: those, (seq_len, d_model). For one that rotates q: an all-ones query of the first head,
    rotated, over sqrt(head_dim), (seq_len, head_dim). The distance of two such rows is that of the two rotation
    matrices (Frobenius, over sqrt(head_dim)), between 0 and 2. None also for one that is causal only (its scales are
    meaningful only in pairs), and where the scheme has not so many positions.
    """
    if not has_positions(scheme, seq_len):
        return None
    exact = float64_copy(scheme)
    if "embedding" in scheme.acts_on:
        return exact.position_table(seq_len)
    if "query_key" not in scheme.acts_on or scheme.causal_only:
        return None
    ones = torch.ones(scheme.n_heads, seq_len, scheme.head_dim, dtype=torch.float64)
    turned, _ = exact.rotate(ones, ones)  # (n_heads, seq_len, head_dim)
    rows: Tensor = turned[0] * scheme.head_dim**-0.5
    return rows


def uniqueness(scheme: PositionalScheme, context: MeasureContext) -> float | None:
    """Return the least distance between any two positions' rows; 0 where two are the same.

    None where ``position_rows`` is, and for one position.
    """
    rows = position_rows(scheme, context.seq_len)
    if rows is None or len(rows) < 2:
        return None
    return float(torch.pdist(rows).min())


def smoothness(scheme: PositionalScheme, context: MeasureContext) -> float | None:
    """Return the mean distance of neighbouring positions over that of any two; about 1 for random rows.

    None where ``position_rows`` is, for fewer than three positions, and where all rows are the same.
    """
    rows = position_rows(scheme, context.seq_len)
    if rows is None or len(rows) < 3:
        return None
    typical = float(torch.pdist(rows).mean())
    return float(adjacent_distance(rows).mean()) / typical if typical > 0 else None


def norm_ratio(scheme: PositionalScheme, context: MeasureContext) -> float | None:
    """Return the mean length of the position rows over the mean length of the token rows.

    None for schemes that add no rows or have not so many positions, and where the token rows are all zeros.
    """
    if "embedding" not in scheme.acts_on:
        return None
    added = position_rows(scheme, context.seq_len)
    token_length = float(torch.linalg.vector_norm(context.rows.detach().to("cpu", torch.float64), dim=1).mean())
    if added is None or token_length == 0:
        return None
    return float(torch.linalg.vector_norm(added, dim=1).mean()) / token_length
