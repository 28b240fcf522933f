"""Cached computations: keyed on plain values, bounded, shared by all sessions.

`ui.cache.bounded` has the cache. Cached tensors are read-only.
"""

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from embedlib import examples, tokenizers
from embedlib.components.chips import Chip, chips
from embedlib.device import Device, pick_device
from embedlib.embedding import embedding_table, lookup
from embedlib.figures import colour_limit
from embedlib.measures import has_similarity
from embedlib.pipeline import InputEmbeddings, embed_text
from embedlib.positional import SCHEMES, FormulaError, FormulaPositions, LearnedPositions, PositionalScheme, make_scheme
from embedlib.projection import SharedProjection, project_together
from embedlib.tokenizers import Token, Tokenizer, get_tokenizer
from embedlib.word2vec import TrainedTable, trained_rows, trained_table
from ui.cache.bounded import memo
from ui.cache.minilm import MINILM, cached_positions, minilm_table, minilm_tokenizer
from ui.cache.models import is_model_source, model_tokenizer

__all__ = [
    "LEARNED_POSITIONS",
    "Request",
    "by_hand_scheme",
    "cached_scheme",
    "device",
    "embed_request",
    "fit_weights",
    "formula_fault",
    "partly_trained_table",
    "picked_rows",
    "project_request",
    "random_table",
    "request_chips",
    "schemes",
    "shared_colour_limit",
    "shipped_table",
    "strip_key",
    "token_chips",
    "token_labels",
    "tokenize_text",
    "tokenizer_for",
    "trained_count",
    "trained_tokens",
    "vocabulary_spellings",
]

LEARNED_POSITIONS = 1_024  # as many as GPT-2 has

_table_making = threading.Lock()


@dataclass(frozen=True)
class Request:
    """All settings that determine the numbers of the pipeline page, as plain hashable values.

    Its `table` is "minilm" or "trained" where tokenizer and d_model are those of these rows, "random", or "by_hand".
    """

    text: str
    tokenizer: str
    table: str
    d_model: int
    seed: int
    scale: bool
    scheme: str
    parameters: tuple[tuple[str, Any], ...]
    max_tokens: int


@memo()
def device() -> Device:
    """Return the device that computes, chosen once."""
    return pick_device()


@memo()
def _fixed_tokenizer(name: str) -> Tokenizer:
    return get_tokenizer(name)


def _vocabulary_text(tokenizer: str, text: str) -> str:
    """Return the text if the tokenizer builds its vocabulary from it; else ""."""
    return text if tokenizer in ("characters", "words") else ""


def tokenizer_for(name: str, text: str) -> Tokenizer:
    """Return a tokenizer; those with a vocabulary built from the text are cheap and not cached."""
    if name in ("characters", "words"):
        return get_tokenizer(name, text=text)
    if name == "minilm":
        return minilm_tokenizer()
    if is_model_source(name):
        return model_tokenizer(name)
    return _fixed_tokenizer(name)


def vocabulary_spellings(tokenizer: str, token_ids: Iterable[int]) -> dict[int, str]:
    """Return tokens' spellings in the vocabulary of a tokenizer, by id; {} if it spells bytes."""
    from_text = tokenizer in ("characters", "words")
    return {} if from_text else tokenizers.vocabulary_spellings(tokenizer_for(tokenizer, ""), token_ids)


def token_chips(tokens: Sequence[Token], tokenizer: str) -> list[Chip]:
    """Describe all tokens of a text as chips, as their vocabulary spells them."""
    return chips(tokens, vocabulary_spellings(tokenizer, (token.id for token in tokens)))


@memo()
def tokenize_text(text: str, tokenizer: str) -> list[Token]:
    """Tokenize a text."""
    return tokenizer_for(tokenizer, text).tokenize(text)


# The largest, o200k_base x 1024, takes 819 MB; while it is made the previous tables are still cached.
@memo(1_500_000_000)
def random_table(vocab_size: int, d_model: int, seed: int) -> Tensor:
    """Return a random embedding matrix; one is made at a time, which takes 0.4 s for GPT-2's largest."""
    with _table_making:
        return embedding_table(vocab_size, d_model, seed=seed, device=device().device)


