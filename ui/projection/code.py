"""The program behind the projection page."""

from dataclasses import asdict
from typing import Any

import streamlit as st

from embedlib.i18n import N_
from embedlib.programs import neighbours_part, principal_part, projection_program
from embedlib.tables import TextLayout
from ui.export import show_program
from ui.projection.meaning import analogy_in_program
from ui.projection.places import Places
from ui.projection.tables import MODEL, OWN, ShownTable, names_beside, own_table
from ui.projection.view import NEIGHBOURS, View
from ui.settings import state
from ui.shared.model_choice import split_model_setting
from ui.shared.page import section


@section("projection-code", N_("Code"))
def show_code(view: View, text: str, places: Places | None) -> None:
    """Show the program that prints the page's numbers, with those of the analogy and the map where there are some."""
    table = view.table
    parts = [
        principal_part(n_components=min(3, table.d_model), rows=view.isolated),
        places.part if places is not None else None,
        None
        if view.chosen is None
        else neighbours_part(view.chosen, k=min(NEIGHBOURS, table.n_rows - 1), metric=view.metric),
        analogy_in_program(view),
    ]
    program = projection_program(
        _table_argument(table),
        [part for part in parts if part is not None],
        d_model=table.d_model,
        seed=state.get("seed"),
        tokenizer=state.get("tokenizer"),
        text=text,
        model_table=split_model_setting(str(state.get("model")))[1],
        names_file=None if (names := names_beside(table.path)) is None else names.name,
        stays_in_file=table.path is not None and table.is_large,
        layout=_text_layout_arguments() if table.source == OWN else None,
    )
    widget = f"from embedlib.widgets import cloud\ncloud(table, names, chosen={view.chosen})"
    show_program(program, "projection", "" if table.is_large else widget)


def _text_layout_arguments() -> dict[str, Any]:
    """Return the arguments of the reader's layout of their text table."""
    layout: TextLayout = st.session_state.get("own_layout", TextLayout())
    return {part: value for part, value in asdict(layout).items() if value not in (None, ())}


def _table_argument(table: ShownTable) -> str:
    """Return the table's name in the program: of a file its name, of a model "model:" and its source."""
    loaded = own_table()
    if table.source == OWN and loaded is not None:
        return loaded.name
    source = split_model_setting(str(state.get("model")))[0]
    return (source if source == "minilm" else f"model:{source}") if table.source == MODEL else table.source
