"""What each scheme contributes, whatever its place: one matrix that can stand beside that of any other."""

import torch
from torch import Tensor

from embedlib.measures.pictures import position_planes
from embedlib.positional import PositionalScheme
from embedlib.transformer.attention import random_qk

# In the order in which a model meets them; a scheme that acts in several is shown at its first.
PLACES = ("embedding", "query_key", "score", "content")


def place_of(scheme: PositionalScheme | type[PositionalScheme]) -> str | None:
    """Return where a scheme acts first, one of PLACES; None where it acts nowhere."""
    return next((place for place in PLACES if place in scheme.acts_on), None)


def turned_units(scheme: PositionalScheme, seq_len: int) -> Tensor:
    """Return where a rotation takes the unit vector of each pair of columns.

    Args:
        scheme: one that acts on queries and keys.
        seq_len: number of positions, at least 1.

    Returns:
        (seq_len, 2 · n_pairs) float32 on the CPU: for each position the y and x of pair 0, of pair 1, and so on: where
        lengths stay 1 the sine and cosine of its angle, in the order of an interleaved sinusoidal row.

    Raises:
        ValueError: the scheme turns nothing.
    """
    planes = position_planes(scheme, seq_len)  # (n_pairs, seq_len, 2)
    return planes.flip(-1).transpose(0, 1).flatten(1)  # (seq_len, 2 · n_pairs)


def content_on_rows(scheme: PositionalScheme, rows: Tensor, *, seed: int) -> Tensor:
    """Return what a scheme that reads content adds to the causal logits of a text.

    Args:
        scheme: one that acts on content.
        rows: (seq_len, d_model) token rows.
        seed: of the random W_q and W_k, as in ``attention_pattern``.

    Returns:
        (n_heads, seq_len, seq_len) float32 on the CPU, scaled as the logits are, -inf where masked.

    Raises:
        ValueError: the scheme does not act on content, or the rows do not fit it.
    """
    with torch.no_grad():
        q, k = random_qk(scheme.encode(rows.to(scheme.device)), scheme.n_heads, seed)
        term = (scheme.content_scores(q, k, causal=True) * scheme.logit_scale()).float().cpu()
    later = torch.ones(term.shape[-2:], dtype=torch.bool).triu(1)
    return term.masked_fill(later, float("-inf"))


def pick_head(matrices: Tensor, head: int) -> Tensor:
    """Return one head's matrix, or the mean of all for head -1: (n_heads, n, n) to (n, n)."""
    return matrices.mean(0) if head < 0 else matrices[head]
