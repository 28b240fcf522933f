"""The panel beside the picture: the chosen row with its true neighbours. And what a search finds."""

from functools import partial
from typing import Literal

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from embedlib.errors import CodedError
from embedlib.neighbours import nearest_neighbours
from embedlib.projection import nearest_points
from embedlib.tables import MAX_MATCHES, ManyNames, search_names
from embedlib.tokenizers import TOKEN_KINDS
from ui.cache.bounded import memo
from ui.components._shared.data import SharedData
from ui.components._shared.reports import read_report
from ui.components.measure_table import Column, Row
from ui.components.point_cloud import Search, reported_search
from ui.export import Lines
from ui.i18n import _, number
from ui.markdown import as_code
from ui.projection.places import Places
from ui.projection.tables import ShownTable
from ui.projection.view import (
    NEIGHBOURS,
    PICTURE,
    View,
    choose_listed,
    choose_row,
    mark_rows,
    metric_sentence,
    metric_title,
    norms_by_row,
    row_kinds,
)
from ui.projection.whole import WholeTable, find_neighbours, known_whole
from ui.projection.window import zoom_to
from ui.settings import state
from ui.shared.saved_table import plain_table

OFFERED = 8  # of the rows that match


def matching_rows(table: ShownTable) -> list[int] | None:
    """Return the rows that the reader searches for, the best first, or None without a query; show what is wrong."""
    wanted, expression = state.get("find"), state.get("expression")
    if not wanted:
        return None
    try:
        return _search_names(table, wanted, expression)
    except CodedError as error:
        st.error(
            _("The search takes too long: simplify the expression.")
            if error.code == "timeout"
            else _("The expression is incomplete: {detail}.").format(detail=as_code(error.values["detail"]))
        )
        return None


@memo(20_000_000, key=lambda table, *sought: (table.key, *sought))
def _search_names(table: ShownTable, wanted: str, expression: bool) -> list[int]:
    return search_names(table.names.texts, wanted, expression=expression)


def chosen_row(view: View, places: Places | None) -> None:
    """Show the chosen row and its neighbours in the full space, and which of them are neighbours in the picture."""
    wanted = state.get("row")
    if view.chosen is None:
        st.info(
            _("Choose a point of the picture, a token of your text or a result of the search.")
            if wanted is None
            else _("There is no row {row:,}: the last one is {last:,}.").format(row=wanted, last=view.table.n_rows - 1)
        )
        return
    table, row = view.table, view.chosen
    st.container(key="chosen-row").write(as_code(table.names.labels[row]))
    norm = norms_by_row(table, np.array([row]))[0]
    st.caption(_row_facts(table, row) + " · " + _("length of the row {norm:.3f}").format(norm=norm))
    if places is not None and places.density is not None:
        st.button(_("Zoom to row"), key="zoom-to-row", on_click=zoom_to, args=(table, row))
    nearest = view.nearest
    if nearest is None:
        find_neighbours(table, row, view.metric, min(NEIGHBOURS, table.n_rows - 1))
        return
    ids = nearest.ids[0].tolist()
    near = set() if places is None else _picture_neighbours(table, places, row, len(ids))
    plain_table(
        [Column(metric_title(view.metric)), Column(_("in picture too"))],
        [
            Row(
                table.names.labels[other],
                [float(similarity), float(other in near)],
                [number(similarity, ".3f"), "✓" if other in near else ""],
            )
            for other, similarity in zip(ids, nearest.similarities[0].tolist(), strict=True)
        ],
        first=_("nearest rows"),
        key="neighbours",
        alt=_("Nearest neighbours"),
        on_row=partial(choose_listed, "neighbours", ids),
        numbers=Lines(
            ["row", "label", view.metric, "near_in_the_picture"],
            [
                [other, table.names.labels[other], similarity, int(other in near)]
                for other, similarity in zip(ids, nearest.similarities[0].tolist(), strict=True)
            ],
        ),
    )
    if places is not None:
        st.caption(metric_sentence(view.metric))
        kept = sum(other in near for other in ids)
        sentence = (
            _(
                "{kept} of the {count} nearest rows are also among the {count} nearest points of the picture; each "
                "such row has a ✓. Trust the list: it measures in all dimensions."
            )
            if kept
            else _(
                "None of the {count} nearest rows is among the {count} nearest points of the picture. Trust the list: "
                "it measures in all dimensions."
            )
        )
        st.caption(sentence.format(kept=kept, count=len(ids)))


def _row_facts(table: ShownTable, row: int) -> str:
    """Return a row's known facts besides its name."""
    if table.counts is not None:
        return _("row {row:,} · frequency {count:,}").format(row=row, count=table.counts[row])
    kind = list(TOKEN_KINDS.values())[row_kinds(table, np.array([row]))[0]]
    return _("row {row:,} · {kind}").format(row=row, kind=_(kind))


def search_in_view(
    table: ShownTable, matches: list[int] | None, texts: SharedData | Literal["labels"] | None
) -> Search:
    """Return the search for the picture, with what Python has found where the browser cannot search.

    Args:
        table: whose rows.
        matches: the rows found, the best first; None without a query, or where it cannot be searched for.
        texts: what the browser searches; None if it has not the names of all rows.
    """
    for setting in ("find", "expression"):
        state.note_control(setting)
    text, expression = state.get("find"), state.get("expression")
    if not text or (texts is not None and not expression):
        return Search(text, expression, texts)
    found = matches or []
    many = isinstance(table.names.texts, ManyNames) and len(found) == MAX_MATCHES
    return Search(
        text,
        expression,
        texts,
        count="" if matches is None else number(len(found), ",") + ("+" if many else ""),
        first=[(row, table.names.labels[row]) for row in found[:OFFERED]],
    )


def apply_search() -> None:
    """Apply the search that the reader has typed, in a callback."""
    sought = reported_search(PICTURE)
    if sought is not None:
        state.set_local(find=sought[0], expression=sought[1])
        mark_rows([])  # a new search ends the mark


def choose_match(n_rows: int) -> None:
    """Choose a match that is no point of the picture, in a callback."""
    row = read_report(PICTURE, "match")
    if type(row) is int and 0 <= row < n_rows:
        choose_row(row)


def _picture_neighbours(table: ShownTable, places: Places, row: int, count: int) -> set[int]:
    changes = places.place is None or places.density is not None  # a map in the making, or more rows than are drawn
    return (_nearest_in_picture if changes else _cached_picture_neighbours)(table, places, row, count)


@memo(key=lambda table, places, *asked: (table.key, places.key, places.dimensions, *asked))
def _cached_picture_neighbours(table: ShownTable, places: Places, row: int, count: int) -> set[int]:
    return _nearest_in_picture(table, places, row, count)


def _nearest_in_picture(table: ShownTable, places: Places, row: int, count: int) -> set[int]:
    """Return the rows nearest to one in the picture; empty where it is not drawn."""
    if places.density is not None and (whole := known_whole(table)) is not None:
        return set(_nearest_of_all_places(table, whole, row, count).tolist())
    index = int(np.searchsorted(places.ids, row))
    if index >= len(places.ids) or places.ids[index] != row or len(places.ids) <= count:
        return set()
    points = places.points[:, : places.dimensions]
    nearest = nearest_neighbours(points, points[index][None], count, "euclidean", exclude=[index])
    return set(places.ids[nearest.ids[0].numpy()].tolist())


@memo(key=lambda table, _whole, *asked: (table.key, *asked))
def _nearest_of_all_places(table: ShownTable, whole: WholeTable, row: int, count: int) -> NDArray[np.int64]:
    return nearest_points(whole.places, row, count)
