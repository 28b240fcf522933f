"""The settings of the pipeline page, read from its controls and checked against each other."""

import streamlit as st

from embedlib.positional import SCHEMES
from ui import cache
from ui.cache import LEARNED_POSITIONS, Request
from ui.i18n import _
from ui.settings import controls, rules, state
from ui.shared.downloads import vocabulary_ready
from ui.shared.rows import rows_control, rows_shown
from ui.shared.text.prepared import MAX_TOKENS, no_tokens, token_limit_notice

HEADS = (4, 2, 1)  # of a scheme that changes scores: the first that divides d_model


def settings_sidebar() -> None:
    """Draw the controls that decide how a text is embedded: three in sight, the others behind "More"."""
    by_hand = state.get("table") == "by_hand"
    with st.sidebar:
        if not by_hand:
            controls.tokenizer_control()
        rows_control()
        if not by_hand:
            controls.scheme_choice(**_sizes())
        with st.expander(_("More")):
            if not by_hand:
                controls.parameter_controls(state.get("scheme"), **_sizes())
                controls.d_model_control()
                controls.seed_control()
            st.toggle(
                _("Scale rows by √d_model"),
                key="scale",
                help=_("As in Vaswani et al. 2017."),
                on_change=state.dismiss_notices,
            )


def _sizes() -> dict[str, int]:
    d_model = state.get("d_model")
    return {"d_model": d_model, "n_heads": next(heads for heads in HEADS if d_model % heads == 0)}


def checked_request(text: str) -> Request | None:
    """Gather a request from the controls, or show in one sentence why the text has no tokens.

    Args:
        text: prepared, not empty.

    Returns:
        A request whose tokens can be shown; whether the rest goes together, `broken_rule` tells. None where a sentence
        stands on the page instead.
    """
    tokenizer = "words" if state.get("table") == "by_hand" else state.get("tokenizer")
    if not vocabulary_ready(tokenizer):
        return None
    try:
        tokens = cache.tokens_of(text, tokenizer)
    except ValueError:  # the one text that is not empty and still has no token
        st.info(no_tokens())
        return None
    scheme = state.get("scheme")
    limit = MAX_TOKENS if SCHEMES[scheme].any_length else LEARNED_POSITIONS
    notice = token_limit_notice(len(tokens), limit)
    if notice:
        st.warning(notice)
    return Request(
        text=text,
        tokenizer=tokenizer,
        table=rows_shown(),
        d_model=3 if state.get("table") == "by_hand" else state.get("d_model"),
        seed=state.get("seed"),
        scale=state.get("scale"),
        scheme=scheme,
        parameters=tuple(state.scheme_parameters(scheme).items()),
        max_tokens=limit,
    )


def broken_rule(request: Request) -> str | None:
    """Say in one sentence why the tokens of a request cannot be embedded; None where they can."""
    if request.table == "by_hand":
        return rules.broken_by_hand_rule(cache.tokens_of(request.text, request.tokenizer))
    return rules.broken_scheme_rule(request.scheme, d_model=request.d_model, n_heads=1)
