"""Effect of a scheme on the rows of a text: it adds to them, rotates queries, or changes scores."""

import math
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal

import torch
from torch import Tensor
from torch.nn.functional import pad

from embedlib.positional import FormulaPositions, PositionalScheme
from ui import cache
from ui.cache import Request
from ui.cache.bounded import memo
from ui.components.embedding_matrix import Strip, matrix_strip
from ui.pipeline.request import HEADS
from ui.shared.schemes import scheme_or_class


@memo()
def sampled_strip(request: Request) -> Strip:
    """Draw the whole embedding matrix as a strip of its sampled rows."""
    return matrix_strip(cache.request_table(request))


@dataclass(frozen=True)
class Effect:
    """The tokens of a window row by row: before, what the scheme gives, and after; float32 on the CPU."""

    kind: Literal["adds", "turns", "scores"]
    before: Tensor  # (n_tokens, d_model) token rows, or (n_tokens, n_tokens) scores, 0 for keys after the query
    change: Tensor  # rows, angles from -π to π, or terms of scores
    after: Tensor
    # Of a rotation: columns from one of a pair to the other, and how many rotate.
    pairs: tuple[int, int] | None = field(default=None, kw_only=True)


def effect_kind(request: Request) -> Literal["adds", "turns", "scores"]:
    """Return where a request's scheme acts."""
    scheme = scheme_or_class(request.scheme, request.parameters)
    acts_on = scheme.acts_on
    if request.table == "by_hand" or not acts_on - {"embedding"}:
        return "adds"
    if isinstance(scheme, FormulaPositions):
        return "turns" if "turn" in scheme.trees and "score" not in acts_on else "scores"
    return "turns" if hasattr(scheme, "angles") else "scores"


@memo(64_000_000)
def compute_effect(request: Request, first: int, stop: int) -> Effect:
    """Compute a scheme's effect on the tokens of a window, with the token rows as queries and keys."""
    embeddings, kind = cache.embed_request(request), effect_kind(request)
    if kind == "adds":
        return Effect(
            kind,
            *(
                rows[first:stop]
                for rows in (embeddings.token_embeddings, embeddings.position_vectors, embeddings.input_embeddings)
            ),
        )
    if kind == "turns":
        scheme = cache.cached_scheme(request.scheme, request.d_model, 1, request.parameters)
        rows = embeddings.token_embeddings[None].to(scheme.device)  # (1, seq_len, d_model)
        angles, pairs = _angles(scheme, len(embeddings.tokens))
        parts = (rows[0], angles, scheme.rotate(rows, rows)[0][0])
        return Effect(kind, *(part[first:stop].float().cpu() for part in parts), pairs=pairs)
    scheme = scheme_in_view(request)
    heads = embeddings.token_embeddings[:stop].to(scheme.device).reshape(stop, scheme.n_heads, -1).transpose(0, 1)
    plain = (heads @ heads.transpose(-1, -2) * scheme.logit_scale())[0]
    scores = scheme.scores(heads, heads)[0]  # (stop, stop), -inf after the query
    added = scheme.bias(stop)[0] if "score" in scheme.acts_on else scores - plain
    return Effect(
        kind, *(part.tril()[first:, first:].cpu() for part in (plain, _zero_infinite(added), _zero_infinite(scores)))
    )


def scheme_in_view(request: Request) -> PositionalScheme:
    """Return the scheme, with heads where it changes scores: of one alone ALiBi's slope would be 1/256."""
    for n_heads in HEADS[:-1] if effect_kind(request) == "scores" else ():
        with suppress(ValueError):
            return cache.cached_scheme(request.scheme, request.d_model, n_heads, request.parameters)
    return cache.cached_scheme(request.scheme, request.d_model, 1, request.parameters)


def _zero_infinite(scores: Tensor) -> Tensor:
    return torch.where(scores.isinf(), 0.0, scores)


def _angles(scheme: Any, seq_len: int) -> tuple[Tensor, tuple[int, int]]:
    """Return the angle of every column from -π to π, 0 where it is not rotated, and which columns are pairs.

    Returns:
        (seq_len, d_model) angles; how many columns lie between the two of a pair, and how many columns are rotated.
    """
    by_head: Tensor = scheme.angles(seq_len)  # (seq_len, n_pairs), of one's own scheme (1, seq_len, n_pairs)
    angles = torch.remainder(by_head.flatten(0, -2) + math.pi, 2 * math.pi) - math.pi  # (seq_len, n_pairs)
    n_pairs, is_interleaved = angles.shape[-1], scheme.pairing == "interleaved"
    columns = angles.repeat_interleave(2, -1) if is_interleaved else torch.cat([angles, angles], -1)
    return pad(columns, (0, scheme.d_model - columns.shape[-1])), (1 if is_interleaved else n_pairs, 2 * n_pairs)
