"""Cached numbers of single schemes: where one control changes, only what depends on it is computed again.

Everything is keyed on plain values, bounded, shared by all sessions, and only read by whoever receives it.
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
    content_on_rows,
    far_profile,
    pick_head,
    profile_or_none,
    relative_similarity,
    rotated_units,
    score_bias,
    take,
    verdict,
)
from embedlib.positional import FormulaError, PositionalScheme
from embedlib.transformer import attention_pattern
from ui import cache
from ui.cache import Request
from ui.cache.bounded import memo


@dataclass(frozen=True)
class SchemeKey:
    """A scheme in its sizes.

    Attributes:
        name: key of SCHEMES, or "formula" for one of the reader's own.
        d_model: row width.
        n_heads: number of attention heads.
        parameters: of the scheme.
        own: settings of its own in a comparison, as its link writes them; "" for those of all pages. Which one it is,
            where it is the reader's own.
        title: that its author gave it, where it is the reader's own: pictures of it must not be found by another.
    """

    name: str
    d_model: int
    n_heads: int
    parameters: tuple[tuple[str, Any], ...]
    own: str = ""
    title: str = ""

    @property
    def entry(self) -> str:
        """The scheme, with settings of its own: what tells it from all others in a comparison."""
        return f"{self.name}:{self.own}" if self.own else self.name

    def scheme(self) -> PositionalScheme:
        """Return the scheme; ValueError where its sizes or parameters do not go together."""
        return cache.scheme_of(self.name, self.d_model, self.n_heads, self.parameters)


# Half the time of a measure torch lets other threads run Python, so that two schemes are measured side by side.
_measuring = ThreadPoolExecutor(max_workers=min(4, os.cpu_count() or 1), thread_name_prefix="measuring")


@memo()
def added_rows(key: SchemeKey, n_positions: int) -> Tensor:
    """Return the rows that a scheme adds, (n_positions, d_model)."""
    return key.scheme().position_table(n_positions).detach().float().cpu()


@memo()
def turned(key: SchemeKey, n_positions: int) -> Tensor:
    """Return where a scheme turns unit vectors, (n_positions, 2 · n_pairs)."""
    return rotated_units(key.scheme(), n_positions)


def bias(key: SchemeKey, n_positions: int, head: int) -> Tensor:
    """Return what a scheme adds to one head's causal logits, or to their mean for head -1."""
    return pick_head(_bias(key, n_positions), head)


def content(key: SchemeKey, request: Request, n_positions: int, head: int) -> Tensor:
    """Return what a scheme that reads content adds to one head's causal logits on a text."""
    return pick_head(_content(key, request, n_positions), head)


@memo()
def similarity(key: SchemeKey, n_positions: int) -> Tensor | None:
    """Return the similarity of any two positions in units of distance 0; None where it is not defined."""
    scheme = key.scheme()
    matrix = relative_similarity(scheme, n_positions)
    if matrix is None or not scheme.causal_only:
        return matrix
    return hide_later_keys(matrix)


@memo()
def profile(key: SchemeKey, n_positions: int) -> Tensor | None:
    """Return the mean similarity by distance in the scheme's own unit; None where it is not defined."""
    return profile_or_none(key.scheme(), n_positions)


@memo()
def far(key: SchemeKey, trained: int, length: int) -> Tensor | None:
    """Return the similarity by distance past the trained length, in units of distance 0; None where there is none."""
    try:
        return far_profile(key.scheme(), trained=trained, length=length)
    except FormulaError:  # one of the reader's own that ends on the way
        return None


def attention(key: SchemeKey, request: Request, head: int) -> Tensor:
    """Return where each token of a text looks, by random weights that are the same for every scheme."""
    pattern = pick_head(_attention(key, request), head)
    return hide_later_keys(pattern)


def hide_later_keys(matrix: Tensor) -> Tensor:
    """Return a matrix of queries by keys, (seq_len, seq_len), with NaN where the key comes after the query."""
    return matrix.masked_fill(torch.ones_like(matrix, dtype=torch.bool).triu(1), torch.nan)


# All heads are kept together, so that another one is only picked: at 128 positions and 64 heads each takes 4 MB.
@memo(48_000_000)
def _bias(key: SchemeKey, n_positions: int) -> Tensor:
    return score_bias(key.scheme(), n_positions)


@memo(48_000_000)
def _content(key: SchemeKey, request: Request, n_positions: int) -> Tensor:
    return content_on_rows(key.scheme(), filled_rows(request, n_positions), seed=request.seed)


@memo(48_000_000)
def _attention(key: SchemeKey, request: Request) -> Tensor:
    scheme = key.scheme()
    rows = cache.embedded(request).token_embeddings.to(scheme.device)
    return attention_pattern(scheme, rows, seed=request.seed).float().cpu()  # (n_heads, seq_len, seq_len)


def measures(keys: Sequence[SchemeKey], request: Request, n_positions: int) -> list[dict[str, float | None]]:
    """Take every measure of several schemes on one text, each by its name; None where it is not defined.

    What reads no text is found again after an edit. Schemes that are measured on a text together share what they read.
    """
    places = [_measures_on_text(key, request, n_positions) for key in keys]
    missing = [(key, place) for key, place in zip(keys, places, strict=True) if not place]
    if missing:
        shared = MeasureContext(n_positions, filled_rows(request, n_positions), request.seed)

        def measure(key: SchemeKey, place: dict[str, float | None]) -> None:
            _measures_by_itself(key, n_positions, request.seed)
            place.update(take(key.scheme(), shared, [name for name in MEASURES if MEASURES[name].reads_text]))

        list(_measuring.map(measure, *zip(*missing, strict=True)))  # raises what one of them raises
    measured = []
    for key, place in zip(keys, places, strict=True):
        taken = place | _measures_by_itself(key, n_positions, request.seed)
        measured.append({name: taken[name] for name in MEASURES})
    return measured


def measures_without_text(keys: Sequence[SchemeKey], n_positions: int, seed: int) -> list[dict[str, float | None]]:
    """Take the measures of several schemes that read no text, as `measures` does."""
    return list(_measuring.map(lambda key: _measures_by_itself(key, n_positions, seed), keys))


@memo()
def _measures_on_text(key: SchemeKey, request: Request, n_positions: int) -> dict[str, float | None]:
    """Return the place of what reads the text, empty at first: what schemes share while they fill it is not kept."""
    return {}


@memo()
def _measures_by_itself(key: SchemeKey, n_positions: int, seed: int) -> dict[str, float | None]:
    """Take the measures that read no text, and hence may have rows of zeros."""
    context = MeasureContext(n_positions, torch.zeros(n_positions, key.d_model), seed)
    return take(key.scheme(), context, [name for name in MEASURES if not MEASURES[name].reads_text])


@memo()
def verdict_of(key: SchemeKey, trained: int, seed: int) -> Verdict:
    """Judge a scheme by what it computes."""
    return verdict(key.scheme(), trained=trained, seed=seed)


@memo()
def filled_rows(request: Request, n_positions: int) -> Tensor:
    """Return a text's token rows, repeated or cut to n_positions of them."""
    rows = cache.embedded(request).token_embeddings
    return rows[torch.arange(n_positions) % len(rows)]


@memo()
def reach(d_model: int, n_heads: int, parameters: tuple[tuple[str, Any], ...], length: int) -> Tensor:
    """Return how far each pair of RoPE's columns is turned at the last of `length` positions, (n_pairs,) radians."""
    scheme = cache.scheme_of("rope", d_model, n_heads, parameters)
    angles: Tensor = scheme.angles(length)  # type: ignore[operator]
    return angles[-1].cpu()
