"""One text cut by several tokenizers: where they agree, how pieces are merged, which bytes make a character."""

from pathlib import Path

import streamlit as st

from ui.i18n import _
from ui.shared.page import draw_first
from ui.tokens.bytes import bytes_of_characters
from ui.tokens.chat import chat
from ui.tokens.choosing import how_it_cuts
from ui.tokens.controls import text_and_tokenizers
from ui.tokens.languages import same_in_languages
from ui.tokens.merges import merges
from ui.tokens.questions import ask, show_code
from ui.tokens.request import (
    checked_request,
    closely_control,
    ready_tokenizers,
    settings_sidebar,
    sizes_reached,
    without_text,
)
from ui.tokens.rows import about_rows, side_by_side

st.html(Path(__file__).parent.parent / "ui" / "tokens" / "style.css")
st.title(_("One text, many tokenizers"))
st.write(
    _("A tokenizer cuts a text into pieces and gives each a number: the row of the embedding matrix that it picks.")
)
settings_sidebar()
prepared = text_and_tokenizers()
for notice in prepared.notices:
    st.warning(notice)
if not prepared.text:
    st.info(_("The text is empty: type something, or load an example."))
ready = ready_tokenizers()
request = checked_request(prepared.text, ready) if prepared.text and ready else None
sizes_reached(request or without_text(ready))
if request is not None:
    chosen = side_by_side(request)
    about_rows(request)
    draw_first()
    closely_control(request)
    how_it_cuts(request, chosen)
    merging = merges(request, chosen)
    bytes_of_characters(request, chosen)
    chat(request)
    languages = same_in_languages(request)
    ask(request, merging, languages)
    show_code(request, merging, chosen)
else:  # what does not depend on the text
    others = without_text(ready)
    closely_control(others)
    chat(others)
    same_in_languages(others)
    show_code(others, None, None)
