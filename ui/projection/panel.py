"""Beside the picture: search, and the chosen row with its true neighbours."""

import numpy as np
import streamlit as st

from embedlib.neighbours import nearest_neighbours
from embedlib.tables import SearchError, search_names
from embedlib.tokenizers import TOKEN_KINDS
from ui.cache.bounded import memo
from ui.i18n import _, ngettext
from ui.projection.places import Places
from ui.projection.tables import ShownTable
from ui.projection.view import View, choose, kinds_of_rows, neighbours_of, norms_of_rows
from ui.settings import state
from ui.shared.markdown import as_code

OFFERED = 8  # of the rows found


def search(table: ShownTable) -> list[int] | None:
    """Draw the search; return the rows found, the best first, or None where nothing is sought."""
    st.text_input(
        _("Search"),
        key="find",
        placeholder=_("a word, or an expression"),
        live="200ms",
        on_change=state.dismiss_notices,
    )
    st.toggle(
        _("Regular expression"),
        key="expression",
        help=_("Searched anywhere in the token, as it is: ^ and $ mark its ends, and a word's space is part of it."),
        on_change=state.dismiss_notices,
    )
    wanted, expression = state.get("find"), state.get("expression")
    if not wanted:
        return None
    try:
        found = _search(table, wanted, expression)
    except SearchError as error:
        st.error(
            _("This takes too long: make the expression simpler.")
            if error.code == "timeout"
            else _("The expression is not complete: {detail}. Correct it, or switch regular expressions off.").format(
                detail=as_code(error.detail)
            )
        )
        return None
    _offer(table, found)
    return found


@memo(20_000_000, key=lambda table, *sought: (table.key, *sought))
def _search(table: ShownTable, wanted: str, expression: bool) -> list[int]:
    return search_names(table.names.texts, wanted, expression=expression)


def chosen_row(view: View, places: Places | None) -> None:
    """Show the chosen row and its neighbours in the full space, and which of them the picture keeps."""
    asked = state.get("row")
    if view.chosen is None and asked is not None:
        st.info(
            _("This table has {rows:,} rows, counted from 0, so there is no row {row:,}: choose another.").format(
                rows=view.table.n_rows, row=asked
            )
        )
        return
    if view.chosen is None:
        st.info(_("Choose a point, a token of your text, or a row you searched for: its ten nearest rows appear here."))
        return
    table, row = view.table, view.chosen
    st.header(as_code(table.names.labels[row]))
    st.caption(f"{_about(table, row)} · " + _("length {norm:.3f}").format(norm=norms_of_rows(table)[row]))
    found = neighbours_of(table, row, view.metric)
    ids = found.ids[0].tolist()
    near = set() if places is None else _near_in_picture(places, row, len(ids))
    st.dataframe(
        {
            "token": [table.names.labels[other] for other in ids],
            "similarity": found.similarities[0].numpy(),
            "near": ["✓" if other in near else "" for other in ids],
            "row": ids,
        },
        hide_index=True,
        column_config={
            "token": st.column_config.TextColumn(_("nearest rows"), width=112),
            "similarity": st.column_config.NumberColumn(_measured(view.metric), format="%.3f", width=66),
            "near": st.column_config.TextColumn(
                _("here"), help=_("✓: also among the nearest in the picture."), width=46
            ),
            "row": None,
        },
        key="neighbours",
        on_select=lambda: _choose_neighbour(ids),
        selection_mode="single-row",
    )
    sentence = _("Measured in all {columns:,} columns.").format(columns=table.d_model)
    if places is not None:
        kept = sum(other in near for other in ids)
        sentence += " " + _("✓: also among the nearest in the picture, {kept} of {count}.").format(
            kept=kept, count=len(ids)
        )
    st.caption(sentence)


def _about(table: ShownTable, row: int) -> str:
    """Say what is known of a row besides its name."""
    if table.counts is not None:
        return _("row {row:,} · met {count:,} times").format(row=row, count=table.counts[row])
    kind = list(TOKEN_KINDS.values())[kinds_of_rows(table)[row]]
    return _("row {row:,} · {kind}").format(row=row, kind=_(kind))


def _measured(metric: str) -> str:
    return {"cosine": _("cosine"), "dot": _("dot product"), "euclidean": _("− distance")}[metric]


def _offer(table: ShownTable, found: list[int]) -> None:
    """List the first rows found, to choose from."""
    count = len(found)
    st.caption(ngettext("{count:,} row found", "{count:,} rows found", count).format(count=count))
    if found:
        st.pills(
            _("Rows found"),
            found[:OFFERED],
            key="found_row",
            format_func=lambda row: as_code(table.names.labels[row]),
            label_visibility="collapsed",
            on_change=_choose_found,
        )


def _choose_found() -> None:
    row = st.session_state.get("found_row")
    if row is not None:
        choose(int(row))


def _choose_neighbour(ids: list[int]) -> None:
    rows = st.session_state["neighbours"].selection.rows
    if rows:
        choose(ids[rows[0]])


def _near_in_picture(places: Places, row: int, count: int) -> set[int]:
    """Return the rows nearest to one in the picture; empty where it is not drawn."""
    index = int(np.searchsorted(places.ids, row))
    if index >= len(places.ids) or places.ids[index] != row or len(places.ids) <= count:
        return set()
    points = places.points[:, : places.dimensions]
    found = nearest_neighbours(points, points[index][None], count, "euclidean", exclude=[index])
    return set(places.ids[found.ids[0].numpy()].tolist())
