"""Every scheme's outcome, the causal mask alone in one and two layers, and a trained model's cosines."""

import streamlit as st

from embedlib.i18n import N_
from embedlib.positional import SCHEMES
from ui.cache.minilm import minilm_model
from ui.export import Lines, save_table
from ui.i18n import _, ngettext, number, separator
from ui.settings import MINILM
from ui.shared import rules
from ui.shared.model_choice import Model, model_title
from ui.shared.opened_model import opened_model
from ui.shared.own_scheme import show_scheme_problem
from ui.shared.page import section, text_table
from ui.shared.schemes import scheme_or_class, scheme_title
from ui.word_order.request import Request
from ui.word_order.results import (
    Result,
    change_lines,
    compute_results,
    current_parameters,
    has_same_tokens,
    is_reversed,
    mask_changes,
    mask_lines,
    minilm_cosines,
    minilm_tokens,
    n_positions,
    percent,
    sentence_tokens,
)


def scheme_outcomes(request: Request) -> None:
    """Show under which schemes the output depends on the order, in a sentence and in a table."""
    st.header(_("Output by scheme"))
    given = current_parameters()
    results = compute_results(request, given)
    st.write(_summary(request, results))
    rows = _table(request, results)
    save_table("word-order-changes", _("Output by scheme"), rows, numbers=change_lines(request, given))
    text_table(rows, alt=_("Output by scheme"))
    encoder = _("Encoder with random weights: seed {seed}, heads: {heads}.").format(
        seed=request.seed, heads=request.heads
    )
    sizes = _("Random weights: do not rank schemes by these numbers.")
    st.caption(separator(" ").join([encoder, _pooling_sentence(request), sizes]))
    for name, result in results.items():
        if result is None:
            needed = 0 if name in SCHEMES else n_positions(request)
            rule = rules.broken_scheme_rule(name, d_model=request.d_model, n_heads=request.heads, n_positions=needed)
            if rule and name in SCHEMES:
                st.caption(rule)
            elif rule:
                show_scheme_problem(rule, name)


def format_change(change: float | None) -> str:
    """Format a change as a percentage, or why there is none, as markdown."""
    if change is None:
        return _("needs causal mask")
    if change == 0:
        return _("**unchanged**")
    return _("changes, {percent}").format(percent=percent(change))


def _summary(request: Request, results: dict[str, Result | None]) -> str:
    blind = [scheme_title(name) for name, result in results.items() if result is not None and result.change == 0]
    if not has_same_tokens(request):
        return _("The tokens differ: use the same ones to compare orders.")
    if not blind:
        return _("Every scheme changes the output.")
    sentence = _("**Same output for both orders:** {schemes}. {count} others change it.")
    changed = sum(bool(result and result.change) for result in results.values())
    sentence = sentence.format(schemes=separator(", ").join(blind), count=changed)
    if is_reversed(request) and len(blind) > 1:
        sentence += separator(" ") + _("Reversal keeps every distance: a bias by distance cannot detect it.")
    return sentence


def _pooling_sentence(request: Request) -> str:
    """Return a sentence on the vector that represents a sentence, which depends on the mask."""
    if request.causal:
        return _("Compared: the end row, which sees all tokens.")
    return _("Compared: the mean of output rows.")


def _table(request: Request, results: dict[str, Result | None]) -> dict[str, list[str]]:
    """Return what each scheme acts on and changes."""
    count = max(len(tokens) for tokens in sentence_tokens(request))
    places = {
        "embedding": _("rows"),
        "query_key": _("queries, keys"),
        "score": _("logits"),
        "content": _("logits by content"),
    }
    rows: dict[str, list[str]] = {_("Scheme"): [], _("Acts on"): [], _("Input rows"): [], _("Output"): []}
    scheme_cells, place_cells, row_cells, output_cells = rows.values()
    for name, result in results.items():
        untrained = result is not None and result.untrained
        scheme_cells.append(
            _("{scheme}, untrained").format(scheme=scheme_title(name)) if untrained else scheme_title(name)
        )
        place_cells.append(
            separator(", ").join(text for place, text in places.items() if place in scheme_or_class(name).acts_on)
            or "–"
        )
        row_cells.append("–" if result is None else _format_shared_rows(result.shared, count))
        output_cells.append("–" if result is None else format_change(result.change))
    return rows


def _format_shared_rows(shared: int, count: int) -> str:
    return _("same") if shared == count else _("{shared} of {count} same").format(shared=shared, count=count)


@section("order-mask", N_("Order without positions: the causal mask"))
def show_causal_mask(request: Request) -> None:
    """Show the encoder without positions four times: one and two layers, with and without the mask."""
    st.write(
        _(
            "With the mask, each row depends on the tokens before it. Through these rows, the end row depends on "
            "order from layer 2 on."
        )
    )
    changes = mask_changes(request)
    depths = {layers: ngettext("{count} layer", "{count} layers", layers).format(count=layers) for layers in (1, 2)}
    rows = {
        _("No positions"): list(depths.values()),
        _("No mask"): [format_change(changes[layers, False]) for layers in depths],
        _("Causal mask"): [format_change(changes[layers, True]) for layers in depths],
    }
    title = _("Order without positions: the causal mask")
    save_table("word-order-mask", title, rows, numbers=mask_lines(request))
    text_table(rows, alt=title)


@section("order-minilm", N_("A trained model: MiniLM"))
def show_trained_model(request: Request) -> None:
    """Show the cosine of MiniLM's vectors of both sentences, with its positions and without any."""
    opened = opened_model(Model(MINILM, MINILM, model_title(MINILM), minilm_model()), key="order-opening")
    if opened is None:
        return
    cosines = minilm_cosines(opened, request.first, request.second)
    first, second = (minilm_tokens(opened, text) for text in (request.first, request.second))
    if sorted(first) == sorted(second):
        st.write(_("Without positions both orders give the same vector, up to rounding."))
    else:
        st.write(_("The tokens differ: use the same ones to compare orders."))
    titles = {"as_trained": _("MiniLM’s own"), "none": _("No positions")}
    rows = {
        _("Positions"): [titles[kind] for kind in cosines],
        _("Cosine of the sentences"): [number(cosine, ".6f") for cosine in cosines.values()],
    }
    title = _("A trained model: MiniLM")
    save_table("word-order-minilm", title, rows, numbers=Lines(["positions", "cosine"], list(cosines.items())))
    text_table(rows, alt=title)
