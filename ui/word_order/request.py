"""The settings of the word order page, read from its controls and checked against each other."""

from dataclasses import dataclass

import streamlit as st

from embedlib.tokenizers import Token
from ui import cache
from ui.i18n import _
from ui.settings import controls, rules, state
from ui.shared.rows import rows_control, rows_shown
from ui.shared.text.prepared import PreparedText, token_limit_notice

MAX_TOKENS = 32


@dataclass(frozen=True)
class Request:
    """Everything that decides the numbers of the page but the scheme, in plain hashable values.

    Its `table` is "random", or "trained" where d_model is the trained width.
    """

    first: str
    second: str
    cut: str
    table: str
    d_model: int
    heads: int
    seed: int
    layers: int
    causal: bool


def settings_sidebar() -> None:
    """Draw the controls that decide how the two sentences are read."""
    with st.sidebar:
        st.subheader(_("Tokens"))
        titles = controls.tokenizer_titles()
        st.selectbox(
            _("Tokenizer"),
            state.options("cut"),
            key="cut",
            format_func=lambda name: titles.get(name, name),
            help=_("Whole words keep the bag of tokens when they change places; pieces that hold a space need not."),
            on_change=state.dismiss_notices,
        )
        rows_control(by_hand=False, cutter="cut")
        st.subheader(_("Sizes"))
        controls.d_model_control()
        controls.heads_control()
        controls.seed_control()


def encoder_controls() -> None:
    """Draw the switch of the mask and the choice of the depth, beside what they change."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="large"):
        st.segmented_control(
            _("Layers"), state.options("layers"), key="layers", required=True, on_change=state.dismiss_notices
        )
        st.toggle(
            _("Causal mask"),
            key="causal",
            help=_("With it, each token sees itself and the tokens before it, as in GPT; without it all, as in BERT."),
            on_change=state.dismiss_notices,
        )


def checked_request(first: PreparedText, second: PreparedText) -> Request | None:
    """Gather a request from the controls, or show in one sentence why there is none."""
    for notice in (*first.notices, *second.notices):
        st.warning(notice)
    if not first.text.strip() or not second.text.strip():
        st.info(_("A sentence is empty: type two sentences, or choose a pair."))
        return None
    request = Request(
        first=first.text,
        second=second.text,
        table=rows_shown(by_hand=False, cutter="cut"),
        **{name: state.get(name) for name in ("cut", "d_model", "heads", "seed", "layers", "causal")},
    )
    for tokens in all_tokens(request):
        too_many = token_limit_notice(len(tokens), MAX_TOKENS)
        if too_many:
            st.warning(too_many)
    return request


def encoder_exists(request: Request) -> bool:
    """Tell whether there is an encoder of these sizes, or say in one sentence why there is none."""
    problem = rules.broken_scheme_rule("none", d_model=request.d_model, n_heads=request.heads)
    if problem:
        st.error(problem)
    return not problem


def all_tokens(request: Request) -> tuple[list[Token], list[Token]]:
    """Cut both sentences into tokens, with one vocabulary for the two."""
    tokenizer = cache.tokenizer_for(request.cut, both_texts(request))
    return tokenizer.tokenize(request.first), tokenizer.tokenize(request.second)


def both_texts(request: Request) -> str:
    """Return what the vocabulary is made from, where a tokenizer makes one."""
    return f"{request.first}\n{request.second}"
