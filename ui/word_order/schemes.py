"""Every scheme's outcome, the causal mask alone in one and two layers, and a trained model's cosines."""

import streamlit as st
import torch

from embedlib.figures import colour_limit, heatmap_figure
from embedlib.i18n import N_
from embedlib.positional import SCHEMES
from ui.cache.minilm import minilm_model
from ui.embed import embeddable, embedded_section
from ui.export import Columns, Drawing, Lines, figure_drawing, save_table, show
from ui.i18n import _, join_sentences, label_sentence, ngettext, number, separator
from ui.settings import MINILM, controls, state
from ui.shared import rules
from ui.shared.model_choice import Model, model_title
from ui.shared.opened_model import opened_model
from ui.shared.own_scheme import show_scheme_problem
from ui.shared.page import section, text_table
from ui.shared.schemes import file_name, scheme_or_class, scheme_title
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
    output_vectors,
    percent,
    sentence_tokens,
)

ENLARGED = 10  # times, so that differences of a few percent are seen


@embeddable("order-lost")
def order_lost(request: Request) -> None:
    """Show the encoder's outputs for both sentences one below the other, under a scheme that the reader switches."""
    st.header(_("The model’s output for each order"))
    st.write(
        join_sentences(
            _("A small model with random, untrained layers reads each sentence."),
            _pooling_sentence(request),
            _(
                "Without positions the strips are the same: attention adds up the rows of all tokens, and a sum does "
                "not depend on the order. Switch positions on and compare. (Each button but the first is another way "
                "to give the model positions; the page “Positions” explains them one by one.)"
            ),
        )
    )
    titles = {scheme: scheme_title(scheme) for scheme in state.options("order_scheme")}
    controls.control("order_scheme", st.pills, list(titles), titles=titles, required=True, wrap=True)
    scheme = state.get("order_scheme")
    result = compute_results(request, current_parameters())[scheme]
    if result is None or result.change is None:
        st.info(_("This scheme does not fit the settings of the encoder: choose another."))
        return
    show(output_strips, request, scheme)
    st.write(_outcome_sentence(request, result.change))


def _outcome_sentence(request: Request, change: float) -> str:
    """Return a sentence on whether the two outputs differ, and what that means."""
    if not has_same_tokens(request):
        return _("The sentences have different tokens, so of course their outputs differ: use the same words in both.")
    if change == 0:
        return _(
            "**Equal, number by number.** This model cannot know which of the two sentences it reads, and so not who "
            "does what to whom."
        )
    return _(
        "**The outputs differ** by {percent} of their length: the same words in another order are now something else "
        "to the model."
    ).format(percent=percent(change))


def output_strips(request: Request, scheme: str) -> Drawing:
    """Draw the outputs for both sentences, and their difference enlarged."""
    first, second = output_vectors(request, scheme)
    difference = second - first
    columns = {"first": first, "second": second, "difference_enlarged": ENLARGED * difference}
    return figure_drawing(
        f"word-order-output-{file_name(scheme)}",
        label_sentence(_("The model’s output for each order"), scheme_title(scheme)),
        Columns(columns, row="dim"),
        heatmap_figure,
        torch.stack(list(columns.values())),
        key="order-output",
        y_labels=[_("first"), _("second"), _("{times} × change").format(times=ENLARGED)],
        limit=colour_limit(first, second),
        x_title=_("dimension of the output"),
        hover_text=_("{row}, dimension {column}\n{value}"),
        row_gap=10,  # two equal strips that touch look like one
        height=250,
    )


@embeddable("order-schemes")
def scheme_outcomes(request: Request) -> None:
    """Show for every scheme whether the output depends on the order, in a sentence and in a folded table."""
    given = current_parameters()
    results = compute_results(request, given)
    if has_same_tokens(request) or embedded_section():  # else it is said below the picture
        st.write(_summary(request, results))
    with st.expander(_("All schemes on these two sentences"), expanded=bool(embedded_section())):
        rows = _table(request, results)
        save_table("word-order-changes", _("Output by scheme"), rows, numbers=change_lines(request, given))
        text_table(rows, alt=_("Output by scheme"))
        encoder = _("The encoder has random weights (seed {seed}, {heads} heads).").format(
            seed=request.seed, heads=request.heads
        )
        sizes = _("They are not trained: how large a change is says nothing about how good a scheme is.")
        st.caption(separator(" ").join([encoder, _pooling_sentence(request), sizes]))
        _show_misfits(request, results)


def _show_misfits(request: Request, results: dict[str, Result | None]) -> None:
    """Show the broken rule of each scheme that has no result."""
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
        return _("works only with the causal mask")
    if change == 0:
        return _("**equal**")
    return _("differs by {percent}").format(percent=percent(change))


