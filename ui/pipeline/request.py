"""The settings of the pipeline page, read from its controls and checked against each other."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from ui import cache
from ui.cache import Request
from ui.i18n import _
from ui.settings import controls, links, state
from ui.shared import rules
from ui.shared.rows import are_compatible, rows_control
from ui.shared.scheme_controls import parameter_controls, scheme_choice
from ui.shared.schemes import scheme_or_class
from ui.shared.text.prepared import MAX_TOKENS
from ui.shared.text.tokens import tokens_or_notice

_DECIDING = ("tokenizer", "table", "d_model", "seed", "scale", "scheme")
HEADS = (4, 2, 1)  # of a scheme that changes scores: the first that divides d_model


def settings_sidebar() -> None:
    """Draw the controls that decide how a text is embedded: three in sight, the others behind "More"."""
    by_hand = state.get("table") == "by_hand"
    with st.sidebar:
        if not by_hand:
            controls.tokenizer_control()
        rows_control()
        if not by_hand:
            scheme_choice(**_sizes())
        with st.expander(_("More")):
            if not by_hand:
                parameter_controls(state.get("scheme"), **_sizes())
                controls.d_model_control()
                controls.seed_control()
            controls.control(
                "scale",
                help=_(
                    "Multiplies the token rows by the square root of d_model before the positions are added, so that "
                    "these do not drown them (Vaswani et al. 2017)."
                ),
            )


def _sizes() -> dict[str, int]:
    d_model = state.get("d_model")
    return {"d_model": d_model, "n_heads": next(heads for heads in HEADS if d_model % heads == 0)}


def checked_request(text: str) -> Request | None:
    """Build a request from the controls, or show in one sentence why the text has no tokens.

    Args:
        text: prepared, not empty.

    Returns:
        A request whose tokens can be shown; `broken_rule` checks the other settings. None where a sentence
        is shown instead.
    """
    values = {name: state.get(name) for name in _DECIDING}
    request = build_request(text, values, state.scheme_parameters(values["scheme"]))
    tokenize = partial(cache.tokenize_text, text, request.tokenizer)
    tokens = tokens_or_notice(tokenize, tokenizer=request.tokenizer, limit=request.max_tokens)
    return None if tokens is None else request


def linked_request(query: Mapping[str, str]) -> Request:
    """Return the request of the page that a link opens, before there is a session.

    Args:
        query: of the link, names and values; without any, that of the page as it opens.
    """
    values = links.linked_values(query)
    return build_request(values["text"], values, state.scheme_parameters(values["scheme"], values))


def build_request(text: str, values: Mapping[str, Any], parameters: Mapping[str, Any]) -> Request:
    """Build a request from settings.

    Args:
        text: prepared.
        values: of the settings in _DECIDING.
        parameters: of the scheme.
    """
    table, tokenizer, d_model = values["table"], values["tokenizer"], values["d_model"]
    by_hand = table == "by_hand"
    return Request(
        text=text,
        tokenizer="words" if by_hand else tokenizer,
        table=table if by_hand or are_compatible(table, tokenizer, d_model) else "random",
        d_model=3 if by_hand else d_model,
        seed=values["seed"],
        scale=values["scale"],
        scheme=values["scheme"],
        parameters=tuple(parameters.items()),
        max_tokens=most_tokens(values["scheme"], d_model, parameters),
    )


def most_tokens(scheme: str, d_model: int, parameters: Mapping[str, Any]) -> int:
    """Return how many tokens of a text are shown: no more than a scheme has positions."""
    if scheme_or_class(scheme, ()).any_length:
        return MAX_TOKENS
    return cache.cached_scheme(scheme, d_model, 1, tuple(parameters.items())).max_seq_len


def is_bert(request: Request) -> bool:
    """Return whether token rows and position rows are those that MiniLM adds."""
    weights = cache.fit_weights(request.scheme, request.d_model, 1, dict(request.parameters)).get("weights")
    return request.table == "minilm" and weights == "minilm" and not request.scale


def broken_rule(request: Request) -> str | None:
    """Return a sentence on why the tokens of a request cannot be embedded; None where they can."""
    if request.table == "by_hand":
        return rules.broken_by_hand_rule(cache.tokenize_text(request.text, request.tokenizer))
    n_positions = min(len(cache.tokenize_text(request.text, request.tokenizer)), request.max_tokens)
    return rules.broken_scheme_rule(request.scheme, d_model=request.d_model, n_heads=1, n_positions=n_positions)
