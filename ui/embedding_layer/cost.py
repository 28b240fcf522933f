"""What a lookup saves: counted at once, and measured on this machine when somebody asks."""

from collections.abc import Callable
from dataclasses import astuple, dataclass
from functools import partial

import streamlit as st

from embedlib.embedding import LookupCost, LookupRefused, check_lookup_sizes, measure_lookup, one_hot_flops
from embedlib.figures import bars_figure
from ui import cache
from ui.embedding_layer.examples import MEASURE
from ui.embedding_layer.written import bytes_written, count_written, seconds_written, three_digits
from ui.export import chart, lines_csv
from ui.i18n import _, ngettext
from ui.jobs import Report, jobs, show_job, this_visitor
from ui.settings import state
from ui.shared.page import current_theme

CLAMPED = "layer_cost_clamped"  # in the session: what is said about a size that was too large; "" for nothing
AGAIN = "layer_cost_again"  # in the session: how often a measurement was asked for anew


@dataclass(frozen=True)
class Sizes:
    """At which a lookup is counted and measured."""

    vocab_size: int
    d_model: int
    n_tokens: int


def lookup_cost() -> None:
    """Draw the sizes, the arithmetic, and the measurement if it was asked for."""
    st.header(_("What the lookup saves"))
    st.write(
        _(
            "One-hot vectors make the idea plain and the work enormous: the product multiplies every number of E, and "
            "all but one row of it by 0. Choose a size, and measure both ways on this server."
        )
    )
    columns = st.columns(3)
    for column, name, label in zip(
        columns,
        ("layer_cost_rows", "layer_cost_width", "layer_cost_tokens"),
        (_("Vocabulary V"), _("Width d"), _("Tokens looked up")),
        strict=True,
    ):
        with column:
            size_field(name, label)
    if clamped := st.session_state.get(CLAMPED):
        st.info(clamped)
    sizes = Sizes(*(state.get(f"layer_cost_{name}") for name in ("rows", "width", "tokens")))
    arithmetic(sizes)
    problem = refused(sizes)
    if problem:
        st.warning(problem)
    st.button(
        _("Measure both ways"),
        key="layer_cost_measure",
        icon=":material/timer:",
        disabled=problem is not None,
        on_click=_ask,
        args=(astuple(sizes),),
    )
    if problem is None and st.session_state.get(MEASURE) == astuple(sizes):
        _measured(sizes)


def _ask(sizes: tuple[int, int, int]) -> None:
    st.session_state[MEASURE] = sizes
    st.session_state[AGAIN] = st.session_state.get(AGAIN, 0) + 1
    state.dismiss_notices()


def _measured(sizes: Sizes) -> None:
    visitor = this_visitor()
    # A class that opens one example shares one measurement; who presses the button gets one of their own.
    again = st.session_state.get(AGAIN, 0)
    key = ("lookup-cost", astuple(sizes), (visitor, again) if again else ())
    job = jobs.submit(key, _work(sizes), visitor=visitor)
    show_job(
        job,
        title=_("Measuring both ways"),
        key="layer-cost",
        failure=lambda error: _("This could not be measured: the server has too little memory free. Choose less."),
    )
    if job.state == "done":
        _result(job.result())


def _work(sizes: Sizes) -> Callable[[Report], LookupCost]:
    device = cache.device().device

    def work(report: Report) -> LookupCost:
        return measure_lookup(
            sizes.vocab_size, sizes.d_model, sizes.n_tokens, device=device, progress=lambda share: report(share)
        )

    return work


def _result(cost: LookupCost) -> None:
    st.write(
        _("**The lookup took {lookup}, the product {product}: {times} times as long.** {equal}").format(
            lookup=seconds_written(cost.lookup_seconds),
            product=seconds_written(cost.slow_seconds),
            times=three_digits(cost.times_slower),
            equal=_("Both gave the same numbers, to the bit.")
            if cost.equal
            else _("Their numbers differ in the last bits."),
        )
    )
    names = [_("lookup: time"), _("one-hot × E: time"), _("lookup: memory"), _("one-hot × E: memory")]
    said = [
        seconds_written(cost.lookup_seconds),
        seconds_written(cost.slow_seconds),
        bytes_written(cost.lookup_bytes),
        bytes_written(cost.product_bytes),
    ]
    slowest, largest = cost.slow_seconds, cost.product_bytes
    values = [cost.lookup_seconds / slowest, 1.0, cost.lookup_bytes / largest, 1.0]
    x_title, title = _("share of the slower time, of the larger memory"), _("What a lookup and a product cost")
    draw = partial(bars_figure, values, names=names, said=said, x_title=x_title, theme=current_theme())
    alt = ". ".join(f"{name}: {words}" for name, words in zip(names, said, strict=True))
    chart("lookup-cost", draw, alt=alt, table=lambda: cost_csv(cost), title=title)
    st.caption(_how(cost))


