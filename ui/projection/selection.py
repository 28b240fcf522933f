"""The rows that the reader has marked in the picture: counted, listed, kept alone, saved."""

import numpy as np
import streamlit as st

from ui.i18n import _, ngettext
from ui.projection.files import save_pair
from ui.projection.shown_table import ShownTable
from ui.projection.view import FEWEST, View, mark, marked
from ui.settings import state

LISTED = 5_000


def selection(view: View, found: list[int] | None) -> None:
    """Say what is marked and what can be done with it; without a mark, the same for what was found."""
    if view.isolated:
        _isolated(view)
    elif state.get("isolated"):
        st.info(_("All rows are in view: the link names fewer than three of this table to look at alone."))
    rows = [row for row in marked() if row < view.table.n_rows]
    sought = not rows and bool(found)
    rows = rows or list(found or ())
    if not rows:
        st.caption(_("Mark points with the box or the lasso to list them, save them, or look at them alone."))
        return
    count = len(rows)
    if not sought:
        st.markdown(ngettext("**{count:,} row marked**", "**{count:,} rows marked**", count).format(count=count))
    with st.container(horizontal=True):
        st.button(
            _("Look at them alone"),
            key="isolate",
            disabled=count < FEWEST,
            help=_("Only these rows are drawn, along principal axes of their own. At least three are needed."),
            on_click=_isolate,
            args=(rows,),
        )
        if not sought:
            st.button(_("Clear the mark"), key="clear-mark", type="tertiary", on_click=mark, args=([],))
    with st.expander(_("List them")):
        _listed(view.table, rows)
        save_pair(view.table, rows, key="marked")


def _isolated(view: View) -> None:
    sentence = (
        _("Only {count:,} of {total:,} rows are in view, along principal axes of their own.")
        if state.get("map") == "pca"
        else _("Only {count:,} of {total:,} rows are in view.")
    )
    st.info(sentence.format(count=len(view.isolated), total=view.table.n_rows))
    rule = state.SETTINGS["isolated"]
    if not rule.format(list(view.isolated)):
        st.caption(_("They are too many for a link: save them as files below to share them."))
    st.button(_("Show all rows again"), key="show-all", on_click=_show_all)


def _isolate(rows: list[int]) -> None:
    state.put(isolated=sorted(rows))
    mark([])
    state.dismiss_notices()


def _show_all() -> None:
    state.put(isolated=[])
    state.dismiss_notices()


def _listed(table: ShownTable, rows: list[int]) -> None:
    shown = np.asarray(rows[:LISTED])
    columns: dict[str, object] = {"row": shown, "token": [table.names.labels[row] for row in shown.tolist()]}
    columns |= {name: [values[row] for row in shown.tolist()] for name, values in table.names.columns.items()}
    st.dataframe(
        columns,
        hide_index=True,
        height=280,
        column_config={
            "row": st.column_config.NumberColumn(_("row"), format="%d"),
            "token": st.column_config.TextColumn(_("token")),
        },
    )
    if len(rows) > LISTED:
        st.caption(_("The first {count:,} are listed; all are saved.").format(count=LISTED))
