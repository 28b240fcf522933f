"""Cost of a lookup against a one-hot product: counted, and measured on this machine on demand."""

from functools import partial
from typing import NamedTuple

import streamlit as st

from embedlib.embedding import LookupCost, check_lookup_sizes, measure_lookup, one_hot_flops
from embedlib.errors import CodedError
from embedlib.figures import bars_figure
from embedlib.i18n import N_
from ui import cache
from ui.embedding_layer.examples import MEASURE
from ui.export import Drawing, Lines, figure_drawing, show, show_texts
from ui.i18n import _, label_sentence, ngettext, separator
from ui.jobs import Report, result_or_progress, this_visitor
from ui.settings import controls, state
from ui.shared.formats import format_bytes, format_count, format_seconds, three_digits
from ui.shared.page import section

CLAMPED = "layer_cost_clamped"  # in the session: the sentence about a size that was too large; "" for none
AGAIN = "layer_cost_again"  # session key: how often the reader has measured


class Sizes(NamedTuple):
    """Sizes at which a lookup is counted and measured."""

    vocab_size: int
    d_model: int
    n_tokens: int


@section(
    "layer-cost",
    N_("Cost of a lookup"),
    lead=N_(
        "A lookup reads one row for each token; the product reads the whole matrix, only to multiply nearly "
        "all of it by 0. Choose the sizes of a model, compare the counts, and let this machine do both."
    ),
)
def lookup_cost() -> None:
    """Draw the sizes, the arithmetic, and the measurement once it is requested."""
    labels = {
        "layer_cost_rows": _("Rows of E, V"),
        "layer_cost_width": _("Dimensions d"),
        "layer_cost_tokens": _("Tokens looked up, n"),
    }
    for column, (name, label) in zip(st.columns(3), labels.items(), strict=True):
        controls.control(
            name,
            column.number_input,
            label=_("{label}, at most {most:,}").format(label=label, most=state.maximum(name)),
            min_value=1,
            step=1,
            on_change=partial(_clamp, name, label),
        )
    if clamped := st.session_state.get(CLAMPED):
        st.info(clamped)
    sizes = Sizes(*(state.get(name) for name in labels))
    show_arithmetic(sizes)
    problem = size_problem(sizes)
    if problem:
        st.warning(problem)
    st.button(
        _("Measure both"),
        key="layer_cost_measure",
        icon=":material/timer:",
        disabled=problem is not None,
        on_click=_request_measurement,
        args=(sizes,),
    )
    if problem is None and st.session_state.get(MEASURE) == sizes:
        _show_measurement(sizes)


def _request_measurement(sizes: Sizes) -> None:
    st.session_state[MEASURE] = sizes
    st.session_state[AGAIN] = st.session_state.get(AGAIN, 0) + 1
    state.dismiss_notices()


def _show_measurement(sizes: Sizes) -> None:
    device = cache.device().device
    # A class that opens one example shares one measurement; who presses the button gets one of their own.
    again = st.session_state.get(AGAIN, 0)

    def work(report: Report) -> LookupCost:
        return measure_lookup(*sizes, device=device, progress=lambda share: report(share))

    cost = result_or_progress(
        work,
        job=("lookup-cost", tuple(sizes), (this_visitor(), again) if again else ()),
        title=_("Measuring"),
        key="layer-cost",
        failure=lambda error: _("Out of memory: choose smaller sizes."),
    )
    if cost is not None:
        _show_result(cost)


def _show_result(cost: LookupCost) -> None:
    st.write(
        _(
            "**The lookup took {lookup}, the product {product}: {times} times as long.** The results are {equal}."
        ).format(
            lookup=format_seconds(cost.lookup_seconds),
            product=format_seconds(cost.one_hot_lookup_seconds),
            times=three_digits(cost.slowdown),
            equal=_("equal bit for bit") if cost.is_equal else _("equal except last bits"),
        )
    )
    show(lookup_against_product, cost)
    with st.expander(_("For implementers")):
        st.caption(_hardware_sentence(cost))


