"""Two sentences of the same words: which schemes tell their order, and what the causal mask adds to it."""

import streamlit as st

from ui.i18n import _
from ui.word_order.request import checked_request, encoder_exists, settings_sidebar, two_sentences
from ui.word_order.results import identical, show_code
from ui.word_order.schemes import what_the_mask_sees, which_schemes_tell
from ui.word_order.tokens import same_tokens

st.title(_("Does word order count?"))
settings_sidebar()
request = checked_request(*two_sentences())
if request is not None:
    same_tokens(request)
    if not identical(request) and encoder_exists(request):
        which_schemes_tell(request)
        what_the_mask_sees(request)
        show_code(request)
