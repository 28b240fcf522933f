"""One text split by several tokenizers: where they differ, how pieces are merged, which bytes make a character."""

from pathlib import Path

import streamlit as st

from ui.i18n import _
from ui.shared.page import draw_first
from ui.shared.text.text_area import show_notices
from ui.tokens.bytes import bytes_of_characters
from ui.tokens.chat import chat
from ui.tokens.controls import settings_sidebar, text_with_examples
from ui.tokens.languages import tokens_per_language
from ui.tokens.merges import merges
from ui.tokens.questions import ask, show_code
from ui.tokens.request import checked_request, closely_control, ready_tokenizers, sizes_reached, without_text
from ui.tokens.rows import about_rows, side_by_side
from ui.tokens.splitting import how_it_splits

st.html(Path(__file__).parent.parent / "ui" / "tokens" / "style.css")
settings_sidebar()
prepared = text_with_examples(_("One text, many tokenizers"))
show_notices(prepared)
ready = ready_tokenizers()
request = checked_request(prepared.text, ready) if prepared.text and ready else None
sizes_reached(request or without_text(ready))
if request is not None:
    chosen = side_by_side(request)
    about_rows(request)
    draw_first()
    closely_control(request)
    how_it_splits(request, chosen)
    merging = merges(request, chosen)
    bytes_of_characters(request, chosen)
    chat(request)
    languages = tokens_per_language(request)
    ask(request, merging, languages)
    show_code(request, merging, chosen)
else:  # what does not depend on the text
    others = without_text(ready)
    closely_control(others)
    chat(others)
    tokens_per_language(others)
    show_code(others, None, None)
