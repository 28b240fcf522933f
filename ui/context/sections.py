"""The context page from top to bottom, with placeholders until its model has been opened."""

from collections.abc import Callable
from functools import partial
from html import escape

import streamlit as st

from embedlib.i18n import N_
from embedlib.programs import context_program
from embedlib.tables import TableError
from ui.components.browser import is_narrow
from ui.context import attention, layers, lines, uses, what_if, word
from ui.context.model import MAX_TOKENS, open_model
from ui.context.request import WordRequest, title_and_examples, word_request
from ui.embed import section_scope
from ui.export import set_data_source, show, show_program
from ui.i18n import _
from ui.settings import MINILM, state
from ui.shared.model_choice import model_sentence
from ui.shared.opened_model import OpenedModel
from ui.shared.origin import model_source
from ui.shared.page import section

_FIRST = 470  # px of the chart in the first window with what stands over and under it


def sections() -> None:
    """Draw the word in its sentences, and below it what the model does with texts, or why it cannot be opened."""
    title_and_examples()
    try:
        _sections()
    except TableError as error:  # a tokenizer that does not go with the weights has ids without a row
        st.error(model_sentence(error))


def _sections() -> None:
    left, right = st.container(key="context-top").columns([5, 8], gap="large")
    with left:
        request = word_request()
        strips = st.container(key="context-strips")
    with right, section_scope("context-word"):
        st.header(_("The word by layer"))
        opened, opening = open_model()
        if opening:
            _placeholder(_FIRST)
        elif opened is None:
            return
        if opened is not None:
            set_data_source(model_source("MiniLM" if opened.source == MINILM else opened.source))
        if request is None:
            st.warning(_("The first two sentences share no word: write one word into both, and it is followed here."))
        elif opened is not None and not word.show_word_by_layer(opened, request):
            request = None
    if request is not None and not is_narrow():  # a phone's window is for the chart
        with strips, section_scope("context-word", "strips"):
            if opened is None:
                _placeholder(word.DIRECTIONS_ROOM)
            else:
                show(word.directions, opened, request)
    for key, title, lead, draw in BELOW:
        if key == "context-attention":
            _your_text(opened)
        section(key, title, lead=lead)(partial(_draw_when_open, draw))(opened)
    if opened is not None and request is not None:
        _show_code(opened, request)


BELOW: tuple[tuple[str, str, str, Callable[[OpenedModel], None]], ...] = (
    (
        "context-uses",
        N_("Uses of the word"),
        N_(
            "Each point is the word’s vector in one sentence, coloured by what the word means there. The two axes are "
            "those along which the points differ most (the principal components, PC). Beside a point stands its "
            "sentence, where there is room; choose any other to read its sentence. Move the slider from the input to "
            "the last layer and see whether the colours part."
        ),
        uses.word_uses,
    ),
    (
        "context-attention",
        N_("Attention"),
        N_(
            "In a layer every token looks at the tokens of the text and takes over something from each: much where "
            "the attention weight is large, nothing where it is 0. The token that looks has a vector for this, its "
            "query; the token that is looked at has its key; the weights of a query add up to 1. A head is one set of "
            "learned query, key and value matrices: with them each token looks once. A layer has several heads side by "
            "side, because one head answers one question only, such as “which token stands before me?”. Their results "
            "are put side by side in one long vector, and one more learned matrix mixes them. Each square below is one "
            "head, with a row for each query and a column for each key."
        ),
        attention.attention_heads,
    ),
    (
        "context-what-if",
        N_("Other positions"),
        N_(
            "What if the model is given wrong positions? The chart shows, layer by layer, how far they move the "
            "vectors of the tokens. The table compares the vector of the whole text (the mean of its tokens’ last "
            "vectors) with the one that it has with the right positions: a cosine of 1 would mean that positions do "
            "not matter."
        ),
        what_if.other_positions,
    ),
    (
        "context-layers",
        N_("A text by layer"),
        N_(
            "Each square compares every token with every other by the cosine of their vectors; on the diagonal is each "
            "token with itself. If your text has a token twice, see whether its two vectors stay as alike as they "
            "were at the input."
        ),
        layers.text_by_layer,
    ),
    (
        "context-lines",
        N_("Sentence vectors"),
        N_(
            "The mean of a sentence’s token vectors after the last layer is one vector for the whole sentence. In a "
            "model that is trained for this, such as MiniLM, sentences that mean nearly the same lie near each other, "
            "even if they share no word."
        ),
        lines.sentence_vectors,
    ),
)


@section(
    "context-text",
    N_("Your text"),
    lead=N_(
        "The next three sections show this text, token by token. It is the text of the other pages too: change it "
        "here, and it changes there."
    ),
)
def _your_text(opened: OpenedModel | None) -> None:
    layers.text_and_tokens(opened)


def _draw_when_open(draw: Callable[[OpenedModel], None], opened: OpenedModel | None) -> None:
    if opened is None:
        _placeholder(_FIRST)
    else:
        draw(opened)


@section("context-code", N_("Code"))
def _show_code(opened: OpenedModel, request: WordRequest) -> None:
    widget = program(opened, request, as_widget=True) if layers.text_in_view().strip() else ""
    show_program(program(opened, request), "context", widget)


def _placeholder(height: int) -> None:
    """Reserve height in px for a section that waits for the model."""
    st.html(f'<div data-opening style="height: {height}px">{escape(_("Loading…"))}</div>')


def program(opened: OpenedModel, request: WordRequest, *, as_widget: bool = False) -> str:
    """Write the program that prints what the page shows.

    With `as_widget` write the lines that show the attention weights of the head in view as a matrix.
    """
    text, model = layers.text_in_view(), opened.model
    sentences, meanings, _names = uses.read_lines(state.get("context_uses"))
    typed = lines.unique_lines(state.get("context_lines"))
    has_text = bool(text.strip())
    positions = what_if.compared_positions(opened, text)[0] if has_text else {}
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
        positions={name: what_if.position_arguments(given) for name, given in positions.items()},
        compared=typed if len(typed) >= lines.FEWEST else [],
        max_tokens=MAX_TOKENS,
        as_widget=as_widget,
    )
