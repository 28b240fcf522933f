"""Sections of the page of trained models, from a model's sizes to the program."""

import streamlit as st

from embedlib.programs import models_program
from ui.components.browser import narrow, should_draw_section
from ui.export import show_program, source_is
from ui.i18n import _
from ui.models.beside import side_by_side
from ui.models.cache import MOST_COMMON
from ui.models.facts import made_of, rows_of_text
from ui.models.fetched import about_ready, table_ready
from ui.models.frequency import hardly_trained, lengths_by_rank
from ui.models.positions import has_position_rows, position_rows
from ui.settings import state
from ui.shared.model_choice import Model, model_faults, setting_parts
from ui.shared.rows import model_source


def show_model(model: Model, other: Model | None, text: str) -> None:
    """Show a model, and another beside it."""
    on_phone = narrow()  # asked in every run, or the browser would not measure
    if not about_ready(model):
        return
    source_is(model_source(model.title))
    left, right = st.columns([34, 66], gap="medium")
    with left:
        made_of(model)
    with right, model_faults():
        rows_of_text(model, text)
    with model_faults("positions"):
        position_rows(model)
    word = None
    with model_faults():
        if table_ready(model):
            lengths_by_rank(model, text, on_phone=on_phone)
            hardly_trained(model)
            st.header(_("Two models side by side"))
            if other is None or (about_ready(other) and table_ready(other)):
                word = side_by_side(model, other, text)
    st.header(_("Code"))
    if should_draw_section("models-code", height=1330, phone=1330):
        show_program(program(model, other, text, word), "models", wrap_lines=False)


def program(model: Model, other: Model | None, text: str, word: str | None) -> str:
    """Write the program that prints the page's numbers."""
    _source, table, positions = setting_parts(str(state.get("model")))
    return models_program(
        model.source,
        text,
        table=table,
        positions=positions,
        other=None if other is None else other.source,
        other_table=setting_parts(str(state.get("other_model")))[1],
        word=word,
        has_positions=has_position_rows(model),
        most=MOST_COMMON,
    )
