"""Cached numbers of single schemes: a changed control recomputes only what depends on it.

Keyed on plain values, bounded, shared by all sessions, read-only.
"""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from embedlib.measures import (
    MEASURES,
    MeasureContext,
    Verdict,
    compute_measures,
    far_profile,
    pick_head,
    profile_or_none,
    relative_similarity,
    rotated_units,
    score_bias,
    text_content_term,
    verdict,
)
from embedlib.positional import FormulaError, PositionalScheme
from ui import cache
from ui.cache import Request
from ui.cache.bounded import memo


@dataclass(frozen=True)
class SchemeKey:
    """A scheme with its sizes, as a cache key.

    Attributes:
        name: key of SCHEMES, or "formula" for a user-written one.
        d_model: row width.
        n_heads: number of attention heads.
        parameters: of the scheme.
        own: parameters of its own in a comparison, as in a link; "" for those of all pages. For a user-written
            scheme its slot.
        title: of a user-written scheme: cached pictures of it must not be shared with another.
    """

    name: str
    d_model: int
    n_heads: int
    parameters: tuple[tuple[str, Any], ...]
    own: str = ""
    title: str = ""

    @property
    def entry(self) -> str:
        """The scheme with its own parameters, unique in a comparison."""
        return f"{self.name}:{self.own}" if self.own else self.name

    def scheme(self) -> PositionalScheme:
        """Return the scheme; raises ValueError if its sizes or parameters are incompatible."""
        return cache.cached_scheme(self.name, self.d_model, self.n_heads, self.parameters)


# Torch releases Python's lock for half of a measure's time, so that schemes are measured in parallel.
_measuring = ThreadPoolExecutor(max_workers=min(4, os.cpu_count() or 1), thread_name_prefix="measuring")


@memo()
def added_rows(key: SchemeKey, n_positions: int) -> Tensor:
    """Return the position rows that a scheme adds, (n_positions, d_model)."""
    return key.scheme().position_table(n_positions).detach().float().cpu()


@memo()
def scheme_rotations(key: SchemeKey, n_positions: int) -> Tensor:
    """Return the unit vectors rotated by a scheme, (n_positions, 2 · n_pairs)."""
    return rotated_units(key.scheme(), n_positions)


def bias(key: SchemeKey, n_positions: int, head: int) -> Tensor:
    """Return the term that a scheme adds to one head's causal logits, or the mean over heads for head -1."""
    return pick_head(_bias(key, n_positions), head)


def content_bias(key: SchemeKey, request: Request, n_positions: int, head: int) -> Tensor:
    """Return the term that a content-reading scheme adds to one head's causal logits on a text."""
    return pick_head(_content(key, request, n_positions), head)


@memo()
def similarity(key: SchemeKey, n_positions: int) -> Tensor | None:
    """Return the similarity of every pair of positions in units of distance 0; None if undefined."""
    scheme = key.scheme()
    matrix = relative_similarity(scheme, n_positions)
    if matrix is None or not scheme.causal_only:
        return matrix
    return hide_later_keys(matrix)


@memo()
def profile(key: SchemeKey, n_positions: int) -> Tensor | None:
    """Return the mean similarity by distance in the scheme's own unit; None if undefined."""
    return profile_or_none(key.scheme(), n_positions)


@memo()
def extrapolated_profile(key: SchemeKey, trained: int, length: int) -> Tensor | None:
    """Return the similarity by distance past the trained length, in units of distance 0; None if undefined."""
    try:
        return far_profile(key.scheme(), trained=trained, length=length)
    except FormulaError:  # a user-written scheme that fails at some length
        return None


def hide_later_keys(matrix: Tensor) -> Tensor:
    """Mask a (seq_len, seq_len) matrix of queries by keys: NaN where the key comes after the query."""
    return matrix.masked_fill(torch.ones_like(matrix, dtype=torch.bool).triu(1), torch.nan)


# All heads are cached together, so that another one is only selected: at 128 positions and 64 heads each takes 4 MB.
@memo(48_000_000)
def _bias(key: SchemeKey, n_positions: int) -> Tensor:
    return score_bias(key.scheme(), n_positions)


@memo(48_000_000)
def _content(key: SchemeKey, request: Request, n_positions: int) -> Tensor:
    return text_content_term(key.scheme(), filled_rows(request, n_positions), seed=request.seed)


def measures(keys: Sequence[SchemeKey], request: Request, n_positions: int) -> list[dict[str, float | None]]:
    """Compute all measures of several schemes on a text, by name; None where one is undefined.

    Measures that read no text stay cached after an edit. Schemes measured together share the text's context.
    """
    results = [_measures_on_text(key, request, n_positions) for key in keys]
    missing = [(key, result) for key, result in zip(keys, results, strict=True) if not result]
    if missing:
        shared = MeasureContext(n_positions, filled_rows(request, n_positions), request.seed)

        def measure(key: SchemeKey, result: dict[str, float | None]) -> None:
            _text_free_measures(key, n_positions, request.seed)
            result.update(
                compute_measures(key.scheme(), shared, [name for name in MEASURES if MEASURES[name].reads_text])
            )

        list(_measuring.map(measure, *zip(*missing, strict=True)))  # re-raises exceptions
    measured = []
    for key, result in zip(keys, results, strict=True):
        taken = result | _text_free_measures(key, n_positions, request.seed)
        measured.append({name: taken[name] for name in MEASURES})
    return measured


def text_free_measures(keys: Sequence[SchemeKey], n_positions: int, seed: int) -> list[dict[str, float | None]]:
    """Compute the measures that read no text, for several schemes."""
    return list(_measuring.map(lambda key: _text_free_measures(key, n_positions, seed), keys))


@memo()
def _measures_on_text(key: SchemeKey, request: Request, n_positions: int) -> dict[str, float | None]:
    """Return the cached dict for the measures that read the text, empty at first: callers fill it."""
    return {}


@memo()
def _text_free_measures(key: SchemeKey, n_positions: int, seed: int) -> dict[str, float | None]:
    """Compute the measures that read no text: rows of zeros stand in for it."""
    context = MeasureContext(n_positions, torch.zeros(n_positions, key.d_model), seed)
    return compute_measures(key.scheme(), context, [name for name in MEASURES if not MEASURES[name].reads_text])


@memo()
def scheme_verdict(key: SchemeKey, trained: int, seed: int) -> Verdict:
    """Judge a scheme by what it computes."""
    return verdict(key.scheme(), trained=trained, seed=seed)


@memo()
def filled_rows(request: Request, n_positions: int) -> Tensor:
    """Return a text's token rows, repeated or cut to n_positions."""
    rows = cache.embed_request(request).token_embeddings
    return rows[torch.arange(n_positions) % len(rows)]


@memo()
def last_angles(d_model: int, n_heads: int, parameters: tuple[tuple[str, Any], ...], length: int) -> Tensor:
    """Return the angle of each RoPE pair at the last of `length` positions, (n_pairs,) radians."""
    scheme = cache.cached_scheme("rope", d_model, n_heads, parameters)
    angles: Tensor = scheme.angles(length)  # type: ignore[operator]
    return angles[-1].cpu()
