"""A computed verdict on a scheme: its sensitivities, coinciding positions or distances, and cost."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor

from embedlib.measures.context import has_positions
from embedlib.positional import N_TRAINED, FormulaError, PositionalScheme
from embedlib.transformer.attention import split_heads
from embedlib.transformer.encoder import float64_copy

FARTHEST = 131_072  # positions, 128k, up to which rounding is looked at
COST_LENGTHS = (4096, 32_768)
MIN_LOGIT_STEP = 0.01  # in logits: one weight is then 1 % of the other more
_TOKENS, _PAIRS, _SHIFT = 12, 2, 16
# Most positions where a scheme gives whole matrices of pairs only: 54 MB for four heads.
_LONGEST_MATRIX = 1300
# Attention's weights differ by less than this from rounding alone; two values that are nearer, in proportion, are one.
_SEEN, _SAME = 1e-9, 1e-9
_BLOCK = 2048  # positions at a time
_SHORT = (torch.float16, torch.bfloat16)
# How often a scheme that reads content multiplies queries with one vector for each key, or values likewise.
_PRODUCTS = {"shaw": 2, "deberta": 2}


@dataclass(frozen=True, slots=True)
class Rounding:
    """Positions, or distances, that stay distinct in a short floating point type.

    Attributes:
        dtype: "float16" or "bfloat16".
        greatest: the largest absolute value before rounding, among those compared.
        first_merged: the first of two neighbours that become equal by rounding; None where there is none.
        first_overflow: the first that is infinite after rounding; None where there is none.
    """

    dtype: str
    greatest: float
    first_merged: int | None
    first_overflow: int | None


@dataclass(frozen=True, slots=True)
class AddedCost:
    """Parameters, memory and operations that a scheme adds to one layer of attention, counted from shapes.

    Rows are added once to the tokens, before the first layer; a bias and tables of sines may be kept for all layers.

    Attributes:
        numbers: stored beside queries, keys and logits: rows, sines and cosines, biases.
        bytes: the same in float16 or bfloat16.
        operations: additions and multiplications beyond those of attention without positions.
    """

    seq_len: int
    numbers: int
    bytes: int
    operations: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """Properties of a scheme that hold without training.

    Attributes:
        shift_sensitive: whether attention changes when all tokens stand 16 positions later.
        reversal_sensitive: whether it changes when they stand in reverse; None for one that is causal only.
        scale_sensitive: whether it changes when they stand twice as far apart.
        unit: "position" where rows or rotations distinguish positions, "distance" where a bias or a content term
            distinguishes distances, None where nothing does.
        unique: how many positions or distances, from 0 on, are all different; at most ``n_compared``.
        unique_trained: whether all are up to the trained length; None where fewer were compared.
        unique_tenfold: whether all are up to ten times that; None likewise.
        collision: the first equal pair, with the least later one; None where there is none.
        n_compared: how many were compared.
        last_row: the position of the last row of a table, of trained rows where it has such; None where none is last.
        distinct_distances: for each head, how many distances from 0 on differ by at least MIN_LOGIT_STEP logits from
            the one before, for random queries and keys; at most the trained length.
        rounding: float16, then bfloat16.
        n_rounded: how many positions or distances ``rounding`` was computed for.
        costs: one for each of COST_LENGTHS, up to the last row.
    """

    shift_sensitive: bool | None
    reversal_sensitive: bool | None
    scale_sensitive: bool | None
    unit: str | None
    unique: int
    unique_trained: bool | None
    unique_tenfold: bool | None
    collision: tuple[int, int] | None
    n_compared: int
    last_row: int | None
    distinct_distances: tuple[int, ...]
    rounding: tuple[Rounding, ...]
    n_rounded: int
    costs: tuple[AddedCost, ...]


@torch.no_grad()
def verdict(scheme: PositionalScheme, *, trained: int = 128, seed: int = 0) -> Verdict:
    """Judge a scheme by what it computes, in float64 on the CPU, for a trained length from 2 to 13,000.

    Positions are compared up to ten times ``trained``, and rounded up to FARTHEST; a scheme that has not so many, or
    only gives whole matrices of pairs, up to 1,300.
    """
    if not 2 <= trained <= FARTHEST // 10:
        raise ValueError(f"trained={trained} must be from 2 to {FARTHEST // 10}")
    exact, n_rows = float64_copy(scheme), _count_rows(scheme)
    unit = _distinguished_unit(exact)
    shift, reversal, scale = _sensitivities(exact, seed)
    signatures = torch.cat(list(_signatures(exact, unit, 10 * trained, seed)))
    collision = _first_equal_pair(signatures)
    n_compared = len(signatures)
    unique = n_compared if collision is None else collision[1]
    rounding, n_rounded = ((), 0) if unit is None else _round_to_short_types(_signatures(exact, unit, FARTHEST, seed))
    return Verdict(
        shift_sensitive=shift,
        reversal_sensitive=reversal,
        scale_sensitive=scale,
        unit=unit,
        unique=unique,
        unique_trained=_are_all_different(unique, trained, n_compared),
        unique_tenfold=_are_all_different(unique, 10 * trained, n_compared),
        collision=collision,
        n_compared=n_compared,
        last_row=None if n_rows is None else n_rows - 1,
        distinct_distances=_distinct_distances(exact, trained, seed),
        rounding=rounding,
        n_rounded=n_rounded,
        costs=tuple(_added_cost(exact, seq_len) for seq_len in COST_LENGTHS if n_rows is None or seq_len <= n_rows),
    )


def _count_rows(scheme: PositionalScheme) -> int | None:
    """Return how many rows a table has, without untrained ones behind trained ones; None without an end."""
    if scheme.any_length:
        return None
    is_trained = scheme.parameter_values.get("weights") == "trained"
    return min(scheme.max_seq_len, N_TRAINED) if is_trained else scheme.max_seq_len


def _distinguished_unit(scheme: PositionalScheme) -> str | None:
    if "embedding" in scheme.acts_on or "query_key" in scheme.acts_on:
        return "position"
    return "distance" if scheme.acts_on else None


def _are_all_different(unique: int, count: int, n_compared: int) -> bool | None:
    if unique < n_compared and unique < count:
        return False
    return True if n_compared >= count else None


def _attention(scheme: PositionalScheme, tokens: Tensor, *, offset: int = 0) -> Tensor:
    """Return attention weights of random tokens as queries and keys, (n_heads, seq_len, seq_len)."""
    q = split_heads(scheme.encode(tokens, offset=offset)[None], scheme.n_heads)[0]  # (n_heads, seq_len, head_dim)
    return scheme.scores(q, q, causal=scheme.causal_only, offset=offset).softmax(-1)


def _random_tokens(scheme: PositionalScheme, count: int, seed: int) -> Tensor:
    """Draw (count, d_model) float64 tokens, of a spread that leaves all weights well above 0."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(count, scheme.d_model, dtype=torch.float64, generator=generator)


