"""Compare a scheme's conventions (layout, pairing): which of them differ by a permutation of columns only."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from embedlib.positional.base import PositionalScheme
from embedlib.positional.rotation import halves_order

SWITCHES = ("layout", "pairing")


@dataclass(frozen=True, eq=False)
class Agreement:
    """Comparison of one rotary convention with "interleaved", at every position.

    Attributes:
        switch: the parameter, "layout" or "pairing".
        other: its value that is compared with "interleaved".
        interleaved: (seq_len, width) the position rows, or one random query rotated to each position.
        compared: (seq_len, width) the same under the other convention; a query's columns are permuted before rotation.
        order: (width,) the permutation of columns, as ``halves_order`` gives it.
        difference: largest difference without the permutation.
        permuted_difference: largest difference once the columns of ``interleaved`` are put in that order.
    """

    switch: str
    other: str
    interleaved: Tensor
    compared: Tensor
    order: Tensor
    difference: float
    permuted_difference: float


def agreements(scheme: PositionalScheme, seq_len: int, *, seed: int = 0) -> list[Agreement]:
    """Compare every other layout or pairing of a scheme with its interleaved one; empty for a scheme without either."""
    return [
        _compare_convention(scheme, parameter.name, str(other), seq_len, seed)
        for parameter in scheme.PARAMETERS
        if parameter.name in SWITCHES
        and parameter.is_read(scheme.parameter_values)
        and "interleaved" in (parameter.choices or ())
        for other in parameter.choices or ()
        if other != "interleaved"
    ]


def _compare_convention(scheme: PositionalScheme, switch: str, other: str, seq_len: int, seed: int) -> Agreement:
    first, second = (_copy_with(scheme, **{switch: value}) for value in ("interleaved", other))
    if switch == "layout":
        order = halves_order(scheme.d_model)  # (d_model,)
        interleaved, compared = first.position_table(seq_len), second.position_table(seq_len)  # (seq_len, d_model)
        same_columns = compared
    else:
        rotary_dim = int(getattr(scheme, "rotary_dim", scheme.head_dim))
        order = torch.cat([halves_order(rotary_dim), torch.arange(rotary_dim, scheme.head_dim)])  # (head_dim,)
        query = torch.empty(scheme.head_dim).normal_(generator=torch.Generator().manual_seed(seed))
        interleaved, same_columns = (_rotated_query(version, query, seq_len) for version in (first, second))
        compared = _rotated_query(second, query[order], seq_len)  # (seq_len, head_dim)
    apart = float((same_columns - interleaved).abs().max())
    permuted = float((compared - interleaved[:, order]).abs().max())
    return Agreement(switch, other, interleaved, compared, order, apart, permuted)


def _copy_with(scheme: PositionalScheme, **changed: str) -> PositionalScheme:
    """Copy a scheme with other parameters, on the CPU and without gradients."""
    parameters: dict[str, Any] = {**scheme.parameter_values, **changed}
    parameters |= {"d_model": scheme.d_model, "n_heads": scheme.n_heads, "max_seq_len": scheme.max_seq_len}
    return type(scheme)(**parameters).requires_grad_(False)


def _rotated_query(scheme: PositionalScheme, query: Tensor, seq_len: int) -> Tensor:
    """Rotate one query to each position, (seq_len, head_dim)."""
    q = query.expand(scheme.n_heads, seq_len, -1)
    return scheme.rotate(q, q)[0][0]
