"""The text with its examples, and beside it the tokenizers and how the names of special tokens are read."""

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from embedlib.examples import EXAMPLES as SHARED
from embedlib.i18n import N_
from ui.i18n import _
from ui.settings import controls, state
from ui.shared.markdown import as_code
from ui.shared.text.prepared import PreparedText
from ui.shared.text.text_area import current_text, put_text, text_area
from ui.tokens.cache import specials_of
from ui.tokens.request import tokenizer_controls

PILLS = "tokens_example"
TEA = "Hello, do you like tea? <|endoftext|> In the sunlit terraces of someunknownPlace."
# What an example is about: it is put beside what is compared already, if it is not there.
_SEEN_IN = {"cat": "gpt2", "tea": "gpt2", "pieces": "gpt2", "fox": "words", "long": "gpt2"}


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


def specials_control(setting: str) -> None:
    """Draw the switch between the two readings of a special token's name, of the chat or of the reader's text."""
    controls.choice_control(
        setting, _("Names of special tokens"), {"text": _("typed as text"), "special": _("one token each")}
    )


def specials_in_text(text: str) -> None:
    """Let the reader say how the names of special tokens in their text are meant, where there are any."""
    names = {name for tokenizer in state.get("tokenizers") for name in specials_of(tokenizer)}
    found = sorted(name for name in names if name in text)
    if not found:
        return
    specials_control("specials")
    st.caption(
        _("Your text holds {names}. Words, characters, bytes and what is trained here know no special tokens.").format(
            names=", ".join(map(as_code, found))
        )
    )
