"""Two sentences of the same words: which schemes encode their order, and what the causal mask adds to it."""

import streamlit as st

from ui.cache.minilm import opens_with_minilm
from ui.shared.page_fragment import page_fragment
from ui.word_order.addition import show_addition
from ui.word_order.attention import show_attention
from ui.word_order.request import checked_request, encoder_exists, settings_sidebar, two_sentences
from ui.word_order.results import is_identical, show_code
from ui.word_order.schemes import order_lost, scheme_outcomes, show_causal_mask, show_trained_model
from ui.word_order.tokens import token_positions

settings_sidebar()


def sentences() -> None:
    """Draw the two sentences, and all that follows them."""
    request = checked_request(*two_sentences())
    if request is None:
        return
    left, right = st.columns([4, 9], gap="medium")
    with left:
        token_positions(request)
    if not is_identical(request) and encoder_exists(request):
        with right, st.container(key="order-lost"):
            order_lost(request)
        scheme_outcomes(request)
        show_attention()
        show_addition(request)
        show_causal_mask(request)
        if opens_with_minilm():
            show_trained_model(request)
        show_code(request)


page_fragment(sentences)
