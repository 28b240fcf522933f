"""Layers beside E: one that is made right after it, and the table whose rows stand for the places of a sample."""

import streamlit as st
import torch
from plotly.graph_objects import Figure
from torch import Tensor

from embedlib.embedding import INITIALISATIONS, lookup
from embedlib.figures import DIVERGING, colour_limit, sum_figure
from ui.components import vector_sum as sum_component
from ui.components.vector_sum import vector_sum
from ui.embedding_layer import cache
from ui.embedding_layer.request import Request, passed_over, read_ids
from ui.export import parts_csv, take_along
from ui.i18n import _, ngettext, translated
from ui.settings import controls, state
from ui.shared.page import current_theme


def position_layer(request: Request) -> None:
    """Show a second table whose row p is added to whatever token stands at place p, in every sample."""
    st.header(_("A second table, for the places"))
    st.write(
        _(
            "Learned absolute positions are one more embedding layer: row p is added to the token at place p of its "
            "sample, and **every sample of the batch gets the same rows**."
        )
    )
    if not request.by_hand:
        with st.columns([1, 2])[0]:
            controls.number_control(
                "layer_context",
                _("Context length"),
                help_text=_("How many tokens a sample has: as many rows as the table of positions."),
            )
    context = context_of(request)
    positions = cache.positions_of(request, context, second_size(request))
    count = len(request.token_ids)
    st.caption(shapes(count, context, request.d_model))
    places = place_of(count, context)
    rows, added = cache.rows_of(request), lookup(positions, places)
    chips = cache.chips_of(request)
    vector_sum(
        rows,
        added,
        labels_of_tokens=_labels(request, places),
        ids=[chip.id for chip in chips],
        first_position=0,
        total=count,
        colours=DIVERGING[current_theme()],
        limit=colour_limit(rows, added, rows + added),
        adds=True,
        labels=translated(sum_component.LABELS),
        key="vector-sum",
    )
    st.caption(_origin(request, context))
    _take_sum(request, context)


def _take_sum(request: Request, context: int) -> None:
    look, title, x_title = current_theme(), _("Token row + position row"), _("dimension")
    names = (_("token rows"), _("position rows"), _("input rows"))
    labels = _labels(request, place_of(len(request.token_ids), context))

    second = second_size(request)  # when a file is made, no run of a page knows the settings

    def parts() -> tuple[Tensor, Tensor]:
        positions = cache.positions_of(request, context, second)
        return cache.rows_of(request), lookup(positions, place_of(len(labels), context))

    def table() -> str:
        rows, added = parts()
        return parts_csv({"token": rows, "position": added, "input": rows + added}, column="dim")

    def figure() -> Figure:
        rows, added = parts()
        sums = rows + added
        return sum_figure(rows, added, sums, labels=labels, names=names, x_title=x_title, theme=look, title=title)

    take_along("token-and-position-rows", table=table, figure=figure)


def _labels(request: Request, places: Tensor) -> list[str]:
    """Write each token with its place, which tells where a sample begins."""
    return [
        _("{token} at {place}").format(token=chip.label, place=place)
        for chip, place in zip(cache.chips_of(request), places.tolist(), strict=True)
    ]


def context_of(request: Request) -> int:
    """Return how many rows the table of positions has: by hand as many as are given."""
    if request.by_hand:
        return len(cache.positions_of(request, 0, None))
    return int(state.get("layer_context"))


def place_of(count: int, context: int) -> Tensor:
    """Return each token's place in its sample, (count,)."""
    return torch.arange(count) % context


def shapes(count: int, context: int, d_model: int) -> str:
    """Say which shapes are added: those of the whole samples, and of what is left of the text after them.

    Args:
        count: how many tokens there are.
        context: how many tokens a whole sample has.
        d_model: width of the rows.
    """
    samples, rest = divmod(count, context)
    told = []
    if samples:
        told.append(
            ngettext("{count} sample", "{count} samples", samples).format(count=samples)
            + " · "
            + _("token rows ({samples}, {context}, {d_model}) + position rows ({context}, {d_model})").format(
                samples=samples, context=context, d_model=d_model
            )
        )
    if rest:
        told.append(
            ngettext(
                "{rest} token fills no sample of {context}: token rows (1, {rest}, {d_model}) + the first of the "
                "{context} position rows; a batch would leave it out, or fill the sample up with padding",
                "{rest} tokens fill no sample of {context}: token rows (1, {rest}, {d_model}) + the first {rest} of "
                "the {context} position rows; a batch would leave them out, or fill the sample up with padding",
                rest,
            ).format(rest=rest, context=context, d_model=d_model)
        )
    return " · ".join(told)