@memo()
def shipped_table() -> TrainedTable:
    """Return the trained embedding matrix that ships with the library."""
    return trained_table()


def _trained_key(tokenizer: str, text: str, seed: int, *, text_key: str = "") -> tuple[object, ...]:
    kept, known_as = (_vocabulary_text(tokenizer, part) for part in (("", text_key) if text_key else (text, "")))
    return tokenizer, kept, known_as, seed


# A table of the trained width and which of its rows are trained: 13 MB for gpt2, 51 MB for o200k_base.
@memo(200_000_000, key=_trained_key)
def partly_trained_table(tokenizer: str, text: str, seed: int, *, text_key: str = "") -> tuple[Tensor, Tensor]:
    """Return an embedding matrix with trained rows for the shipped table's words, and a mask of these rows.

    Args:
        tokenizer: name in TOKENIZERS, or "minilm".
        text: from which some tokenizers make their vocabulary.
        seed: of the untrained rows.
        text_key: identifies the text in the cache key, for texts too long to be one; "" to use the text itself.
    """
    with _table_making:
        return trained_rows(tokenizer_for(tokenizer, text), seed=seed, trained=shipped_table(), device=device().device)


def available_weights(name: str, chosen: str = MINILM) -> Mapping[str, Mapping[str, int]]:
    """Return the trained weights that a scheme can have, the best first, with the sizes each needs.

    Args:
        name: key of SCHEMES.
        chosen: a model that is among them where its position rows are at hand.
    """
    if name != LearnedPositions.name:
        return SCHEMES[name].WEIGHTS
    rows = {source: cached_positions(source) for source in (chosen, MINILM)}
    models = {source: {"d_model": table.shape[1]} for source, table in rows.items() if table is not None}
    return {**models, **SCHEMES[name].WEIGHTS}


