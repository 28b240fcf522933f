"""The program behind the tokens page."""

import streamlit as st

from embedlib.programs.tokens import tokens_program
from embedlib.tokenizers.languages import SENTENCES
from ui.i18n import _
from ui.settings import state
from ui.tokens.merges import Merging, cutter_that_merges, span_in_view, spans_of
from ui.tokens.request import Request
from ui.tokens.rows import compared
from ui.tokens.settings import ALL


def show_code(request: Request, merging: Merging | None, chosen: int | None) -> None:
    """Show the program that prints the page's numbers."""
    st.header(_("The code"))
    st.caption(_("It prints the numbers of this page. Run it in the folder of this project."))
    st.code(program(request, merging, chosen), language="python", wrap_lines=True)


def program(request: Request, merging: Merging | None, chosen: int | None) -> str:
    """Write the program that prints tokens, merges, bytes and languages."""
    sentence = state.get("same_sentence")
    return tokens_program(
        request.text,
        tokenizers=[cutter.name for cutter in request.cutters],
        closely=request.closely.name,
        specials=request.specials,
        train_on_manual=state.get("train_on") == "manual",
        pieces=state.get("pieces"),
        compared=compared(request),
        piece=_piece(request, merging, chosen) if request.text else None,
        character=chosen or 0,
        sentences=tuple(SENTENCES) if sentence == ALL else (sentence,),
    )


def _piece(request: Request, merging: Merging | None, chosen: int | None) -> int | None:
    """Return which piece the page merges; None where it is another tokenizer's, or special tokens lie between."""
    cutter = cutter_that_merges(request)
    spans = spans_of(cutter, request.text, request.specials)
    if merging is None or cutter != request.closely or any(span.special for span in spans):
        return None
    return span_in_view(request, spans, chosen)
