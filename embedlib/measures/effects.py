"""Effect of a scheme on rows: it adds to them, rotates them as queries, or changes their scores."""

import math
from dataclasses import dataclass, field
from typing import Any, Literal

import torch
from torch import Tensor
from torch.nn.functional import pad

from embedlib.colours import colour_limit
from embedlib.positional import FormulaPositions, PositionalScheme

EffectKind = Literal["adds", "turns", "scores"]


@dataclass(frozen=True)
class Effect:
    """Some tokens row by row: before, what the scheme gives, and after; float32 on the CPU."""

    kind: EffectKind
    before: Tensor  # (n_tokens, d_model) token rows, or (n_tokens, n_tokens) scores, 0 for keys after the query
    change: Tensor  # rows, angles from -π to π, or terms of scores
    after: Tensor
    # Of a rotation: columns from one of a pair to the other, and how many rotate.
    pairs: tuple[int, int] | None = field(default=None, kw_only=True)

    def colour_limits(self) -> tuple[float, float, float]:
        """Return where the colours of `before`, `change` and `after` end."""
        if self.kind == "adds":
            limit = colour_limit(self.before, self.change, self.after)
            return limit, limit, limit
        if self.kind == "turns":
            limit = colour_limit(self.before, self.after)
            return limit, math.pi, limit
        # Position terms can be a hundred times as large as scores, which would be blank on their scale.
        limit = colour_limit(self.change, self.after)
        return colour_limit(self.before), limit, limit


def effect_kind(scheme: PositionalScheme | type[PositionalScheme]) -> EffectKind:
    """Return where a scheme acts."""
    acts_on = scheme.acts_on
    if not acts_on - {"embedding"}:
        return "adds"
    if isinstance(scheme, FormulaPositions):
        return "turns" if "turn" in scheme.trees and "score" not in acts_on else "scores"
    return "turns" if hasattr(scheme, "angles") else "scores"


def effect_on_rows(scheme: PositionalScheme, rows: Tensor, first: int = 0, stop: int | None = None) -> Effect:
    """Compute a scheme's effect on the tokens of a window, with the token rows as queries and keys.

    Args:
        scheme: of the rows' width; of rotations and scores, those of its first head.
        rows: (seq_len, d_model) token rows from position 0 on.
        first: of the window.
        stop: one past its last token; None for all.
    """
    kind, stop = effect_kind(scheme), len(rows) if stop is None else stop
    rows = rows.to(scheme.device)
    heads = rows.reshape(len(rows), scheme.n_heads, -1).transpose(0, 1)  # (n_heads, seq_len, head_dim)
    if kind == "scores":
        heads = heads[:, :stop]
        plain = (heads @ heads.transpose(-1, -2) * scheme.logit_scale())[0]
        scores = scheme.scores(heads, heads)[0]  # (stop, stop), -inf after the query
        added = scheme.bias(stop)[0] if "score" in scheme.acts_on else scores - plain
        matrices = (plain, _zero_infinite(added), _zero_infinite(scores))
        return Effect(kind, *(matrix.tril()[first:, first:].float().cpu() for matrix in matrices))
    pairs = None
    if kind == "adds":
        change = scheme.position_table(len(rows)).to(rows) if scheme.acts_on else torch.zeros_like(rows)
        after = rows + change
    else:
        change, pairs = _angles(scheme, len(rows))  # all positions: dynamic scaling depends on their number
        rows, after = heads[0], scheme.rotate(heads, heads)[0][0]
    return Effect(kind, *(part[first:stop].float().cpu() for part in (rows, change, after)), pairs=pairs)


def _zero_infinite(scores: Tensor) -> Tensor:
    return torch.where(scores.isinf(), 0.0, scores)


def _angles(scheme: Any, seq_len: int) -> tuple[Tensor, tuple[int, int]]:
    """Return the angle of every column from -π to π, 0 where it is not rotated, and which columns are pairs.

    Returns:
        (seq_len, head_dim) angles; how many columns lie between the two of a pair, and how many columns are rotated.
    """
    angles: Tensor = scheme.angles(seq_len)  # (seq_len, n_pairs), of one's own scheme (n_heads, seq_len, n_pairs)
    angles = angles[0] if angles.ndim > 2 else angles
    angles = torch.remainder(angles + math.pi, 2 * math.pi) - math.pi
    n_pairs, is_interleaved = angles.shape[-1], scheme.pairing == "interleaved"
    columns = angles.repeat_interleave(2, -1) if is_interleaved else torch.cat([angles, angles], -1)
    return pad(columns, (0, scheme.head_dim - columns.shape[-1])), (1 if is_interleaved else n_pairs, 2 * n_pairs)
