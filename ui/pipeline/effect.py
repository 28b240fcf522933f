"""Effect of a scheme on the rows of a text: it adds to them, rotates queries, or changes scores."""

from contextlib import suppress

from embedlib.measures import Effect, EffectKind, effect_on_rows
from embedlib.measures import effect_kind as scheme_effect_kind
from embedlib.positional import PositionalScheme
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


def effect_kind(request: Request) -> EffectKind:
    """Return where a request's scheme acts."""
    if request.table == "by_hand":
        return "adds"
    return scheme_effect_kind(scheme_or_class(request.scheme, request.parameters))


@memo(64_000_000)
def compute_effect(request: Request, first: int, stop: int) -> Effect:
    """Compute a scheme's effect on the tokens of a window, with the token rows as queries and keys."""
    embeddings, kind = cache.embed_request(request), effect_kind(request)
    if kind != "adds":
        return effect_on_rows(scheme_in_view(request), embeddings.token_embeddings, first, stop)
    rows = (embeddings.token_embeddings, embeddings.position_vectors, embeddings.input_embeddings)
    return Effect(kind, *(part[first:stop] for part in rows))


def scheme_in_view(request: Request) -> PositionalScheme:
    """Return the scheme, with heads where it changes scores: of one alone ALiBi's slope would be 1/256."""
    for n_heads in HEADS[:-1] if effect_kind(request) == "scores" else ():
        with suppress(ValueError):
            return cache.cached_scheme(request.scheme, request.d_model, n_heads, request.parameters)
    return cache.cached_scheme(request.scheme, request.d_model, 1, request.parameters)
