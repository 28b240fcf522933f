"""A second table, whose rows stand for the places of a sample and are added to those of its tokens."""

import streamlit as st
import torch
from plotly.graph_objects import Figure
from torch import Tensor

from embedlib.embedding.initialisation import INITIALISATIONS
from embedlib.embedding.table import lookup
from embedlib.figures.colours import DIVERGING, colour_limit
from embedlib.figures.sum import sum_figure
from ui.components import vector_sum as sum_component
from ui.components.vector_sum import vector_sum
from ui.embedding_layer import cache
from ui.embedding_layer.request import Request
from ui.embedding_layer.second import second_size
from ui.export.tables import parts_csv
from ui.export.take_along import take_along
from ui.i18n import _, ngettext, translated
from ui.settings import controls, state
from ui.shared import theme


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
