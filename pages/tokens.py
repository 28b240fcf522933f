"""One text split by several tokenizers: where they differ, how pieces are merged, which bytes make a character."""

from pathlib import Path

import streamlit as st

from ui.settings import state
from ui.shared.page_fragment import page_fragment
from ui.shared.text.text_area import show_notices
from ui.tokens.bytes import bytes_of_characters
from ui.tokens.chat import chat
from ui.tokens.controls import settings_sidebar, text_with_examples
from ui.tokens.languages import tokens_per_language
from ui.tokens.merges import merges
from ui.tokens.questions import show_code, show_questions
from ui.tokens.request import (
    checked_request,
    closely_control,
    ready_tokenizers,
    request_without_text,
    show_reached_sizes,
)
from ui.tokens.rows import explain_rows, side_by_side
from ui.tokens.splitting import explain_split, splits_by_rule

st.html(Path(__file__).parent.parent / "ui" / "tokens" / "style.css")
settings_sidebar()
learns_from_text = state.get("train_on") == "text"


def text_and_tokens() -> None:
    """Draw the text area and all that follows it."""
    prepared = text_with_examples()
    show_notices(prepared)
    ready = ready_tokenizers()
    request = checked_request(prepared.text, ready) if prepared.text and ready else None
    if learns_from_text:
        show_reached_sizes(request or request_without_text(ready))
    if request is not None:
        chosen = side_by_side(request)
        explain_rows(request)
        closely_control(request)
        if splits_by_rule(request.closely):
            explain_split(request, chosen)
        merges(request, chosen)
        bytes_of_characters(request, chosen)
        chat(request)
        tokens_per_language(request)
        show_code(request, chosen)
        show_questions(request, chosen)
    else:  # what does not depend on the text
        others = request_without_text(ready)
        closely_control(others)
        chat(others)
        tokens_per_language(others)
        show_code(others, None)


if learns_from_text:  # the sidebar follows the text too
    text_and_tokens()
else:
    page_fragment(text_and_tokens)
    show_reached_sizes(request_without_text(state.get("tokenizers")))
