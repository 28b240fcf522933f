"""Effects of a positional scheme as tensors: planes, a bias per head, a term that reads content."""

import torch
from torch import Tensor

from embedlib.positional import HOOKS, FormulaPositions, PositionalScheme
from embedlib.positional.rotation import split_pairs
from embedlib.positional.sinusoidal import SinusoidalPositions
from embedlib.positional.sinusoidal_2d import Sinusoidal2dPositions
from embedlib.transformer.attention import random_qk

_SEEN = 4  # positions by which a formula's circles are found: those that it is computed for when it is made


def paired_columns(scheme: PositionalScheme, *, rotated: bool | None = None) -> tuple[Tensor, Tensor]:
    """Return the first and the second columns of the pairs that a scheme rotates together, each (n_pairs,) int64.

    0 with 1 where neighbours pair up, 0 with width/2 where halves do, 0 with width/4 inside each half of a grid's row.
    Rows of a formula pair up as the first of these in which every pair runs on a circle, and else as neighbours. An odd
    last column is left out. `rotated` chooses between queries and rows, of a scheme with both; None takes the rows, if
    it adds any.
    """
    if not scheme.acts_on & {"embedding", "query_key"}:
        raise ValueError(f"scheme={scheme.name!r} neither adds rows nor turns queries: it has no planes")
    adds = _uses_added_rows(scheme, rotated)
    width = scheme.d_model if adds else int(getattr(scheme, "rotary_dim", scheme.head_dim))
    columns = torch.arange(width // 2 * 2)
    if isinstance(scheme, Sinusoidal2dPositions):
        return _grid_pairs(columns)
    if adds and isinstance(scheme, FormulaPositions):
        return _circle_pairs(columns, scheme.position_table(_SEEN).detach())
    named = scheme.parameter_values.get("layout" if adds else "pairing", "interleaved")
    return split_pairs(columns, "interleaved" if named == "interleaved" else "halves")


def _grid_pairs(columns: Tensor) -> tuple[Tensor, Tensor]:
    sines, cosines = columns.view(2, 2, -1).unbind(1)  # (2 coordinates, width/4) each
    return sines.flatten(), cosines.flatten()


def _circle_pairs(columns: Tensor, rows: Tensor) -> tuple[Tensor, Tensor]:
    """Pair up columns of (n_positions, d_model) so that every pair keeps its length; neighbours if none does."""
    ways = [split_pairs(columns, "interleaved"), split_pairs(columns, "halves")]
    ways += [_grid_pairs(columns)] if len(columns) % 4 == 0 else []
    for first, second in ways:
        length = torch.hypot(rows[:, first], rows[:, second])  # (n_positions, n_pairs)
        if torch.allclose(length, length[:1].expand_as(length), rtol=1e-4, atol=0):
            return first, second
    return ways[0]


def _uses_added_rows(scheme: PositionalScheme, rotated: bool | None) -> bool:
    return "embedding" in scheme.acts_on if rotated is None else not rotated


def position_planes(scheme: PositionalScheme, seq_len: int, *, rotated: bool | None = None) -> Tensor:
    """Return each position as a point in the plane of each pair of columns, (n_pairs, seq_len, 2) float32 on the CPU.

    Of an added table: its two columns, the second along x for sinusoids and for formulas that begin like them, so that
    positions run anticlockwise as (cos, sin). Of a rotation: the rotated unit vector. An odd last column is left out.
    """
    first, second = paired_columns(scheme, rotated=rotated)  # (n_pairs,) each
    if _uses_added_rows(scheme, rotated):
        rows = scheme.position_table(seq_len).detach()  # (seq_len, d_model)
        begins = rows[0, first] == 0, rows[0, second] != 0  # as sines and cosines do
        of_formula = isinstance(scheme, FormulaPositions) and all(bool(column.all()) for column in begins)
        if of_formula or isinstance(scheme, SinusoidalPositions | Sinusoidal2dPositions):
            first, second = second, first
    else:
        probe = torch.zeros(scheme.n_heads, seq_len, scheme.head_dim, device=scheme.device)
        probe[..., first] = 1.0  # every pair of the probe is (1, 0)
        rows = scheme.rotate(probe, probe)[0][0]  # (seq_len, head_dim)
    x, y = rows[:, first], rows[:, second]  # (seq_len, n_pairs) each
    return torch.stack([x, y], dim=-1).transpose(0, 1).float().cpu().contiguous()  # (n_pairs, seq_len, 2)


def has_similarity(scheme: PositionalScheme) -> bool:
    """Return whether ``scheme.similarity`` is defined, that is does not depend on content."""
    try:
        scheme.similarity(1)
    except ValueError:
        return False
    return True


def score_bias(scheme: PositionalScheme, seq_len: int) -> Tensor:
    """Return a scheme's bias on causal logits, (n_heads, seq_len, seq_len) float32 on the CPU, -inf where masked."""
    return _mask_later_keys(scheme.bias(seq_len))


def content_term(scheme: PositionalScheme, seq_len: int, *, seed: int) -> Tensor:
    """Return the content term for standard normal queries and keys, drawn on the CPU.

    (n_heads, seq_len, seq_len) float32 on the CPU, scaled as the logits are, -inf where masked.
    """
    q, k = _random_heads(scheme, seq_len, seed)
    return _mask_later_keys(scheme.content_scores(q, k) * scheme.logit_scale())


def named_terms(scheme: PositionalScheme, seq_len: int, *, head: int, seed: int) -> dict[str, Tensor]:
    """Return the terms of one head's logits that the scheme's paper names, for the queries of ``content_term``.

    LaTeX to (seq_len, seq_len) float32 on the CPU, scaled as the logits are, -inf where masked; they sum to the logits.
    Empty where the paper names none.
    """
    if not 0 <= head < scheme.n_heads:
        raise ValueError(f"head={head} must be from 0 to {scheme.n_heads - 1}")
    q, k = _random_heads(scheme, seq_len, seed)
    return {name: _mask_later_keys(term[head]) for name, term in scheme.terms(q, k).items()}


def random_similarity(scheme: PositionalScheme, seq_len: int, *, seed: int) -> Tensor:
    """Return the similarity of positions for one random query and key per head, the same at every position.

    ``similarity`` takes vectors of ones, or the scheme's own; this takes standard normal ones. (seq_len, seq_len)
    float32 on the CPU, the mean over heads; NaN for keys after the query where the scheme is causal only. Rotated
    queries and keys: their product over head_dim. Content: its term, scaled as the logits are.
    """
    q, k = (one.expand(-1, seq_len, -1) for one in _random_heads(scheme, 1, seed))  # (n_heads, seq_len, head_dim)
    if "query_key" in scheme.acts_on:
        turned_q, turned_k = scheme.rotate(q, k)
        logits = turned_q @ turned_k.transpose(-1, -2) / scheme.head_dim
    else:
        logits = scheme.content_scores(q, k, causal=scheme.causal_only) * scheme.logit_scale()
    mean = logits.mean(0).detach().float().cpu()  # (seq_len, seq_len)
    later = torch.ones_like(mean, dtype=torch.bool).triu(1)
    return mean.masked_fill(later, torch.nan) if scheme.causal_only else mean


def _random_heads(scheme: PositionalScheme, seq_len: int, seed: int) -> tuple[Tensor, Tensor]:
    """Draw standard normal queries and keys on the CPU; return them on the scheme's device."""
    generator = torch.Generator().manual_seed(seed)
    shape = (scheme.n_heads, seq_len, scheme.head_dim)
    q, k = (torch.empty(shape).normal_(generator=generator).to(scheme.device) for _ in range(2))
    return q, k


def _mask_later_keys(logits: Tensor) -> Tensor:
    logits = logits.detach().float().cpu()
    later = torch.ones(logits.shape[-2:], dtype=torch.bool).triu(1)
    return logits.masked_fill(later, float("-inf"))


def injection_point(scheme: PositionalScheme | type[PositionalScheme]) -> str | None:
    """Return the first place where a scheme acts, in the order in which a model meets them, or None."""
    return next((place for place in HOOKS if place in scheme.acts_on), None)


def rotated_units(scheme: PositionalScheme, seq_len: int) -> Tensor:
    """Return the rotated unit vector of each pair of columns, (seq_len, 2 · n_pairs) float32 on the CPU.

    For each position the y and x of pair 0, of pair 1, and so on: where lengths stay 1 the sine and cosine of its
    angle, in the order of an interleaved sinusoidal row.
    """
    planes = position_planes(scheme, seq_len)  # (n_pairs, seq_len, 2)
    return planes.flip(-1).transpose(0, 1).flatten(1)  # (seq_len, 2 · n_pairs)


def text_content_term(scheme: PositionalScheme, rows: Tensor, *, seed: int) -> Tensor:
    """Return the content term of a text's causal logits, with random W_q and W_k.

    (n_heads, seq_len, seq_len) float32 on the CPU, scaled as the logits are, -inf where masked.
    """
    with torch.no_grad():
        q, k = random_qk(scheme.encode(rows.to(scheme.device)), scheme.n_heads, seed)
        return _mask_later_keys(scheme.content_scores(q, k) * scheme.logit_scale())


def pick_head(matrices: Tensor, head: int) -> Tensor:
    """Return one head's matrix, or the mean of all for head -1: (n_heads, n, n) to (n, n)."""
    return matrices.mean(0) if head < 0 else matrices[head]
