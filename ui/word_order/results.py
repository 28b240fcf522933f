"""Results of each scheme on two sentences, cached by request, with their CSV and program."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from embedlib.contextual import Positions, order_cosine
from embedlib.embedding import lookup
from embedlib.i18n import N_
from embedlib.positional import PositionalScheme, with_cache
from embedlib.programs import order_program
from embedlib.texts import matched_tokens, shared_rows
from embedlib.tokenizers import Token
from embedlib.transformer import Layer, cast_copy, pooled_vectors, random_layers, relative_change
from ui import cache
from ui.cache.bounded import memo
from ui.cache.minilm import minilm_table, opens_with_minilm
from ui.export import Lines, show_program
from ui.i18n import number
from ui.settings import OWN_ENTRIES, state
from ui.shared.opened_model import OpenedModel, running
from ui.shared.page import section
from ui.shared.schemes import available_schemes, changed_parameters, file_name, is_untrained
from ui.word_order.request import MAX_TOKENS, Request, all_tokens, both_texts

Parameters = tuple[tuple[str, Any], ...]  # of a scheme, name and value each
Given = tuple[tuple[str, Parameters], ...]  # schemes, names in SCHEMES
Masks = bool | tuple[bool, ...]  # whether there is the causal mask, for all schemes or for each
MOST_LAYERS = 2
# A change in float32 was within 1.2e-6 of the exact one in 4,300 trials; one that this much could write otherwise is
# recomputed in float64.
DOUBT = 5e-6


@dataclass(frozen=True)
class Result:
    """Result of one scheme on the two sentences.

    Attributes:
        scheme: name in SCHEMES.
        shared: how many input rows, positions included, both sentences have.
        change: of the encoder's output, as `relative_change` returns it, true to the digits of `percent`; None where
            the scheme needs the causal mask.
        untrained: True if the scheme has random weights instead of trained ones.
    """

    scheme: str
    shared: int
    change: float | None
    untrained: bool


@memo()
def sentence_tokens(request: Request) -> tuple[list[Token], list[Token]]:
    """Return the tokens of both sentences, at most MAX_TOKENS each."""
    first, second = all_tokens(request)
    return first[:MAX_TOKENS], second[:MAX_TOKENS]


@memo()
def token_labels(request: Request) -> tuple[list[str], list[str]]:
    """Return the labels of both sentences' tokens."""
    first, second = (
        [chip.label for chip in cache.token_chips(tokens, request.cut)] for tokens in sentence_tokens(request)
    )
    return first, second


@memo()
def token_rows(request: Request) -> tuple[Tensor, Tensor]:
    """Return the token rows of both sentences, (n_tokens, d_model) each, on the CPU."""
    if request.table == "minilm":
        table = minilm_table()
    elif request.table == "trained":
        table, _known = cache.partly_trained_table(request.cut, both_texts(request), request.seed)
    else:
        tokenizer = cache.tokenizer_for(request.cut, both_texts(request))
        table = cache.random_table(tokenizer.vocab_size, request.d_model, request.seed)
    first, second = (
        lookup(table, torch.tensor([token.id for token in tokens], device=table.device)).cpu()
        for tokens in sentence_tokens(request)
    )
    return first, second


@memo()
def trained_tokens(request: Request) -> list[bool]:
    """Return whether each token of the first sentence, then of the second, has a trained row."""
    _table, known = cache.partly_trained_table(request.cut, both_texts(request), request.seed)
    known_tokens: list[bool] = known[[token.id for tokens in sentence_tokens(request) for token in tokens]].tolist()
    return known_tokens


@memo()
def row_names(request: Request) -> tuple[list[int], list[int]]:
    """Return a number for each token of both sentences; "The" and " the" have one trained row, and one number."""
    numbers: dict[bytes, int] = {}
    first, second = (
        [numbers.setdefault(row.tobytes(), len(numbers)) for row in rows.numpy()] for rows in token_rows(request)
    )
    return first, second


def n_positions(request: Request) -> int:
    """Return how many positions the longer sentence takes."""
    return max(len(tokens) for tokens in sentence_tokens(request))


