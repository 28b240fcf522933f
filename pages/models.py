"""A trained model: its sizes, its rows of a text, its positions, and another model beside it."""

from pathlib import Path

import streamlit as st

from ui.i18n import _
from ui.models.sections import show_model
from ui.shared.model_choice import model_control, model_in_view
from ui.shared.page_fragment import page_fragment
from ui.shared.text.text_area import show_notices, text_area, text_title

st.html(Path(__file__).parent.parent / "ui" / "models" / "style.css")
with st.sidebar:
    model_control()
    model_control("other_model", label=_("Compare with"), optional=True, none=_("small word2vec table"))
model = model_in_view()
other = model_in_view("other_model")


text_title()


def text_and_model() -> None:
    """Draw the text area and all that follows it."""
    prepared = text_area()
    show_notices(prepared)
    if model is not None:
        show_model(model, other, prepared.text)


if (model is None or model.is_local) and (other is None or other.is_local):
    page_fragment(text_and_model)
else:
    text_and_model()
