"""What each scheme does with two sentences, computed once for each request, as CSV and as a program."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st
import torch
from torch import Tensor

from embedlib.embedding import lookup
from embedlib.positional import SCHEMES, PositionalScheme
from embedlib.programs import order_program
from embedlib.texts import matched_tokens, shared_rows
from embedlib.tokenizers import Token
from embedlib.transformer import pooled, relative_change
from ui import cache
from ui.cache.bounded import memo
from ui.components.browser import comes_near
from ui.export import lines_csv, readable
from ui.i18n import _
from ui.settings import state
from ui.shared.schemes import changed_parameters, is_untrained
from ui.word_order.request import MAX_TOKENS, Request, all_tokens, both_texts


@dataclass(frozen=True)
class Result:
    """What one scheme does with the two sentences.

    Attributes:
        scheme: name in SCHEMES.
        shared: how many input rows, positions included, both sentences have.
        change: of the encoder's output, as `relative_change` returns it; None where the scheme needs the causal mask.
        untrained: whether the scheme has random weights in place of trained ones.
    """

    scheme: str
    shared: int
    change: float | None
    untrained: bool


@memo()
def tokens_of(request: Request) -> tuple[list[Token], list[Token]]:
    """Return the tokens of both sentences, at most MAX_TOKENS each."""
    first, second = all_tokens(request)
    return first[:MAX_TOKENS], second[:MAX_TOKENS]


@memo()
def rows_of(request: Request) -> tuple[Tensor, Tensor]:
    """Return the token rows of both sentences, (n_tokens, d_model) each, on the CPU."""
    if request.table == "trained":
        table, _known = cache.trained_of(request.cut, both_texts(request), request.seed)
    else:
        tokenizer = cache.tokenizer_for(request.cut, both_texts(request))
        table = cache.table_of(tokenizer.vocab_size, request.d_model, request.seed)
    first, second = (
        lookup(table, torch.tensor([token.id for token in tokens], device=table.device)).cpu()
        for tokens in tokens_of(request)
    )
    return first, second


@memo()
def trained_tokens(request: Request) -> list[bool]:
    """Tell which tokens of the first sentence, and then of the second, have trained rows."""
    _table, known = cache.trained_of(request.cut, both_texts(request), request.seed)
    known_tokens: list[bool] = known[[token.id for tokens in tokens_of(request) for token in tokens]].tolist()
    return known_tokens


@memo()
def row_names(request: Request) -> tuple[list[int], list[int]]:
    """Return a number for each token of both sentences; "The" and " the" have one trained row, and one number."""
    first, second = rows_of(request)
    _rows, numbers = torch.unique(torch.cat([first, second]), dim=0, return_inverse=True)
    return numbers[: len(first)].tolist(), numbers[len(first) :].tolist()


@memo()
def result_of(request: Request, scheme: str, parameters: tuple[tuple[str, Any], ...]) -> Result | None:
    """Compute one scheme's result; None where the scheme does not fit these sizes."""
    try:
        positions = cache.scheme_of(scheme, request.d_model, request.heads, parameters)
    except ValueError:
        return None
    first, second = (rows.to(positions.device) for rows in rows_of(request))
    with torch.no_grad():
        shared = shared_rows(positions.encode(first), positions.encode(second))
    return Result(scheme, shared, _change(request, positions), is_untrained(positions))


def _change(request: Request, positions: PositionalScheme) -> float | None:
    if positions.causal_only and not request.causal:
        return None
    first, second = (
        pooled(rows, positions, seed=request.seed, n_layers=request.layers, causal=request.causal)
        for rows in rows_of(request)
    )
    return relative_change(first, second)


@memo()
def matched(request: Request) -> list[tuple[int, int]]:
    """Pair the tokens that both sentences hold, by their rows."""
    return matched_tokens(*row_names(request))


def same_bag(request: Request) -> bool:
    """Tell whether the two sentences hold the same tokens."""
    return len(matched(request)) == max(len(tokens) for tokens in tokens_of(request))


def identical(request: Request) -> bool:
    """Tell whether the two sentences are the same, token by token."""
    first, second = row_names(request)
    return first == second


def all_results(request: Request) -> dict[str, Result | None]:
    """Compute every scheme's result, with the parameters that it is set to."""
    return {name: result_of(request, name, tuple(state.scheme_parameters(name).items())) for name in SCHEMES}


def mask_changes(request: Request) -> dict[tuple[int, bool], float | None]:
    """Compute the change without positions, by layers and whether there is the mask."""
    results = {
        (layers, causal): result_of(replace(request, layers=layers, causal=causal), "none", ())
        for causal in (False, True)
        for layers in (1, 2)
    }
    return {key: None if result is None else result.change for key, result in results.items()}


def is_reversed(request: Request) -> bool:
    """Tell whether the second sentence is the first one backwards, and something moved."""
    first, second = row_names(request)
    return first == second[::-1] and first != second


def moves_csv(first: Sequence[Token], second: Sequence[Token], pairs: Sequence[tuple[int, int]]) -> str:
    """Write one line per token: id, text, bytes in hex, position in each text, empty where it is not there."""
    there = dict(pairs)
    in_first = [[*_token(token), position, there.get(position, "")] for position, token in enumerate(first)]
    paired = set(there.values())
    alone = [[*_token(token), "", position] for position, token in enumerate(second) if position not in paired]
    return lines_csv(["token_id", "token", "bytes", "first", "second"], [*in_first, *alone])


def changes_csv(results: Mapping[str, Result]) -> str:
    """Write one line per scheme: input rows that both texts have, relative change of the output."""
    lines = ([name, result.shared, result.change] for name, result in results.items())
    return lines_csv(["scheme", "rows_in_both", "relative_change"], lines)


def mask_csv(changes: Mapping[tuple[int, bool], float | None]) -> str:
    """Write one line per encoder without positions: layers, 1 for the causal mask, relative change."""
    lines = ([layers, int(causal), change] for (layers, causal), change in changes.items())
    return lines_csv(["layers", "causal", "relative_change"], lines)


def _token(token: Token) -> list[object]:
    """A token's id, text and bytes."""
    return [token.id, readable(token.bytes), token.bytes.hex(" ")]


def show_code(request: Request) -> None:
    """Show the program that prints the page's numbers."""
    st.header(_("Code"))
    if comes_near("order-code", height=820):
        st.code(program(request), language="python", wrap_lines=True)


def program(request: Request) -> str:
    """Write the program that prints the change of every scheme that there is one for."""
    changed = {}
    for name, result in all_results(request).items():
        if result is not None and result.change is not None:
            given = tuple(state.scheme_parameters(name).items())
            changed[name] = changed_parameters(cache.scheme_of(name, request.d_model, request.heads, given))
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
        max_tokens=MAX_TOKENS,
    )
