"""Positions in a trained model: its own, none, shuffled, shifted, or another scheme."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import Tensor

from embedlib.positional import FormulaError, FormulaPositions, ParameterValue, PositionalScheme


@dataclass(frozen=True, slots=True)
class Positions:
    """Positions that replace a model's own.

    Attributes:
        kind: "trained" for the model's own, from 0 on; "none": nothing is added or rotated; "shuffled": its own in a
            random order, the same for all texts of one length; "shifted": its own from `shift` on; "scheme": another
            scheme's.
        seed: of the shuffle.
        shift: in positions, at least 0.
        scheme: a key of SCHEMES, or "formula".
        parameters: of the scheme, as for make_scheme.
    """

    kind: Literal["trained", "none", "shuffled", "shifted", "scheme"] = "trained"
    seed: int = 0
    shift: int = 0
    scheme: str = ""
    parameters: Mapping[str, ParameterValue] | tuple[tuple[str, ParameterValue], ...] = ()

    def __post_init__(self) -> None:
        if self.shift < 0:
            raise ValueError(f"shift={self.shift} must be at least 0")
        object.__setattr__(self, "parameters", tuple(sorted(dict(self.parameters).items())))  # hashable

    def ids(self, seq_len: int) -> Tensor:
        """Return the position of each of seq_len tokens: (seq_len,) int64, 0 without positions."""
        if self.kind == "shuffled":
            return torch.randperm(seq_len, generator=torch.Generator().manual_seed(self.seed))
        if self.kind in ("none", "scheme"):
            return torch.zeros(seq_len, dtype=torch.int64)
        return torch.arange(seq_len) + self.shift


def attention(
    module: torch.nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor,
    scaling: float | None = None,
    scheme: PositionalScheme | None = None,
    causal: bool = False,
    **_others: Any,
) -> tuple[Tensor, Tensor]:
    """Mix the values as transformers' eager attention does, under a positional scheme if there is one.

    The product q·k keeps the model's own scale, with which its weights were trained, unless a formula has another; a
    term that reads content has the scheme's, and a bias none. Returns (batch_size, seq_len, n_heads, head_dim) mixed
    values, and (batch_size, n_heads, seq_len, seq_len) weights.

    Args:
        query: (batch_size, n_heads, seq_len, head_dim).
        key: likewise, or with fewer heads, each shared by neighbouring queries.
        attention_mask: (batch_size, 1, seq_len, seq_len), 0 or -inf.
        scaling: of q·k in the model; 1/sqrt(head_dim) by default.
        scheme: acts inside attention; one that adds rows does nothing here.
        causal: whether the mask hides later keys.

    Raises:
        FormulaError: a formula has no value at one of the positions, or its scale makes q·k exceed float32.
    """
    if query.shape[1] != key.shape[1]:
        key, value = (part.repeat_interleave(query.shape[1] // key.shape[1], dim=1) for part in (key, value))
    q, k = query, key
    scaling = query.shape[-1] ** -0.5 if scaling is None else scaling
    if isinstance(scheme, FormulaPositions) and "scale" in scheme.trees:
        scaling = scheme.logit_scale()
    if scheme is not None and "query_key" in scheme.acts_on:
        q, k = scheme.rotate(query, key)
    logits = q @ k.transpose(-1, -2) * scaling
    if isinstance(scheme, FormulaPositions) and "scale" in scheme.trees and not bool(logits.isfinite().all()):
        raise _overflow_error(scheme, logits)
    if scheme is not None and "content" in scheme.acts_on:
        logits = logits + scheme.content_scores(query, key, causal=causal) * scheme.logit_scale()
    if scheme is not None and "score" in scheme.acts_on:
        logits = logits + scheme.bias(query.shape[-2], causal=causal)
    weights = (logits + attention_mask).softmax(-1)  # (batch_size, n_heads, seq_len, seq_len)
    mixed = weights @ value if scheme is None else scheme.mix(weights, value)
    return mixed.transpose(1, 2).contiguous(), weights


def _overflow_error(scheme: FormulaPositions, logits: Tensor) -> FormulaError:
    """Return the error of a formula whose scale makes logits exceed their dtype; it names the first such pair."""
    query, key = (~logits.isfinite()).nonzero()[0, -2:].tolist()
    dtype = str(logits.dtype).removeprefix("torch.")
    place = f"q = {query}, k = {key}"
    text = scheme.scale
    return FormulaError("overflow", line="scale", stop=len(text), found=text, place=place, dtype=dtype)


class PositionRows(torch.nn.Module):
    """A module in place of a model's position table, which looks up ids, or passes rows through.

    The rows come with the call, and none are stored here, so that threads can use one model with different ones.
    """

    def __init__(self, table: torch.nn.Module) -> None:
        super().__init__()
        self.table = table

    def forward(self, positions: Tensor) -> Tensor:
        """Return (…, seq_len, d_model)."""
        rows: Tensor = positions if positions.is_floating_point() else self.table(positions)
        return rows
