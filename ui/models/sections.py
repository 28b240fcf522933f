"""Sections of the page of trained models, from a model's sizes to the program."""

from typing import Any

import streamlit as st

from embedlib.i18n import N_
from embedlib.programs import models_program
from ui.components.browser import is_narrow
from ui.embed import section_scope
from ui.export import set_data_source, show_program
from ui.i18n import _
from ui.jobs import Report, downloads, result_or_progress
from ui.markdown import as_code
from ui.models.beside import side_by_side
from ui.models.cache import MOST_COMMON, ModelResult, read_parts, read_positions, read_table, read_tokenizer
from ui.models.facts import show_model_sizes, show_text_rows
from ui.models.frequency import lengths_by_rank, undertrained_tokens
from ui.models.positions import has_position_rows, position_rows
from ui.settings import state
from ui.shared.model_choice import Model, model_sentence, show_model_errors, split_model_setting
from ui.shared.model_rows import whole_table
from ui.shared.origin import model_source
from ui.shared.page import section

_PARTS: tuple[ModelResult[Any], ...] = (read_parts, read_tokenizer, read_positions)


def show_model(model: Model, other: Model | None, text: str) -> None:
    """Show a model, and another beside it."""
    on_phone = is_narrow()  # read in every rerun, or the browser would not measure
    if not _is_description_ready(model):
        return
    set_data_source(model_source(model.title))
    left, right = st.columns([34, 66], gap="medium")
    with left:
        show_model_sizes(model)
    with right, show_model_errors():
        show_text_rows(model, text)
    with show_model_errors("positions"):
        position_rows(model)
    word = None
    with show_model_errors():
        if _is_table_ready(model):
            lengths_by_rank(model, text, on_phone=on_phone)
            undertrained_tokens(model)
            with section_scope("models-beside"):
                st.header(_("Two models side by side"))
                st.write(
                    _(
                        "Two models were trained on different texts and in different ways. Do they still agree on "
                        "which words are alike? Both columns list the nearest words to the same word, among the words "
                        "that both models have."
                    )
                )
                if other is None:
                    st.write(
                        _(
                            "The second is a small table of word vectors that ships with this app. Word2vec trained it "
                            "on the sentences of a small grammar, in a run of its own, so its numbers differ from "
                            "those on the page Training."
                        )
                    )
                if other is None or (_is_description_ready(other) and _is_table_ready(other)):
                    word = side_by_side(model, other, text)
    _show_code(model, other, text, word)


@section("models-code", N_("Code"))
def _show_code(model: Model, other: Model | None, text: str, word: str | None) -> None:
    widget = """
from embedlib.tokenizers import token_labels
from embedlib.widgets import matrix
rows = model.rows(token_ids[:64], dtype=torch.float32)
labels = token_labels(tokenizer.tokenize(text)[:64])
matrix(rows, title="token rows of the text", rows="token", columns="dimension", labels=labels)
"""
    show_program(program(model, other, text, word), "models", widget if text.strip() else "")


def program(model: Model, other: Model | None, text: str, word: str | None) -> str:
    """Write the program that prints the page's numbers."""
    _source, table, positions = split_model_setting(str(state.get("model")))
    return models_program(
        model.source,
        text,
        table=table,
        positions=positions,
        other=None if other is None else other.source,
        other_table=split_model_setting(str(state.get("other_model")))[1],
        word=word,
        has_positions=has_position_rows(model),
        most=MOST_COMMON,
    )


def _is_description_ready(model: Model) -> bool:
    """Return whether headers, tokenizer and positions are here or known to be missing; else fetch them."""
    if model.is_local:
        return True

    def fetch(report: Report) -> list[Any]:
        report(0.0)
        return [part.attempt(model) for part in _PARTS]

    parts = result_or_progress(
        fetch,
        job=("about", model.key),
        title=_("Opening {name}").format(name=as_code(model.title)),
        key=f"about-{model.source}",
        failure=model_sentence,
        queue=downloads,
    )
    if parts is None:
        return False
    for part, found in zip(_PARTS, parts, strict=True):
        part.keep(found, model)
    return True


def _is_table_ready(model: Model) -> bool:
    """Return whether all rows of a model are on this machine; else offer to fetch them, with progress."""
    if model.is_local:
        return True
    rows = whole_table(model, key=f"table-{model.source}")
    if rows is not None:
        read_table.keep(rows, model)
    return rows is not None