def _sensitivities(scheme: PositionalScheme, seed: int) -> tuple[bool | None, bool | None, bool | None]:
    """Return whether attention changes under a shift, a reversal and a scale.

    None where a formula has no value at these positions.
    """
    tokens = _random_tokens(scheme, _TOKENS, seed)
    shift = reversal = scale = None
    with suppress(FormulaError):
        here = _attention(scheme, tokens)

        def differs(other: Tensor) -> bool:
            return bool((other - here).abs().max() > _SEEN)

        if not scheme.causal_only:
            reversal = differs(_attention(scheme, tokens.flip(0)).flip(-1, -2))
        if has_positions(scheme, 2 * _TOKENS):
            # Each token twice, of which every second one is looked at: its keys stand twice as far away.
            spread = _attention(scheme, tokens.repeat_interleave(2, dim=0))[..., ::2, ::2]
            scale = differs(spread / spread.sum(-1, keepdim=True))
        if has_positions(scheme, _TOKENS + _SHIFT):  # last: of all three it needs the farthest positions
            shift = differs(_attention(scheme, tokens, offset=_SHIFT))
    return shift, reversal, scale


def _signatures(scheme: PositionalScheme, unit: str | None, count: int, seed: int) -> Iterator[Tensor]:
    """Yield what identifies each position or distance, in blocks: (at most count, width) float64."""
    count = min(count, _count_rows(scheme) or count)
    if unit is None:
        yield torch.zeros(count, 1, dtype=torch.float64)
    elif unit == "position":
        for first in range(0, count, _BLOCK):
            size = min(_BLOCK, count - first)
            block = _defined_rows(partial(_position_signatures, scheme, first), size)
            yield block
            if len(block) < size:
                return
    else:
        yield _distance_signatures(scheme, count, seed)


