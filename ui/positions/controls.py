"""The controls of the positions page, a description of the chosen scheme, and the program of its numbers."""

import re
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedlib.i18n import N_
from embedlib.measures import paired_columns
from embedlib.positional import FormulaPositions, PositionalScheme, RotaryPositions
from embedlib.programs import scheme_program
from ui import cache
from ui.cache.schemes import SchemeKey
from ui.embed import shared_controls
from ui.export import show_program
from ui.i18n import _, format_citation
from ui.positions.view import SchemeView
from ui.settings import controls, state
from ui.shared import rules
from ui.shared.model_scheme import apply_model_scheme, model_scheme_control
from ui.shared.own_scheme import show_scheme_problem
from ui.shared.page import page_lead, section
from ui.shared.scheme_controls import has_heads, parameter_controls, scheme_choice
from ui.shared.schemes import (
    Described,
    has_model_rows,
    is_untrained,
    missing_position_sentence,
    past_training_sentence,
    scheme_key,
    scheme_or_class,
    scheme_title,
    weights_sentence,
)
from ui.shared.text.prepared import prepare
from ui.shared.text.tokens import vocabulary_ready

ANY_SCHEME_HAS = (64, 1)  # d_model and heads
# Sections whose figures mark the position of the slider.
_MARKING = (
    "positions-waves",
    "positions-vectors",
    "positions-distances",
    "positions-circles",
    "positions-turned-circles",
    "positions-clocks",
    "positions-bias",
    "positions-content",
    "positions-terms",
    "positions-conventions",
    "positions-similarity",
)
_BETWEEN = re.compile(r",\s*\\q?quad\b")  # equations
# What the letters of a formula mean.
_FORMULA_SYMBOLS = {
    "none": N_("x: input row, p: position, t: token id, E: embedding matrix"),
    "learned": N_(
        "x: input row, p: position, t: token id, E: embedding matrix, P: matrix of L position rows with d numbers each"
    ),
    "sinusoidal": N_(
        "PE(p, 2i): number in dimension 2i of the row of position p, i: number of the pair of dimensions, d: number of "
        "dimensions, b: base (10,000)"
    ),
    "rope": N_(
        "m, n: positions of query q and key k, R: rotation by m (or n) times θ, θ: angle per position, i: number of "
        "the pair, b: base, qᵀk: product of q and k. The third equation says that of the two positions only the "
        "difference n − m counts."
    ),
    "alibi": N_(
        "logit: score before the softmax, m, n: positions of query q and key k, s: slope of head h, H: number of heads"
    ),
    "t5": N_("logit: score before the softmax, m, n: positions of query q and key k, b: learned numbers, h: head"),
}


def settings_sidebar() -> None:
    """Draw the controls that decide which scheme is shown, and how large."""
    apply_model_scheme()
    with st.sidebar:
        sizes = _sizes()
        scheme_choice(True, **sizes)
        controls.control("positions")
        with st.expander(_("More")):
            parameter_controls(state.get("scheme"), **sizes)
            controls.d_model_control()
            if has_heads(state.get("scheme")):
                controls.heads_control()
            model_scheme_control(lambda scheme: {"scheme": scheme.name, **scheme.values, **scheme.sizes})


def chosen_key() -> SchemeKey:
    """Return the scheme that the controls name, whether or not it exists in these sizes."""
    entry, sizes = state.get("scheme"), _sizes()
    key = scheme_key(entry, **sizes)
    own = f"weights={cache.fit_weights(key.name, **sizes, parameters=dict(key.parameters)).get('weights')}"
    return replace(key, own=own) if has_model_rows(f"{entry}:{own}") else key


def _sizes() -> dict[str, int]:
    return {
        "d_model": state.get("d_model"),
        "n_heads": state.get("heads") if has_heads(state.get("scheme")) else 1,
    }


def check_scheme(key: SchemeKey) -> bool:
    """Return whether the scheme exists in these sizes; else show in one sentence why not."""
    problem = rules.broken_scheme_rule(
        state.get("scheme"), d_model=key.d_model, n_heads=key.n_heads, n_positions=state.get("positions")
    )
    if problem:
        show_scheme_problem(problem, state.get("scheme"), instead=True)
    return not problem


def tokens_at_positions(n_positions: int) -> tuple[str, ...]:
    """Return the labels of the reader's tokens, from position 0 on; none where the tokenizer is not at hand."""
    text, tokenizer = prepare(state.get("text")).text, state.get("tokenizer")
    if not text or not vocabulary_ready(tokenizer):
        return ()
    try:
        tokens = cache.tokenize_text(text, tokenizer)
    except ValueError:  # a text without a word has no token for the tokenizer of words
        return ()
    return tuple(chip.label for chip in cache.token_chips(tokens[:n_positions], tokenizer))