@memo()
def compute_results(request: Request, given: Given, *, exact: bool = False) -> dict[str, Result | None]:
    """Compute the results of some schemes, together: what they share is computed once.

    Args:
        request: the two sentences, and the encoder.
        given: names in SCHEMES, each with its parameters.
        exact: whether changes are true to all digits.

    Returns:
        Each name with its result; None where the scheme does not fit these sizes.
    """
    schemes: dict[str, PositionalScheme | None] = {}
    for name, parameters in given:
        try:
            schemes[name] = cache.cached_scheme(name, request.d_model, request.heads, parameters)
            if cache.formula_fault(name, request.d_model, request.heads, parameters, n_positions(request)):
                schemes[name] = None
        except ValueError:
            schemes[name] = None
    fitting = {name: scheme for name, scheme in schemes.items() if scheme is not None}
    read = [name for name, scheme in fitting.items() if request.causal or not scheme.causal_only]
    chosen = tuple((name, parameters) for name, parameters in given if name in read)
    first, second = token_rows(request)
    changes = dict(
        zip(read, _relative_changes(request, chosen, request.layers, request.causal, exact=exact)[-1], strict=True)
    )
    as_they_are = shared_rows(first, second)
    results: dict[str, Result | None] = dict.fromkeys(schemes)
    for name, scheme in fitting.items():
        shared = as_they_are
        if "embedding" in scheme.acts_on:
            with torch.no_grad():
                shared = shared_rows(*(scheme.encode(rows.to(scheme.device)) for rows in (first, second)))
        results[name] = Result(name, shared, changes.get(name), is_untrained(scheme))
    return results


def percent(change: float) -> str:
    """Format a change other than 0 as a percentage."""
    return number(change, ".1%") if change >= 0.01 else number(max(change, 1e-4), ".2%")


def _relative_changes(
    request: Request, given: Given, n_layers: int, causal: Masks, *, exact: bool = False
) -> list[list[float]]:
    """Return the change after each layer under each scheme, true to the digits of `percent` unless it is to be exact.

    That is float32's, which takes half the time, where it cannot be written otherwise.
    """
    if exact:
        return _changes_in_dtype(torch.float64, request, given, n_layers, causal)
    quick = _changes_in_dtype(torch.float32, request, given, n_layers, causal)
    doubtful = [place for place, changes in enumerate(zip(*quick, strict=True)) if not all(map(_is_precise, changes))]
    if doubtful:
        masks = causal if isinstance(causal, bool) else tuple(causal[place] for place in doubtful)
        anew = _changes_in_dtype(torch.float64, request, tuple(given[place] for place in doubtful), n_layers, masks)
        for changes, exact_ones in zip(quick, anew, strict=True):
            for place, change in zip(doubtful, exact_ones, strict=True):
                changes[place] = change
    return quick


def _is_precise(change: float) -> bool:
    return change > DOUBT and percent(change - DOUBT) == percent(change + DOUBT)


def _changes_in_dtype(
    dtype: torch.dtype, request: Request, given: Given, n_layers: int, causal: Masks
) -> list[list[float]]:
    if not given:
        return [[] for _ in range(n_layers)]
    first, second = (_vectors(rows, dtype, request, given, n_layers, causal) for rows in token_rows(request))
    return [[relative_change(*pair) for pair in zip(*layer, strict=True)] for layer in zip(first, second, strict=True)]


def _vectors_key(
    rows: Tensor, dtype: torch.dtype, request: Request, given: Given, n_layers: int, causal: Masks
) -> Hashable:
    """Return what a sentence's vectors depend on: its own rows, and of the request the encoder alone."""
    return rows.numpy().tobytes(), dtype, request.d_model, request.heads, request.seed, given, n_layers, causal


@memo(key=_vectors_key)
def _vectors(rows: Tensor, dtype: torch.dtype, request: Request, given: Given, n_layers: int, causal: Masks) -> Tensor:
    """Return a sentence's vector after each layer under each scheme, (n_layers, n_schemes, d_model).

    The two sentences are cached separately: mostly only one of them changes.
    """
    schemes = [_scheme(name, dtype, request.d_model, request.heads, parameters) for name, parameters in given]
    layers = _layers(request.d_model, dtype, request.seed, n_layers)
    return pooled_vectors(rows, schemes, layers, seed=request.seed, causal=causal)


def output_vectors(request: Request, scheme: str) -> tuple[Tensor, Tensor]:
    """Return the encoder's outputs for both sentences, (d_model,) each, without differences that are rounding.

    They are computed with those of all other schemes, which the page shows too.
    """
    given = current_parameters()
    results = compute_results(request, given)
    read = tuple(one for one in given if (result := results[one[0]]) is not None and result.change is not None)
    place = [name for name, _parameters in read].index(scheme)
    first, second = (
        _vectors(rows, torch.float32, request, read, request.layers, request.causal)[-1, place]
        for rows in token_rows(request)
    )
    result = results[scheme]
    return (first, first) if result is not None and result.change == 0 else (first, second)


