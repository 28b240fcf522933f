"""The examples of the embedding layer's page: the figures that courses print, one click away."""

from copy import copy
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import streamlit as st

from embedlib.examples import EXAMPLES, LAYER_EXAMPLES, in_language
from embedlib.i18n import N_
from ui.embedding_layer.gradients import OWN_RATE
from ui.i18n import _, language
from ui.settings import state
from ui.shared.examples import examples, title_with_examples
from ui.shared.text.text_area import current_text, set_text

MEASURE = "layer_cost_asked"  # in the session: the size whose cost is to be measured
OWN = "layer_own"  # in the session: the reader's text and settings before an example took their place


@dataclass(frozen=True)
class PageExample:
    """An example text, and the settings that differ from the defaults."""

    title: str  # English, marked for translation
    english: str
    settings: dict[str, Any] = field(default_factory=dict)
    measures: bool = False  # its cost at once

    @property
    def text(self) -> str:
        """The text as readers of this run's language find it."""
        return in_language(self.english, language())


# What a reader may change and still see the same example.
_ALONGSIDE = ("token", "window", "scheme", "heads", "table", "scale")

# 20 of GPT-2's tokens: five samples of four.
_SENTENCES = "A model never sees letters. It sees a list of whole numbers, one for each piece of text"
_RANDOM = {"layer_matrix": "random"}
_FOX = {**_RANDOM, "tokenizer": "words", "d_model": 3, "seed": 42, "layer_ids": "2 3 5 1"}

PAGE_EXAMPLES: dict[str, PageExample] = {
    "six_rows": PageExample(
        N_("A whole table: 6 rows of 3 numbers"),
        EXAMPLES["six_rows"].text,
        {**_RANDOM, "tokenizer": "words", "d_model": 3, "seed": 123, "layer_ids": "3"},
    ),
    "fox": PageExample(N_("“in is the house”, seed 42"), EXAMPLES["fox"].text, _FOX),
    "second": PageExample(N_("A second layer, 4 × 5"), EXAMPLES["fox"].text, {**_FOX, "layer_second": True}),
    "gpt2_size": PageExample(
        LAYER_EXAMPLES["gpt2_size"].title,
        LAYER_EXAMPLES["gpt2_size"].text,
        {
            **_RANDOM,
            "d_model": 768,
            "layer_cost_rows": 50_257,
            "layer_cost_width": 768,
            "layer_cost_tokens": 1_024,
        },
        measures=True,
    ),
    "positions": PageExample(
        N_("Learned positions, 4 × 256"), _SENTENCES, {**_RANDOM, "d_model": 256, "seed": 123, "layer_context": 4}
    ),
    "sum": PageExample(N_("A sum you can check yourself"), "word", {"layer_matrix": "sum", "layer_context": 1}),
    "nlp": PageExample(N_("I love NLP, by hand"), EXAMPLES["nlp"].text, {"layer_matrix": "nlp", "layer_context": 3}),
}


def title_and_examples() -> None:
    """Draw the title with the examples; a chosen one sets the text and every control of the page."""
    text = current_text().text
    titles = {name: _(example.title) for name, example in PAGE_EXAMPLES.items()}
    shown = next((name for name, example in PAGE_EXAMPLES.items() if _is_in_view(example, text)), None)
    draw = partial(examples, titles, _load_example, shown=shown, key="layer_example")
    title_with_examples(draw, key="layer-head")
    before = st.session_state.get(OWN)
    if before is not None and before["text"] != text:
        st.button(_("Back to your text"), key="layer_undo", icon=":material/undo:", on_click=_restore_own_settings)


def _is_in_view(example: PageExample, text: str) -> bool:
    usual = state.defaults("embedding_layer", example.settings) | example.settings
    own = state.own_settings("embedding_layer")
    settings = {name: value for name, value in usual.items() if not state.SETTINGS[name].is_kept or name in own}
    ignored = ("text", *_ALONGSIDE)  # what the text area holds now has not been read into its setting yet
    return text == example.text and all(
        state.get(name) == value for name, value in settings.items() if name not in ignored
    )


def _load_example(name: str) -> None:
    example = PAGE_EXAMPLES[name]
    _save_own_settings()
    st.session_state.pop(OWN_RATE, None)
    usual = state.defaults("embedding_layer", example.settings)
    state.reset(
        **{setting: copy(usual[setting]) for setting in state.own_settings("embedding_layer")} | example.settings
    )
    set_text(example.text)
    if example.measures:
        st.session_state[MEASURE] = tuple(
            example.settings[setting] for setting in ("layer_cost_rows", "layer_cost_width", "layer_cost_tokens")
        )


def _save_own_settings() -> None:
    """Store the reader's own text and settings for undo; the text of an example is not stored."""
    texts = (example.text for example in PAGE_EXAMPLES.values())
    if state.get("text") not in {in_language(state.DEFAULT_TEXT, language()), *texts}:
        st.session_state[OWN] = {name: copy(state.get(name)) for name in state.SETTINGS}


def _restore_own_settings() -> None:
    before = st.session_state.pop(OWN)
    state.put(**before)
    set_text(before["text"])
