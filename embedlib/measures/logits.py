"""Measures on the logits: whether they stay when both tokens move along, and how far a bias reaches."""

import torch
from torch import Tensor

from embedlib.measures.context import MeasureContext, has_positions
from embedlib.positional import PositionalScheme
from embedlib.transformer.attention import split_heads
from embedlib.transformer.encoder import float64_copy

_DISTANCES = (1, 2, 4, 8, 16, 32)
_PAIRS = 4
# Positions are taken up to here: the logits of all pairs are 4 · n_heads · 128² numbers.
_LONGEST = 128
# Queries and keys are rounded to multiples of 1/_GRID, so that q·k is exact in float64 in whatever order it is summed,
# and equal tokens give equal logits to the bit.
_GRID = 2**16


def shift_std(scheme: PositionalScheme, context: MeasureContext) -> float | None:
    """Return by how much the logit of two tokens varies while both move along the text together, in logits.

    One random token stands at m, another at m - delta, for each m below 128. Their rows, positions added where a scheme
    adds them, serve as query and key. Taken is the standard deviation over m, and of that the root mean square over 4
    pairs of standard normal rows, all heads, and delta = 1, 2, 4, 8, 16, 32 as far as the text is long enough. All
    other keys are the second token too, which only CoPE reads.

    Exactly 0 where each logit is the same to the bit ("none", "alibi"), about 1e-15 where it is but for rounding
    ("rope"). None for fewer than three positions, and where the scheme has not so many.
    """
    seq_len = min(context.seq_len, _LONGEST)
    deltas = [delta for delta in _DISTANCES if delta <= seq_len - 2]
    if not deltas or not has_positions(scheme, seq_len):
        return None
    generator = torch.Generator().manual_seed(context.seed)
    pair = torch.empty(2, _PAIRS, 1, scheme.d_model, dtype=torch.float32).normal_(generator=generator)
    tokens = pair.to(torch.float64).expand(-1, -1, seq_len, -1)  # (2, n_pairs, seq_len, d_model)
    exact = float64_copy(scheme)
    with torch.no_grad():
        q, k = split_heads(exact.encode(tokens), scheme.n_heads)  # (n_pairs, n_heads, seq_len, head_dim) each
        logits = exact.scores((q * _GRID).round() / _GRID, (k * _GRID).round() / _GRID)
    variances = [logits.diagonal(-delta, dim1=-2, dim2=-1).var(dim=-1, correction=0).mean() for delta in deltas]
    return float(torch.stack(variances).mean().sqrt())


def receptive_fields(scheme: PositionalScheme, seq_len: int, *, share: float = 0.99) -> Tensor | None:
    """Return how many of the nearest keys hold `share` of the weight that a bias alone gives, (n_heads,) int64.

    The least w with the sum of e^bias over delta < w at least share of the sum over all seq_len keys, for the last
    query under a causal mask. For ALiBi of slope m and a long text it is ceil(ln(1/(1 - share)) / m). None for schemes
    that do not act on the score, and where the scheme has not so many positions.
    """
    if not 0 < share <= 1:
        raise ValueError(f"share={share} must be above 0 and at most 1")
    if "score" not in scheme.acts_on or not has_positions(scheme, seq_len):
        return None
    with torch.no_grad():
        last = scheme.bias(seq_len)[:, -1].to("cpu", torch.float64)  # (n_heads, seq_len)
    reached = last.flip(-1).softmax(-1).cumsum(-1)  # nearest key first
    short = reached < share * reached[:, -1:]  # the last sum may be 1 less a rounding
    return short.sum(-1) + 1


def receptive_field(scheme: PositionalScheme, context: MeasureContext) -> float | None:
    """Return the mean over heads of ``receptive_fields``, in tokens; None where that is."""
    fields = receptive_fields(scheme, context.seq_len)
    return None if fields is None else float(fields.to(torch.float64).mean())