@memo(100_000_000)
def _layers(d_model: int, dtype: torch.dtype, seed: int, n_layers: int) -> list[Layer]:
    """Return the weights of layers, 9 MB each at d_model 384 in float64; the first is the same for any number.

    They are drawn in float32, once: that takes longer than to compute with them.
    """
    if dtype == torch.float32:
        return random_layers(n_layers, seed=seed, like=torch.empty(d_model))
    return [layer.to(dtype) for layer in _layers(d_model, torch.float32, seed, n_layers)]


@memo()
def _scheme(name: str, dtype: torch.dtype, d_model: int, heads: int, parameters: Parameters) -> PositionalScheme:
    """Return a scheme in the encoder's dtype, cached so that its position tables are computed once."""
    return with_cache(cast_copy(dtype, cache.cached_scheme(name, d_model, heads, parameters)))


@memo(key=lambda opened, text: (opened.key, text))
def minilm_tokens(opened: OpenedModel, text: str) -> tuple[int, ...]:
    """Return the ids of a sentence's tokens, special ones included."""
    return opened.model.tokens(text).token_ids


@memo(key=lambda opened, first, second: (opened.key, first, second))
def minilm_cosines(opened: OpenedModel, first: str, second: str) -> dict[str, float]:
    """Return the cosine of a trained model's vectors of two sentences, with each kind of positions."""
    with running:
        return {
            positions.kind: order_cosine(opened.model, first, second, positions)
            for positions in (Positions(), Positions("none"))
        }


@memo()
def matched_pairs(request: Request) -> list[tuple[int, int]]:
    """Pair the tokens that both sentences hold, by their rows."""
    return matched_tokens(*row_names(request))


def has_same_tokens(request: Request) -> bool:
    """Return whether the two sentences hold the same tokens."""
    return len(matched_pairs(request)) == max(len(tokens) for tokens in sentence_tokens(request))


def is_identical(request: Request) -> bool:
    """Return whether the two sentences are equal, token by token."""
    first, second = row_names(request)
    return first == second


def current_parameters() -> Given:
    """Return every scheme with its current parameters."""
    return tuple((name, tuple(state.scheme_parameters(name).items())) for name in available_schemes())


@memo()
def mask_changes(request: Request, *, exact: bool = False) -> dict[tuple[int, bool], float]:
    """Compute the change without positions, by layers and whether there is the mask; as `compute_results`."""
    masks, none = (False, True), ("none", ())
    by_layer = _relative_changes(request, (none, none), MOST_LAYERS, masks, exact=exact)
    return {
        (layers, causal): changes[place]
        for place, causal in enumerate(masks)
        for layers, changes in enumerate(by_layer, 1)
    }


def is_reversed(request: Request) -> bool:
    """Return whether the second sentence is the first one backwards, and differs from it."""
    first, second = row_names(request)
    return first == second[::-1] and first != second


def change_lines(request: Request, given: Given) -> Lines:
    """Return one line per scheme that fits: input rows that both texts have, relative change of the output."""

    def exact() -> list[list[object]]:
        found = compute_results(request, given, exact=True)
        return [[file_name(name), one.shared, one.change] for name, one in found.items() if one is not None]

    return Lines(["scheme", "rows_in_both", "relative_change"], exact)


def mask_lines(request: Request) -> Lines:
    """Return one line per encoder without positions: layers, 1 for the causal mask, relative change."""

    def exact() -> list[list[object]]:
        found = mask_changes(request, exact=True)
        return [[layers, int(causal), change] for (layers, causal), change in found.items()]

    return Lines(["layers", "causal", "relative_change"], exact)


@section("order-code", N_("Code"))
def show_code(request: Request) -> None:
    """Show the program that prints the page's numbers."""
    widget = """
from embedlib.widgets import matrix
matrix({"rows of the first": a, "rows of the second": b}, rows="token", columns="dimension")
"""
    show_program(program(request), "word_order", widget)


def program(request: Request) -> str:
    """Write the program that prints the change of every scheme that there is one for."""
    changed = {}
    for name, result in compute_results(request, current_parameters()).items():
        if result is not None and result.change is not None:
            given = tuple(state.scheme_parameters(name).items())
            changed[file_name(name)] = changed_parameters(
                cache.cached_scheme(name, request.d_model, request.heads, given)
            )
    return order_program(
        request.first,
        request.second,
        tokenizer=request.cut,
        table=request.table,
        d_model=request.d_model,
        n_heads=request.heads,
        seed=request.seed,
        n_layers=request.layers,
        causal=request.causal,
        schemes=changed,
        formulas=[name for name in map(file_name, OWN_ENTRIES) if name in changed],
        max_tokens=MAX_TOKENS,
        minilm=opens_with_minilm(),
    )