def _summary(request: Request, results: dict[str, Result | None]) -> str:
    blind = [scheme_title(name) for name, result in results.items() if result is not None and result.change == 0]
    if not has_same_tokens(request):
        return _("The sentences have different tokens: use the same words in both to compare orders.")
    if not blind:
        return _("With every scheme the outputs differ.")
    sentence = _("**Equal outputs for both orders:** {schemes}. With {count} other schemes they differ.")
    changed = sum(bool(result and result.change) for result in results.values())
    sentence = sentence.format(schemes=separator(", ").join(blind), count=changed)
    if unread := [scheme_title(name) for name, result in results.items() if result and result.change is None]:
        left_out = _("Left out: {schemes}, which work only with the causal mask (see Settings).")
        sentence += separator(" ") + left_out.format(schemes=separator(", ").join(unread))
    if is_reversed(request) and len(blind) > 1:
        sentence += separator(" ") + _("Reading backwards keeps every distance, so a bias by distance cannot tell.")
    return sentence


def _pooling_sentence(request: Request) -> str:
    """Return a sentence on the vector that represents a sentence, which depends on the mask."""
    if request.causal:
        return _(
            "Each strip is the output row of an extra token, the same in both, that is put behind the sentence and "
            "sees all of it."
        )
    return _("Each strip is the mean of the output rows of all tokens of a sentence.")


def _table(request: Request, results: dict[str, Result | None]) -> dict[str, list[str]]:
    """Return what each scheme acts on and changes."""
    count = max(len(tokens) for tokens in sentence_tokens(request))
    places = {
        "embedding": _("rows"),
        "query_key": _("queries, keys"),
        "score": _("scores"),
        "content": _("scores, by content"),
    }
    rows: dict[str, list[str]] = {
        _("Scheme"): [],
        _("Where it acts"): [],
        _("Equal input rows"): [],
        _("Output"): [],
    }
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
    return _("all") if shared == count else _("{shared} of {count}").format(shared=shared, count=count)


@section("order-mask", N_("A back door for order: the causal mask"))
def show_causal_mask(request: Request) -> None:
    """Show the encoder without positions four times: one and two layers, with and without the mask."""
    st.write(
        _(
            "A model that writes text from left to right, a decoder, has a causal mask: each token sees only "
            "itself and the tokens before it. To compare, we put the same extra token behind both sentences, where it "
            "sees all of them. With one layer the extra token’s output is the same for both sentences, for it adds up "
            "the same token rows. With two layers the rows that it reads have changed: each has gathered only the "
            "tokens before it, so they depend on the order, and the outputs of the extra token differ. Order gets in "
            "without any positions. (Without the mask the means over all tokens are compared.)"
        )
        if has_same_tokens(request)
        else _("The sentences have different tokens: use the same words in both to compare orders.")
    )
    changes = mask_changes(request)
    depths = {layers: ngettext("{count} layer", "{count} layers", layers).format(count=layers) for layers in (1, 2)}
    rows = {
        _("No positions"): list(depths.values()),
        _("No mask"): [format_change(changes[layers, False]) for layers in depths],
        _("Causal mask"): [format_change(changes[layers, True]) for layers in depths],
    }
    title = _("A back door for order: the causal mask")
    save_table("word-order-mask", title, rows, numbers=mask_lines(request))
    text_table(rows, alt=title)


@section("order-minilm", N_("The same in a trained model: MiniLM"))
def show_trained_model(request: Request) -> None:
    """Show the cosine of MiniLM's vectors of both sentences, with its positions and without any."""
    opened = opened_model(Model(MINILM, MINILM, model_title(MINILM), minilm_model()), key="order-opening")
    if opened is None:
        return
    cosines = minilm_cosines(opened, request.first, request.second)
    first, second = (minilm_tokens(opened, text) for text in (request.first, request.second))
    if sorted(first) == sorted(second):
        st.write(
            _(
                "Take its position rows away, and a trained model loses the order too: it gives both sentences the "
                "same vector (cosine 1, up to rounding). With its positions the two vectors differ."
            )
        )
    else:
        st.write(_("The sentences have different tokens: use the same words in both to compare orders."))
    titles = {"trained": _("MiniLM’s own"), "none": _("No positions")}
    rows = {
        _("Positions"): [titles[kind] for kind in cosines],
        _("Cosine of the sentences"): [number(cosine, ".6f") for cosine in cosines.values()],
    }
    title = _("The same in a trained model: MiniLM")
    save_table("word-order-minilm", title, rows, numbers=Lines(["positions", "cosine"], list(cosines.items())))
    text_table(rows, alt=title)