def _how(cost: LookupCost) -> str:
    where = ngettext(
        "Measured on {device} with {count} thread", "Measured on {device} with {count} threads", cost.n_threads
    ).format(device=cost.device, count=cost.n_threads)
    lookups = ngettext("median of {count} lookup", "median of {count} lookups", cost.lookup_repeats)
    products = ngettext("and of {count} product", "and of {count} products", cost.repeats)
    repeats = f"{lookups.format(count=cost.lookup_repeats)} {products.format(count=cost.repeats)}"
    memory = _("Memory is what each way has to make; the product held {held} at once.")
    sentences = [f"{where}, {repeats}.", memory.format(held=bytes_written(cost.held_bytes))]
    if cost.n_blocks > 1:
        blocks = _("All one-hot rows at once would be too many, so it went in {blocks} blocks.")
        sentences.append(blocks.format(blocks=cost.n_blocks))
    return " ".join(sentences)


def size_field(name: str, label: str) -> None:
    """Draw the field of one size, with its limit; more than that becomes the limit, and a sentence says so."""
    most = state.greatest(name)
    st.number_input(
        _("{label}, at most {most:,}").format(label=label, most=most),
        min_value=1,
        step=1,
        key=name,
        on_change=_clamp,
        args=(name, label),
    )


def _clamp(name: str, label: str) -> None:
    given, most = state.get(name), state.greatest(name)
    st.session_state[CLAMPED] = ""
    if given > most:
        state.put(**{name: most})
        told = _("{label}: {given:,} is more than is counted here; {most:,} is used instead.")
        st.session_state[CLAMPED] = told.format(label=label, given=given, most=most)
    state.dismiss_notices()


def refused(sizes: Sizes) -> str | None:
    """Say in one sentence why a size is not measured; None where it is."""
    try:
        check_lookup_sizes(sizes.vocab_size, sizes.d_model, sizes.n_tokens)
    except LookupRefused as refusal:
        if refusal.code == "table_too_large":
            return _(
                "E would take {size}, and at most {most} are measured: choose a smaller V or d. The count above is "
                "right all the same."
            ).format(size=bytes_written(refusal.value), most=bytes_written(refusal.most))
        fewer = refusal.most // one_hot_flops(sizes.vocab_size, sizes.d_model)
        return _(
            "The product would take {count} operations, and at most {most} are measured: at this V and d, choose at "
            "most {fewer:,} tokens. The count above is right all the same."
        ).format(count=count_written(refusal.value), most=count_written(refusal.most), fewer=fewer)
    return None


def arithmetic(sizes: Sizes) -> None:
    """What can be counted without measuring, for all tokens."""
    flops = sizes.n_tokens * one_hot_flops(sizes.vocab_size, sizes.d_model)
    numbers = sizes.n_tokens * sizes.d_model
    st.table(
        {
            ngettext(
                "To read the row of {count:,} token", "To read the rows of {count:,} tokens", sizes.n_tokens
            ).format(count=sizes.n_tokens): [
                _("numbers copied"),
                _("multiplications and additions"),
                _("numbers written to say which rows"),
            ],
            _("lookup"): [f"d · n = {count_written(numbers)}", "0", count_written(sizes.n_tokens)],
            _("one-hot × E"): [
                "–",
                f"2 · V · d · n = {count_written(flops)}",
                f"V · n = {count_written(sizes.vocab_size * sizes.n_tokens)}",
            ],
        },
        border="horizontal",
        hide_index=True,
        alt=_("What both ways have to do, by counting."),
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
