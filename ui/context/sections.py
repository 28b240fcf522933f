"""The page from top to bottom; what the model has not been opened for yet keeps its place."""

from collections.abc import Callable

import streamlit as st

from embedlib.programs import context_program
from embedlib.tables import TableError
from ui.components.browser import narrow, should_draw_section
from ui.context import attention, layers, lines, uses, what_if, word
from ui.context.model import MAX_TOKENS, model_opened
from ui.context.request import WordRequest, examples, word_request
from ui.export import show_program, source_is
from ui.i18n import _
from ui.settings import MINILM, state
from ui.shared.model_choice import model_sentence
from ui.shared.opened_model import OpenedModel
from ui.shared.rows import model_source

_FIRST = 470  # px of the chart in the first window with what stands over and under it


def sections() -> None:
    """Draw the word in its sentences, and below it all that the model does with texts, or say why it cannot."""
    examples()
    try:
        _sections()
    except TableError as error:  # a tokenizer that does not go with the weights has ids without a row
        st.error(model_sentence(error))


def _sections() -> None:
    left, right = st.container(key="context-top").columns([5, 8], gap="large")
    with left:
        request = word_request()
        strips = st.container(key="context-strips")
    with right:
        st.header(_("The word by layer"))
        opened, opening = model_opened()
        if opening:
            _room(_FIRST)
        elif opened is None:
            return
        if opened is not None:
            source_is(model_source("MiniLM" if opened.source == MINILM else opened.source))
        if opened is not None and request is not None and not word.by_layer(opened, request):
            request = None
    if request is not None and not narrow():  # a phone's window is for the chart
        with strips:
            if opened is None:
                _room(word.DIRECTIONS_ROOM)
            else:
                word.directions(opened, request)
    below: list[tuple[str, str, int, int, Callable[[OpenedModel], None]]] = [
        ("context-uses", _("Uses of the word"), 650, 1_089, uses.uses_of_the_word),
        ("context-layers", _("A text by layer"), 1_040, 1_767, layers.text_by_layer),
        ("context-attention", _("Attention"), 880, 1_715, attention.attention_of_heads),
        ("context-what-if", _("Other positions"), 480, 898, what_if.other_positions),
        ("context-lines", _("Sentence vectors"), 650, 1_323, lines.sentence_vectors),
    ]
    for section, title, height, phone, draw in below:
        st.header(title)
        if should_draw_section(section, height=height, phone=phone):
            if opened is None:
                _room(height)
            else:
                draw(opened)
    st.header(_("Code"))
    if should_draw_section("context-code", height=2_000, phone=2_600) and opened is not None and request is not None:
        show_program(program(opened, request), "context")


def _room(height: int) -> None:
    st.html(f'<div data-opening style="height: {height}px"></div>')


def program(opened: OpenedModel, request: WordRequest) -> str:
    """Write the program that prints what the page shows."""
    text, model = layers.text_in_view(), opened.model
    sentences, meanings, _names = uses.read_lines(state.get("context_uses"))
    typed = lines.lines_of(state.get("context_lines"))
    has_text = bool(text.strip())
    positions = what_if.compared(opened, text)[0] if has_text else {}
    return context_program(
        opened.source,
        in_folder=opened.key.startswith("./"),
        word=request.word,
        sentences=request.sentences,
        uses=list(zip(meanings, sentences, strict=True)),
        layer=min(state.get("context_layer"), model.n_layers),
        text=text if has_text else "",
        attention_layer=min(state.get("context_attention"), model.n_layers),
        head=min(state.get("context_head"), model.n_heads - 1),
        positions={name: (kind, given, dict(named)) for name, (kind, given, named) in positions.items()},
        lines=typed if len(typed) >= lines.FEWEST else [],
        max_tokens=MAX_TOKENS,
    )
