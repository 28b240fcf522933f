"""The texts to begin with, among them those whose tokens courses print."""

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from embedlib.examples import EXAMPLES as SHARED
from embedlib.i18n import N_
from ui.i18n import _
from ui.settings import state
from ui.shared.text.text_area import current_text, put_text

PILLS = "tokens_example"


@dataclass(frozen=True)
class TokensExample:
    """A text, and how to cut it.

    Attributes:
        title: English, marked for translation.
        text: the text.
        settings: what else it sets.
    """

    title: str
    text: str
    settings: dict[str, Any] = field(default_factory=dict)


TEA = "Hello, do you like tea? <|endoftext|> In the sunlit terraces of someunknownPlace."

EXAMPLES: dict[str, TokensExample] = {
    "cat": TokensExample(SHARED["cat"].title, SHARED["cat"].text, {"specials": "text"}),
    "tea": TokensExample(N_("Tea, and a special token"), TEA, {"specials": "special"}),
    "pieces": TokensExample(SHARED["pieces"].title, SHARED["pieces"].text, {"specials": "text"}),
    "fox": TokensExample(N_("Six words"), SHARED["fox"].text, {"specials": "text"}),
    "long": TokensExample(
        N_("Long words"),
        "Untranslatable counterexamples disproportionately overwhelm uncompromising tokenizers.",
        {"specials": "text"},
    ),
}
# What an example is about: it is put beside what is compared already, if it is not there.
_SEEN_IN = {"cat": "gpt2", "tea": "gpt2", "pieces": "gpt2", "fox": "words", "long": "gpt2"}


def examples() -> None:
    """Draw the choice of examples; the one that is loaded is marked."""
    text = current_text().text
    st.session_state[PILLS] = next((name for name in EXAMPLES if _is_loaded(name, text)), None)
    st.pills(
        _("Load example"),
        list(EXAMPLES),
        key=PILLS,
        format_func=lambda name: _(EXAMPLES[name].title),
        wrap=True,
        on_change=_load_example,
    )


def _is_loaded(name: str, text: str) -> bool:
    example = EXAMPLES[name]
    return text == example.text and all(state.get(key) == value for key, value in example.settings.items())


def _load_example() -> None:
    name = st.session_state[PILLS]
    if name is None:  # the loaded example was pressed once more: it stays
        return
    example, needed = EXAMPLES[name], _SEEN_IN[name]
    shown = state.get("tokenizers")
    state.put(character=None, closely="gpt2", **example.settings)
    if needed not in shown:
        state.put(tokenizers=[needed, *shown])
    state.dismiss_notices()
    put_text(example.text)