def chosen_position(place: DeltaGenerator) -> int:
    """Draw the slider of the position that all figures mark, in a container; return its value."""
    last = state.get("positions") - 1
    if state.get("position") > last:
        st.warning(missing_position_sentence(state.get("position"), last + 1))
    shown = min(state.get("position"), last)
    with place, shared_controls("position", *_MARKING):
        return int(controls.control("position", st.slider, 0, last, value=shown))


def chosen_pairs(scheme: PositionalScheme) -> list[int]:
    """Draw the choice of column pairs; return at least one."""
    n_pairs = len(paired_columns(scheme)[0])
    valid = [pair for pair in state.get("pairs") if pair < n_pairs] or [0]
    controls.control("pairs", st.multiselect, range(n_pairs), max_selections=4, value=valid, on_change=_restore_a_pair)
    return valid


def _restore_a_pair() -> None:
    if not state.get("pairs"):
        state.set_local(pairs=[0])


def describe_scheme(key: SchemeKey) -> DeltaGenerator:
    """Show a scheme's name, summary and formula; return a container beside it for the slider."""
    scheme = scheme_or_class(key.entry)
    st.title(scheme_title(key.entry))
    page_lead()
    st.write(_(scheme.summary))
    formula, beside = st.columns([3, 2], gap="large", vertical_alignment="center")
    with formula:
        with st.container(key="formula"):
            if scheme is not FormulaPositions:  # one of the reader's own that cannot be made
                st.latex(_split_equations(_formula(key)))
        if symbols := _FORMULA_SYMBOLS.get(key.name):
            st.caption(_(symbols))
        if _counts_one_head(scheme) and key.d_model % key.n_heads == 0:
            sentence = _(
                "This page uses a small example: rows of {d_model} numbers and {heads} attention heads. So here d, "
                "the width of one head, is {d_model} / {heads} = {head_dim} dimensions."
            )
            st.caption(sentence.format(d_model=key.d_model, heads=key.n_heads, head_dim=key.d_model // key.n_heads))
    return beside


def weights_notice(key: SchemeKey, n_positions: int) -> None:
    """Show which weights are trained, or that they are random where a model would train them."""
    if sentence := weights_sentence(key.scheme(), n_positions):
        st.caption(sentence)
    if is_untrained(key.scheme()):
        count = sum(parameter.numel() for parameter in key.scheme().parameters())
        st.info(
            _("Nothing is trained here: the {count:,} parameters of this scheme are random.").format(count=count),
            icon=":material/casino:",
        )


def show_background(key: SchemeKey) -> None:
    """Show who uses a scheme, how it continues past its trained length, and its source."""
    scheme = scheme_or_class(key.entry)
    past = _("**In texts longer than in training:** {what}").format(what=past_training_sentence(scheme))
    if key.name == FormulaPositions.name:  # nobody's yet
        lines = [past] if isinstance(scheme, FormulaPositions) else []
    else:
        lines = [
            _("**Used by:** {models}").format(models=_(scheme.used_by)) if scheme.used_by else "",
            past,
            _("**Source:** {source}").format(source=format_citation(scheme.source)),
        ]
    st.markdown("  \n".join(line for line in lines if line))


def _counts_one_head(scheme: Described) -> bool:
    """Return whether the d of a scheme's formula is the width of a head, whose columns it rotates or compares."""
    return "query_key" in scheme.acts_on or any(root in scheme.formula for root in (r"\sqrt{d}", r"\sqrt{3d}"))


def _split_equations(formula: str) -> str:
    """Allow line breaks between equations, but not within one."""
    equations = _BETWEEN.split(formula)
    return r",}\allowbreak\quad{".join(equations).join("{}") if equations[1:] else formula


def _formula(key: SchemeKey) -> str:
    """Return the formula with the chosen parameters, in other sizes where these are impossible."""
    for sizes in ((key.d_model, key.n_heads), ANY_SCHEME_HAS):
        try:
            return cache.cached_scheme(key.name, *sizes, key.parameters).latex()
        except ValueError:
            continue
    return scheme_or_class(key.entry).formula


@section("positions-code", N_("Code"))
def show_code(view: SchemeView) -> None:
    """Show the program that prints the page's numbers."""
    source = scheme_program(
        view.key.scheme(),
        n_positions=view.n_positions,
        seed=view.seed,
        position=view.position,
        pairs=state.get("pairs"),
        head=min(state.get("term_head"), view.key.n_heads - 1),
        random=state.get("probe") == "random",
    )
    if isinstance(view.key.scheme(), RotaryPositions):
        n_positions = max(2, view.n_positions)
        query = min(view.position, n_positions - 1)
        call = f"two_hands(scheme, n_positions={n_positions}, query={query}, key={max(0, query - 5)})"
    else:
        call = "matrix(scheme)"
    show_program(source, "positions", f"from embedlib.widgets import {call.partition('(')[0]}\n{call}")