def fit_weights(name: str, d_model: int, n_heads: int, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return a scheme's parameters, falling back to the next best weights if the chosen ones need other sizes."""
    chosen = parameters.get("weights", "random")
    if chosen == "random":
        return dict(parameters)
    sizes = {"d_model": d_model, "n_heads": n_heads, **parameters}
    weights = available_weights(name, chosen)
    from_chosen = list(weights)[list(weights).index(chosen) if chosen in weights else 0 :]
    fits = (one for one in from_chosen if all(sizes[size] == value for size, value in weights[one].items()))
    return {**parameters, "weights": next(fits, "random")}


def cached_scheme(name: str, d_model: int, n_heads: int, parameters: tuple[tuple[str, Any], ...]) -> PositionalScheme:
    """Return a positional scheme, falling back to the next best weights if the chosen ones need other sizes.

    Raises:
        ValueError: its sizes or parameters are incompatible; FormulaError for an invalid user-written scheme.
    """
    name = name.partition(":")[0]
    fitted = fit_weights(name, d_model, n_heads, dict(parameters))
    return _scheme(name, d_model, n_heads, tuple(fitted.items()))


@memo()
def _scheme(name: str, d_model: int, n_heads: int, parameters: tuple[tuple[str, Any], ...]) -> PositionalScheme:
    fitted = dict(parameters)
    rows = None if name != LearnedPositions.name else cached_positions(fitted["weights"])
    if rows is not None:
        learned = LearnedPositions.from_rows(rows, n_heads=n_heads)
        learned.parameter_values = {**learned.parameter_values, "weights": fitted["weights"]}
        return learned.requires_grad_(False)
    scheme = make_scheme(
        name, d_model=d_model, n_heads=n_heads, max_seq_len=LEARNED_POSITIONS, device=device().device, **fitted
    )
    return scheme.requires_grad_(False)


@memo()
def formula_fault(
    name: str, d_model: int, n_heads: int, parameters: tuple[tuple[str, Any], ...], n_positions: int
) -> FormulaError | None:
    """Return the error in a user-written scheme, evaluated at its first positions; None if there is none.

    Raises:
        ValueError: its sizes are incompatible.
    """
    try:
        scheme = cached_scheme(name, d_model, n_heads, parameters)
        if not isinstance(scheme, FormulaPositions):
            return None
        if has_similarity(scheme):
            scheme.similarity(n_positions)  # evaluates every line, including the bias of later keys
        if "score" in scheme.acts_on:
            scheme.bias(n_positions)
        if "embedding" in scheme.acts_on:
            scheme.position_table(n_positions)
        if "query_key" in scheme.acts_on:
            zeros = torch.zeros(n_heads, n_positions, scheme.head_dim, device=scheme.device)
            scheme.rotate(zeros, zeros)
    except FormulaError as error:
        return error.with_traceback(None)
    return None


@memo()
def by_hand_scheme() -> PositionalScheme:
    """Return the position rows of the hand-computed example as a scheme."""
    rows = examples.by_hand_positions()
    scheme = LearnedPositions(d_model=rows.shape[1], n_heads=1, max_seq_len=rows.shape[0])
    scheme.load_state_dict({"table": rows})
    return scheme.requires_grad_(False)


def request_table(request: Request) -> Tensor:
    """Return the whole embedding matrix of a request."""
    tokenizer = tokenizer_for(request.tokenizer, request.text)
    if request.table == "by_hand":
        words = [tokenizer.token_bytes(token_id).decode() for token_id in range(tokenizer.vocab_size)]
        return examples.by_hand_table(words)
    if request.table == "minilm":
        return minilm_table()
    if request.table == "trained":
        return partly_trained_table(request.tokenizer, request.text, request.seed)[0]
    return random_table(tokenizer.vocab_size, request.d_model, request.seed)


@memo()
def trained_tokens(request: Request) -> list[bool]:
    """Return for each token of the text whether its row is trained."""
    _, known = partly_trained_table(request.tokenizer, request.text, request.seed)
    return known[[chip.id for chip in request_chips(request)]].tolist()


def trained_count(request: Request) -> tuple[int, int]:
    """Return how many rows of the whole table are trained, and how many rows it has."""
    _, known = partly_trained_table(request.tokenizer, request.text, request.seed)
    return int(known.sum()), len(known)


@memo(64_000_000, size=lambda embeddings: 3 * embeddings.input_embeddings.nbytes)
def embed_request(request: Request) -> InputEmbeddings:
    """Compute the input embeddings of a text: on the device, returned on the CPU."""
    if request.table == "by_hand":
        scheme = by_hand_scheme()
    else:
        scheme = cached_scheme(request.scheme, request.d_model, 1, request.parameters)
    embeddings = embed_text(
        request.text,
        tokenizer=tokenizer_for(request.tokenizer, request.text),
        table=request_table(request),
        scheme=scheme,
        scale_by_sqrt_d=request.scale,
        max_tokens=request.max_tokens,
        device=device().device,
    )
    return embeddings.to(torch.device("cpu"))


@memo()
def project_request(request: Request) -> SharedProjection:
    """Project token rows and input rows onto shared principal axes."""
    embeddings = embed_request(request)
    return project_together(embeddings.token_embeddings, embeddings.input_embeddings, n_components=3)


@memo()
def picked_rows(request: Request, columns: int) -> Tensor:
    """Return the first columns of the tokens' rows of E, unscaled and without positions."""
    table = request_table(request)[:, :columns]
    return lookup(table, embed_request(request).token_ids.to(table.device)).cpu()  # (seq_len, columns)


@memo()
def request_chips(request: Request) -> list[Chip]:
    """Return the tokens of a request's text as chips."""
    return token_chips(tokenize_text(request.text, request.tokenizer), request.tokenizer)[: request.max_tokens]


def token_labels(request: Request) -> list[str]:
    """Return the chart label of each token."""
    return [chip.label for chip in request_chips(request)]


def strip_key(request: Request) -> Request:
    """Reduce a request to what its table depends on, so that an edit of the text reuses the cached strip."""
    text = _vocabulary_text(request.tokenizer, request.text)
    return replace(request, text=text, scale=False, scheme="", parameters=(), max_tokens=0)


@memo()
def shared_colour_limit(request: Request) -> float:
    """Return the limit of the colour scale shared by token rows, position rows and input rows."""
    rows = embed_request(request)
    return colour_limit(rows.token_embeddings, rows.position_vectors, rows.input_embeddings)
