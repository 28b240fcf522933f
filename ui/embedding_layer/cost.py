"""What a lookup saves: counted at once, and measured on this machine when somebody asks."""

from functools import partial
from typing import NamedTuple

import streamlit as st

from embedlib.embedding import LookupCost, LookupRefused, check_lookup_sizes, measure_lookup, one_hot_flops
from embedlib.figures import bars_figure
from embedlib.i18n import N_
from ui import cache
from ui.embedding_layer.examples import MEASURE
from ui.embedding_layer.written import bytes_written, count_written, seconds_written, three_digits
from ui.export import chart, lines_csv, shown_table
from ui.i18n import _, between, named, ngettext
from ui.jobs import Report, jobs, show_job, this_visitor
from ui.settings import controls, state
from ui.shared.page import current_theme, late_block

CLAMPED = "layer_cost_clamped"  # in the session: the sentence about a size that was too large; "" for none
AGAIN = "layer_cost_again"  # in the session: how often the reader measured anew


class Sizes(NamedTuple):
    """At which a lookup is counted and measured."""

    vocab_size: int
    d_model: int
    n_tokens: int


@late_block("layer-cost", N_("Cost of a lookup"), height=320, phone=591)
def lookup_cost() -> None:
    """Draw the sizes, the arithmetic, and the measurement if it was asked for."""
    st.write(_("A lookup reads one row per token; the product reads all of E."))
    labels = {
        "layer_cost_rows": _("Vocabulary V"),
        "layer_cost_width": _("Width d"),
        "layer_cost_tokens": _("Tokens n"),
    }
    for column, (name, label) in zip(st.columns(3), labels.items(), strict=True):
        controls.control(
            name,
            column.number_input,
            label=_("{label}, at most {most:,}").format(label=label, most=state.greatest(name)),
            min_value=1,
            step=1,
            on_change=partial(_clamp, name, label),
        )
    if clamped := st.session_state.get(CLAMPED):
        st.info(clamped)
    sizes = Sizes(*(state.get(name) for name in labels))
    arithmetic(sizes)
    problem = refused(sizes)
    if problem:
        st.warning(problem)
    st.button(
        _("Measure both"),
        key="layer_cost_measure",
        icon=":material/timer:",
        disabled=problem is not None,
        on_click=_measure,
        args=(sizes,),
    )
    if problem is None and st.session_state.get(MEASURE) == sizes:
        _measured(sizes)


def _measure(sizes: Sizes) -> None:
    st.session_state[MEASURE] = sizes
    st.session_state[AGAIN] = st.session_state.get(AGAIN, 0) + 1
    state.dismiss_notices()


def _measured(sizes: Sizes) -> None:
    visitor, device = this_visitor(), cache.device().device
    # A class that opens one example shares one measurement; who presses the button gets one of their own.
    again = st.session_state.get(AGAIN, 0)

    def work(report: Report) -> LookupCost:
        return measure_lookup(*sizes, device=device, progress=lambda share: report(share))

    job = jobs.submit(("lookup-cost", tuple(sizes), (visitor, again) if again else ()), work, visitor=visitor)
    done = show_job(
        job,
        title=_("Measuring"),
        key="layer-cost",
        failure=lambda error: _("Out of memory: choose smaller sizes."),
    )
    if done:
        _result(job.result())


def _result(cost: LookupCost) -> None:
    st.write(
        _("**Lookup {lookup}, product {product}: {times} times as long**; results {equal}.").format(
            lookup=seconds_written(cost.lookup_seconds),
            product=seconds_written(cost.slow_seconds),
            times=three_digits(cost.times_slower),
            equal=_("equal bit for bit") if cost.equal else _("equal except last bits"),
        )
    )
    names = [_("lookup: time"), _("one-hot × E: time"), _("lookup: memory"), _("one-hot × E: memory")]
    written = [
        seconds_written(cost.lookup_seconds),
        seconds_written(cost.slow_seconds),
        bytes_written(cost.lookup_bytes),
        bytes_written(cost.product_bytes),
    ]
    values = [cost.lookup_seconds / cost.slow_seconds, 1.0, cost.lookup_bytes / cost.product_bytes, 1.0]
    x_title, title = _("share of the larger"), _("Cost of a lookup")
    draw = partial(bars_figure, values, names=names, value_texts=written, x_title=x_title, theme=current_theme())
    alt = between(". ").join(map(named, names, written))
    chart("lookup-cost", draw, alt=alt, table=lambda: cost_csv(cost), title=title, source=_("measured here"))
    how = _(
        "{device}, threads: {threads}; medians of {lookups} lookups, {products} products; peak memory {held}."
    ).format(
        device=cost.device,
        threads=cost.n_threads,
        lookups=cost.lookup_repeats,
        products=cost.repeats,
        held=bytes_written(cost.held_bytes),
    )
    st.caption(how)


def _clamp(name: str, label: str) -> None:
    given, most = state.get(name), state.greatest(name)
    st.session_state[CLAMPED] = ""
    if given > most:
        state.put(**{name: most})
        sentence = _("{label}: at most {most:,}, not {given:,}.")
        st.session_state[CLAMPED] = sentence.format(label=label, given=given, most=most)


def refused(sizes: Sizes) -> str | None:
    """Say in one sentence why a size is not measured; None where it is."""
    try:
        check_lookup_sizes(*sizes)
    except LookupRefused as refusal:
        if refusal.code == "table_too_large":
            return _("E takes {size} (limit: {most}): lower V or d.").format(
                size=bytes_written(refusal.value), most=bytes_written(refusal.most)
            )
        fewer = refusal.most // one_hot_flops(sizes.vocab_size, sizes.d_model)
        return _("{count} operations (limit: {most}): lower n to {fewer:,}.").format(
            count=count_written(refusal.value), most=count_written(refusal.most), fewer=fewer
        )
    return None


def arithmetic(sizes: Sizes) -> None:
    """What can be counted without measuring, for all tokens."""
    vocab_size, d_model, n_tokens = sizes
    shown_table(
        "cost-of-a-lookup",
        {
            ngettext("{count:,} token", "{count:,} tokens", n_tokens).format(count=n_tokens): [
                _("numbers copied"),
                _("multiplications and additions"),
                _("numbers that select rows"),
            ],
            _("lookup"): [f"d · n = {count_written(n_tokens * d_model)}", "0", count_written(n_tokens)],
            _("one-hot × E"): [
                "–",
                f"2 · V · d · n = {count_written(n_tokens * one_hot_flops(vocab_size, d_model))}",
                f"V · n = {count_written(vocab_size * n_tokens)}",
            ],
        },
        alt=_("Cost of a lookup"),
    )


def cost_csv(cost: LookupCost) -> str:
    """Write one line per way: seconds and bytes as measured, and the operations that it takes."""
    size = (cost.vocab_size, cost.d_model, cost.n_tokens)
    return lines_csv(
        ["way", "vocab_size", "d_model", "n_tokens", "seconds", "bytes", "operations"],
        [
            ["lookup", *size, cost.lookup_seconds, cost.lookup_bytes, 0],
            ["one_hot", *size, cost.slow_seconds, cost.product_bytes, cost.flops],
        ],
    )