def _distance_signatures(scheme: PositionalScheme, count: int, seed: int) -> Tensor:
    """Return biases, or logits of the same query and key, by distance: (at most count, width)."""
    if scheme.acts_on == {"score"}:
        by_distance = scheme.distance_bias(torch.arange(count, dtype=torch.float64))
        if by_distance is not None:
            finite = by_distance.isfinite().all(0)
            return by_distance.T[: int(finite.long().cumprod(0).sum())]
        # Of the last query, the nearest key first.
        return _defined_rows(lambda n: scheme.bias(n)[:, -1].flip(-1).T, min(count, _LONGEST_MATRIX))
    return _defined_rows(lambda n: _last_logits(scheme, n, seed).flatten(0, 1).T, min(count, _LONGEST_MATRIX))


def _defined_rows(make: Callable[[int], Tensor], count: int) -> Tensor:
    """Make `count` rows, or fewer, up to a position where a formula has no value."""
    try:
        return make(count)
    except FormulaError:
        least, most = 0, count  # so many can be made, so many cannot
    while most - least > 1:
        middle = (least + most) // 2
        try:
            make(middle)
            least = middle
        except FormulaError:
            most = middle
    return make(max(least, 1))[:least]


def _position_signatures(scheme: PositionalScheme, first: int, count: int) -> Tensor:
    """Return the position rows and the rotated all-ones queries and keys of some positions: (count, width)."""
    parts = []
    if "embedding" in scheme.acts_on:
        parts.append(scheme.position_table(count, offset=first))
    if "query_key" in scheme.acts_on:
        ones = torch.ones(scheme.n_heads, count, scheme.head_dim, dtype=torch.float64)
        turned = [part.transpose(0, 1).flatten(1) for part in scheme.rotate(ones, ones, offset=first)]
        parts += turned if scheme.causal_only else turned[:1]
    return torch.cat(parts, dim=1)


def _last_logits(scheme: PositionalScheme, count: int, seed: int) -> Tensor:
    """Return logits of one query at the end with the same key everywhere, (pairs, n_heads, count), nearest first."""
    pairs = _random_tokens(scheme, 2 * _PAIRS, seed).view(2, _PAIRS, 1, -1).expand(-1, -1, count, -1)
    found = []
    for query, key in zip(*pairs, strict=True):  # one at a time: each makes a matrix of all pairs
        q, k = (split_heads(scheme.encode(rows)[None], scheme.n_heads)[0] for rows in (query, key))
        found.append(scheme.scores(q, k)[:, -1].flip(-1))
    return torch.stack(found)


def _distinct_distances(scheme: PositionalScheme, trained: int, seed: int) -> tuple[int, ...]:
    """Count for each head the distances, from 0 on, that differ from the one before."""
    count = min(trained, _LONGEST_MATRIX, _count_rows(scheme) or FARTHEST)
    logits = _defined_rows(lambda n: _last_logits(scheme, n, seed).transpose(0, 2), count)  # (count, n_heads, pairs)
    steps = logits.diff(dim=0).square().mean(-1).sqrt().T  # (n_heads, count - 1)
    apart = steps >= MIN_LOGIT_STEP
    return tuple(int(row.long().cumprod(0).sum()) + 1 for row in apart)


