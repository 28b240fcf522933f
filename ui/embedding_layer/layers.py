"""Two more tables: a second layer drawn after E, and one whose rows stand for positions."""

import streamlit as st
import torch
from plotly.graph_objects import Figure
from torch import Tensor

from embedlib.embedding import lookup
from embedlib.figures.colours import DIVERGING, colour_limit
from embedlib.figures.sum import sum_figure
from embedlib.initialisations import INITIALISATIONS
from ui import controls, state, theme
from ui.components import vector_sum as sum_component
from ui.components.vector_sum import vector_sum
from ui.embedding_layer import cache
from ui.embedding_layer.request import Request, read_ids
from ui.i18n import _, ngettext, translated
from ui.tables import parts_csv
from ui.take_along import take_along


def second_layer(request: Request) -> None:
    """Show a layer that is made right after E, and the rows that ids pick from it."""
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
            _("With one seed, the numbers of a layer depend on which layers were made before it. Switch it on to see.")
        )
        return
    rows, width, ids_column = st.columns(3)
    with rows:
        controls.number_control("layer_second_rows", _("Rows of the second layer"), help_text=None)
    with width:
        controls.number_control("layer_second_width", _("Its d_model"), help_text=None)
    with ids_column:
        st.text_input(_("Ids to look up in it"), key="layer_second_ids", max_chars=400, on_change=state.dismiss_notices)
    table = cache.layer_after(cache.key_of(request), state.get("layer_second_rows"), state.get("layer_second_width"))
    ids, problem = read_ids(str(state.get("layer_second_ids")), len(table))
    if problem:
        st.warning(problem)
    st.write(
        _(
            "Drawn after the {count:,} numbers of E from the stream of seed {seed}: standard normal, as "
            "`torch.nn.Embedding({rows}, {width})` begins. Marked rows are looked up."
        ).format(count=request.vocab_size * request.d_model, seed=request.seed, rows=len(table), width=table.shape[1])
    )
    st.table(rows_table(table, ids), border="horizontal", hide_index=True, alt=_("The second layer's rows."))


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
    positions = cache.positions_of(request, context)
    count = len(request.token_ids)
    samples = -(-count // context)
    st.caption(_shapes(request, context, samples))
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
        colours=DIVERGING[theme.current()],
        limit=colour_limit(rows, added, rows + added),
        adds=True,
        labels=translated(sum_component.LABELS),
        key="vector-sum",
    )
    st.caption(_origin(request, context))
    _take_sum(request, context)


def _take_sum(request: Request, context: int) -> None:
    look, title, x_title = theme.current(), _("Token row + position row"), _("dimension")
    names = (_("token rows"), _("position rows"), _("input rows"))
    labels = _labels(request, place_of(len(request.token_ids), context))

    def parts() -> tuple[Tensor, Tensor]:
        return cache.rows_of(request), lookup(cache.positions_of(request, context), place_of(len(labels), context))

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
        return len(cache.positions_of(request, 0))
    return int(state.get("layer_context"))


def place_of(count: int, context: int) -> Tensor:
    """Return each token's place in its sample, (count,)."""
    return torch.arange(count) % context


def _shapes(request: Request, context: int, samples: int) -> str:
    return (
        ngettext("{count} sample", "{count} samples", samples).format(count=samples)
        + " · "
        + _("token rows ({samples}, {context}, {d_model}) + position rows ({context}, {d_model})").format(
            samples=samples, context=context, d_model=request.d_model
        )
        + ("" if len(request.token_ids) % context == 0 else " · " + _("the last sample is shorter"))
    )


def _origin(request: Request, context: int) -> str:
    if request.by_hand:
        return _("Both tables are given by hand.")
    return _(
        "The {context} × {d_model} position rows are random too: “{start}”, drawn from the same stream right after E."
    ).format(context=context, d_model=request.d_model, start=_(INITIALISATIONS[request.start].title))