def _hardware_sentence(cost: LookupCost) -> str:
    return _(
        "Measured on {device} with {threads} threads; the times are medians of {lookups} lookups and "
        "{products} products. The most memory held was {held}."
    ).format(
        device=cost.device,
        threads=cost.n_threads,
        lookups=cost.lookup_repeats,
        products=cost.repeats,
        held=format_bytes(cost.peak_bytes),
    )


def _clamp(name: str, label: str) -> None:
    given, most = state.get(name), state.maximum(name)
    st.session_state[CLAMPED] = ""
    if given > most:
        state.put(**{name: most})
        sentence = _("{label} can be at most {most:,}; {given:,} was lowered to that.")
        st.session_state[CLAMPED] = sentence.format(label=label, given=given, most=most)


def size_problem(sizes: Sizes) -> str | None:
    """Return a sentence on why a size cannot be measured; None where it can."""
    try:
        check_lookup_sizes(*sizes)
    except CodedError as refusal:
        if refusal.code == "table_too_large":
            return _("E would take {size}, more than the {most} that are allowed here: lower V or d.").format(
                size=format_bytes(refusal.values["value"]), most=format_bytes(refusal.values["most"])
            )
        fewer = refusal.values["most"] // one_hot_flops(sizes.vocab_size, sizes.d_model)
        return _(
            "That would be {count} operations, more than the {most} that are allowed here: lower n to {fewer:,}."
        ).format(count=format_count(refusal.values["value"]), most=format_count(refusal.values["most"]), fewer=fewer)
    return None


def show_arithmetic(sizes: Sizes) -> None:
    """Show what can be counted without measuring, for all tokens."""
    vocab_size, d_model, n_tokens = sizes
    show_texts(
        "cost-of-a-lookup",
        {
            ngettext("{count:,} token", "{count:,} tokens", n_tokens).format(count=n_tokens): [
                _("numbers copied"),
                _("multiplications and additions"),
                _("numbers in the input: ids, or one-hot vectors"),
            ],
            _("lookup"): [f"d · n = {format_count(n_tokens * d_model)}", "0", format_count(n_tokens)],
            _("one-hot × E"): [
                "–",
                f"2 · V · d · n = {format_count(n_tokens * one_hot_flops(vocab_size, d_model))}",
                f"V · n = {format_count(vocab_size * n_tokens)}",
            ],
        },
        alt=_("Cost of a lookup"),
    )


def lookup_against_product(cost: LookupCost) -> Drawing:
    """Draw the time and the memory of each way against the larger."""
    texts = {
        _("lookup: time"): format_seconds(cost.lookup_seconds),
        _("one-hot × E: time"): format_seconds(cost.one_hot_lookup_seconds),
        _("lookup: memory"): format_bytes(cost.lookup_bytes),
        _("one-hot × E: memory"): format_bytes(cost.product_bytes),
    }
    size = (cost.vocab_size, cost.d_model, cost.n_tokens)
    return figure_drawing(
        "lookup-cost",
        _("Cost of a lookup"),
        Lines(
            ["way", "vocab_size", "d_model", "n_tokens", "seconds", "bytes", "operations"],
            [
                ["lookup", *size, cost.lookup_seconds, cost.lookup_bytes, 0],
                ["one_hot", *size, cost.one_hot_lookup_seconds, cost.product_bytes, cost.flops],
            ],
        ),
        bars_figure,
        [cost.lookup_seconds / cost.one_hot_lookup_seconds, 1.0, cost.lookup_bytes / cost.product_bytes, 1.0],
        alt=separator(". ").join(label_sentence(name, text) for name, text in texts.items()),
        source=_("measured here"),
        names=list(texts),
        value_texts=list(texts.values()),
        x_title=_("share of the longer time, or of the larger memory"),
    )