def _first_equal_pair(signatures: Tensor) -> tuple[int, int] | None:
    """Return the first two equal rows: the later one least, the earlier one least."""
    near = _SAME * float(signatures.abs().max())
    # Rows that are the same lie together along any line: along a random one hardly any others do.
    line = torch.randn(signatures.shape[1], dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    places = signatures @ (line / line.norm())
    order = places.argsort(stable=True)
    apart = places[order].diff() > near * signatures.shape[1] ** 0.5
    group = torch.cat([torch.zeros(1, dtype=torch.long), apart.long().cumsum(0)])
    best: tuple[int, int] | None = None
    for members in torch.split(order, torch.bincount(group).tolist()):
        if len(members) < 2:
            continue
        left = members.sort().values
        while len(left) > 1 and (best is None or int(left[1]) < best[1]):
            same = (signatures[left[1:]] - signatures[left[0]]).abs().amax(1) <= near
            if bool(same.any()):
                later = int(left[1:][same][0])
                if best is None or (later, int(left[0])) < (best[1], best[0]):
                    best = (int(left[0]), later)
            left = left[1:][~same]
    return best


def _round_to_short_types(blocks: Iterable[Tensor]) -> tuple[tuple[Rounding, ...], int]:
    """Round rows, a block at a time, to each short type; return the roundings and the number of rows."""
    greatest, count = 0.0, 0
    merged: dict[torch.dtype, int | None] = {}
    overflow: dict[torch.dtype, int] = {}
    last: Tensor | None = None  # row of the block before
    for block in blocks:
        low, high = block.aminmax()
        most = torch.maximum(high, -low)
        greatest = max(greatest, float(most))
        neighbours = [(count, block)] if last is None else [(count - 1, torch.cat([last, block[:1]])), (count, block)]
        for dtype in _SHORT:
            if dtype not in overflow and not most.to(dtype).isfinite():
                overflow[dtype] = count + int((~block.to(dtype).isfinite().all(1)).nonzero()[0])
            for first, rows in neighbours:
                if dtype not in merged and (same := _first_merged_row(rows, dtype)) is not None:
                    both_infinite = not bool(rows[same].to(dtype).isfinite().all())
                    merged[dtype] = None if both_infinite else first + same
        last, count = block[-1:], count + len(block)
    names = {dtype: str(dtype).removeprefix("torch.") for dtype in _SHORT}
    return tuple(Rounding(names[dtype], greatest, merged.get(dtype), overflow.get(dtype)) for dtype in _SHORT), count


def _first_merged_row(rows: Tensor, dtype: torch.dtype) -> int | None:
    """Return the first row that becomes equal to the next by rounding; None where there is none."""
    column = rows[:, 0].to(dtype)
    near = (column[1:] == column[:-1]).nonzero()[:, 0]  # few: of the others the first column tells enough
    one, next_one = rows[near], rows[near + 1]
    same = (one.to(dtype) == next_one.to(dtype)).all(1) & (one != next_one).any(1)
    return int(near[same][0]) if bool(same.any()) else None


def _added_cost(scheme: PositionalScheme, seq_len: int) -> AddedCost:
    logits = scheme.n_heads * seq_len**2
    numbers = operations = 0
    if "embedding" in scheme.acts_on:
        numbers += seq_len * scheme.d_model
        operations += seq_len * scheme.d_model
    if "query_key" in scheme.acts_on:
        pairs = int(getattr(scheme, "rotary_dim", scheme.head_dim)) // 2
        numbers += 2 * seq_len * pairs  # a cosine and a sine
        operations += 2 * scheme.n_heads * seq_len * pairs * 6  # q and k: four products and two sums a pair
    if "score" in scheme.acts_on:
        numbers += logits
        operations += logits
    if "content" in scheme.acts_on:
        products = _PRODUCTS.get(scheme.name, 1)
        numbers += logits * products
        operations += logits * products * 2 * scheme.head_dim
    return AddedCost(seq_len, numbers, 2 * numbers, operations)
