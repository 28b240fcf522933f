"""What a lookup saves: counted at once, and measured on this machine when somebody asks."""

from collections.abc import Callable
from dataclasses import astuple

import streamlit as st
from plotly.graph_objects import Figure

from embedlib.embedding.lookup_cost import LookupCost, measure_lookup
from embedlib.figures.bars import bars_figure
from embedlib.figures.layout import CONFIG
from ui import cache
from ui.embedding_layer.cost_sizes import CLAMPED, Sizes, arithmetic, refused, size_field
from ui.embedding_layer.examples import MEASURE
from ui.embedding_layer.tables import cost_csv
from ui.embedding_layer.written import bytes_written, seconds_written, three_digits
from ui.export.take_along import take_along
from ui.i18n import _, ngettext
from ui.jobs.job import Report
from ui.jobs.queue import jobs
from ui.jobs.view import show_job, this_visitor
from ui.settings import state
from ui.shared import theme

AGAIN = "layer_cost_again"  # in the session: how often a measurement was asked for anew


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
    look, x_title, title = (
        theme.current(),
        _("share of the slower time, of the larger memory"),
        _("What a lookup and a product cost"),
    )

    def draw(heading: str = "") -> Figure:
        return bars_figure(values, names=names, said=said, x_title=x_title, theme=look, title=heading)

    alt = ". ".join(f"{name}: {words}" for name, words in zip(names, said, strict=True))
    st.plotly_chart(draw(), key="lookup-cost", alt=alt, theme=None, config=CONFIG)
    take_along("lookup-cost", table=lambda: cost_csv(cost), figure=lambda: draw(title))
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