def _origin(request: Request, context: int) -> str:
    if request.by_hand:
        return _("Both tables are given by hand.")
    told = _of_a_fresh_table(request) if request.matrix == "trained" else _of_e(request)
    return told.format(
        context=context, d_model=request.d_model, start=_(INITIALISATIONS[request.start].title), seed=request.seed
    )


def _of_e(request: Request) -> str:
    if second_size(request) is None:
        return _(
            "The {context} × {d_model} position rows are random too: “{start}”, drawn right after E, from its stream."
        )
    return _(
        "The {context} × {d_model} position rows are random too: “{start}”, drawn from the stream after E and the "
        "second layer."
    )


def _of_a_fresh_table(request: Request) -> str:
    """Say the same where E is trained: of its rows, the stream knows only the random ones."""
    if second_size(request) is None:
        return _(
            "The {context} × {d_model} position rows are random: “{start}”, drawn from the stream of seed {seed} "
            "right after a fresh table of E’s size."
        )
    return _(
        "The {context} × {d_model} position rows are random: “{start}”, drawn from the stream of seed {seed} after a "
        "fresh table of E’s size and the second layer."
    )


def second_layer(request: Request) -> None:
    """Show a layer that is made right after E, the rows that ids pick from it, and what it changes further on."""
    if request.by_hand:
        return
    st.header(_("A second layer goes on in the same stream"))
    st.toggle(
        _("Make a second layer"),
        key="layer_second",
        help=_("Each layer takes its numbers from where the one before left the random stream."),
        on_change=state.dismiss_notices,
    )
    if not state.get("layer_second"):
        st.caption(
            _(
                "With one seed, the numbers of a layer depend on which layers were made before it. Switch it on, and "
                "the table of positions below, which is made last, gets other numbers."
            )
        )
        return
    rows, width, ids_column = st.columns(3)
    with rows:
        controls.number_control("layer_second_rows", _("Rows of the second layer"), help_text=None)
    with width:
        controls.number_control("layer_second_width", _("Its d_model"), help_text=None)
    with ids_column:
        st.text_input(_("Ids to look up in it"), key="layer_second_ids", max_chars=400, on_change=state.dismiss_notices)
    size = state.get("layer_second_rows"), state.get("layer_second_width")
    table = cache.layer_after(cache.key_of(request), *size).table
    ids, passed = read_ids(str(state.get("layer_second_ids")), len(table))
    if passed:
        st.warning(passed_over(passed, _("the second layer"), len(table)))
    st.write(
        (
            _(
                "Drawn from the stream of seed {seed} after the {count:,} numbers of a fresh table of E’s size: "
                "standard normal, as `torch.nn.Embedding({rows}, {width})` begins. Marked rows are looked up."
            )
            if request.matrix == "trained"
            else _(
                "Drawn after the {count:,} numbers of E from the stream of seed {seed}: standard normal, as "
                "`torch.nn.Embedding({rows}, {width})` begins. Marked rows are looked up."
            )
        ).format(count=request.vocab_size * request.d_model, seed=request.seed, rows=len(table), width=table.shape[1])
    )
    st.table(rows_table(table, ids), border="horizontal", hide_index=True, alt=_("The second layer's rows."))
    context = state.get("layer_context")
    alone, after = (cache.positions_of(request, context, made)[0] for made in (None, size))
    st.write(
        _(
            "**What it changes:** the table of positions is made after it. Its first row begins **{after}**; without "
            "the second layer it would begin {alone}, which are the numbers that the second layer took."
        ).format(after=_begins(after), alone=_begins(alone))
        if request.start == "normal_1"
        else _(
            "**What it changes:** the table of positions is made after it. Its first row begins **{after}**; without "
            "the second layer it would begin {alone}."
        ).format(after=_begins(after), alone=_begins(alone))
    )


def _begins(row: Tensor) -> str:
    """Write the first numbers of a row."""
    return " ".join(f"{value:.4f}".replace("-", "−") for value in row[:3].tolist())


def second_size(request: Request) -> tuple[int, int] | None:
    """Return rows and width of the second layer; None where none is made."""
    if request.by_hand or not state.get("layer_second"):
        return None
    return state.get("layer_second_rows"), state.get("layer_second_width")


def second_ids() -> tuple[int, ...]:
    """Return the ids that are looked up in the second layer."""
    return read_ids(str(state.get("layer_second_ids")), state.get("layer_second_rows"))[0]


def rows_table(table: Tensor, ids: tuple[int, ...]) -> dict[str, list[str]]:
    """Write a table's rows with four decimals, the picked ones marked, their first dimensions only."""
    picked = _("looked up")
    columns = {_("row"): [str(row) for row in range(len(table))]}
    columns[picked] = [_("← yes") if row in ids else "" for row in range(len(table))]
    for column in range(min(8, table.shape[1])):
        columns[str(column)] = [f"{value:.4f}".replace("-", "−") for value in table[:, column].tolist()]
    return columns
