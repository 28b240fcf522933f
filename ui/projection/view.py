"""What the reader has asked to see of the table: gathered once in each run, read by every part of the page."""

from dataclasses import dataclass

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from ui.projection.own_tables import OWN
from ui.projection.shown_table import ShownTable
from ui.projection.text_rows import TextRows
from ui.projection.traits import neighbours_of
from ui.settings import state

PICTURE = "point-cloud"
FEWEST = 3  # rows that can be looked at alone


@dataclass(frozen=True, eq=False)
class View:
    """A table as it is looked at now.

    Attributes:
        table: in view.
        text: the reader's text as rows of it.
        chosen: the chosen row.
        isolated: the rows to which the picture is narrowed; empty for all.
        metric: what likeness is measured by.
    """

    table: ShownTable
    text: TextRows
    chosen: int | None
    isolated: tuple[int, ...]
    metric: str

    @property
    def text_ids(self) -> list[int]:
        """The rows of the text's tokens, as often as they occur."""
        return [row.row for row in self.text.rows]

    @property
    def always(self) -> list[int]:
        """The rows that are drawn even where the others are a sample: the text's, the chosen one and its neighbours."""
        if self.chosen is None:
            return sorted({*self.text_ids})
        near = neighbours_of(self.table, self.chosen, self.metric).ids[0].tolist()
        return sorted({*self.text_ids, self.chosen, *near})


def view_of(table: ShownTable, text: TextRows) -> View:
    """Gather the settings; what another table has and this one has not is passed over."""
    _forget_rows_of_another(table)
    chosen = state.get("row")
    isolated = tuple(row for row in state.get("isolated") if row < table.n_rows)
    return View(
        table=table,
        text=text,
        chosen=chosen if chosen is not None and chosen < table.n_rows else None,
        isolated=isolated if len(isolated) >= FEWEST else (),
        metric=state.get("metric"),
    )


def _forget_rows_of_another(table: ShownTable) -> None:
    """Let go of rows that were chosen, marked or isolated in a table of other names; a link may bring its own."""
    names = f"{table.source}/{table.names.tokenizer}/{table.key if table.source == OWN else ''}"
    before = st.session_state.get("rows_are_of", names)
    st.session_state["rows_are_of"] = names
    if before != names:
        state.put(row=None, isolated=[], token=None)
        mark([])


def choose(row: int | None) -> None:
    """Choose a row, and the first token of the text that is that row."""
    state.put(row=row)
    state.dismiss_notices()


def marked() -> list[int]:
    """Return the rows that the reader has marked with box or lasso, as long as their table is in view."""
    return list(st.session_state.get("marked_rows", []))


def mark(rows: "list[int] | NDArray[np.int64]") -> None:
    """Keep the rows that the reader has marked."""
    st.session_state["marked_rows"] = [int(row) for row in rows]
