"""The text and the tokenizers beside each other, so that the first rows are on the first screen."""

import streamlit as st

from ui.shared.text.prepared import PreparedText
from ui.shared.text.text_area import text_area
from ui.tokens.request import tokenizer_controls
from ui.tokens.specials import specials_in_text
from ui.tokens.text import examples


def text_and_tokenizers() -> PreparedText:
    """Draw the text area and the choice of tokenizers; return the text that can be used."""
    text, tokenizers = st.columns(2, gap="medium")
    with text:
        prepared = text_area()
    with tokenizers:
        tokenizer_controls()
        specials_in_text(prepared.text)
    examples()
    return prepared
