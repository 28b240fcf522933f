"""The text with its examples, and in the sidebar the tokenizers and what some of them are trained on."""

from dataclasses import dataclass
from functools import partial
from typing import Literal

import streamlit as st

from embedlib.examples import EXAMPLES as SHARED
from embedlib.i18n import N_
from ui.i18n import _
from ui.settings import controls, state
from ui.shared.markdown import as_code
from ui.shared.text.prepared import PreparedText
from ui.shared.text.text_area import current_text, is_untouched, put_text, text_area, title_with_examples
from ui.tokens.cache import specials_of
from ui.tokens.names import choice_title
from ui.tokens.settings import TOKENIZER_NAMES, TRAINED_HERE

PILLS = "tokens_example"
OPENING = "The queen rewrote a fairytale"
TEA = "Hello, do you like tea? <|endoftext|> In the sunlit terraces of someunknownPlace."


@dataclass(frozen=True)
class TokensExample:
    """A text, how it reads the names of special tokens, and the tokenizer that it is about, which is added if missing.

    The title is English, marked for translation.
    """

    title: str
    text: str
    specials: Literal["text", "special"] = "text"
    shows: str = "gpt2"


EXAMPLES: dict[str, TokensExample] = {
    "opening": TokensExample(N_("Words and pieces"), OPENING),
    "cat": TokensExample(SHARED["cat"].title, SHARED["cat"].text),
    "tea": TokensExample(N_("A special token"), TEA, "special"),
    "pieces": TokensExample(SHARED["pieces"].title, SHARED["pieces"].text),
    "fox": TokensExample(N_("Six words"), SHARED["fox"].text, shows="words"),
    "long": TokensExample(
        N_("Long words"), "Untranslatable counterexamples disproportionately overwhelm uncompromising tokenizers."
    ),
}


def text_with_examples(title: str) -> PreparedText:
    """Draw the title with the examples beside it, and the text area; return the text that can be used."""
    suggestion = OPENING if is_untouched() else None
    title_with_examples(title, partial(_examples, current_text(suggestion).text))
    prepared = text_area(suggestion)
    _specials_in_text(prepared.text)
    return prepared


def _examples(text: str) -> None:
    """Draw the choice of examples; the one that is loaded is marked."""
    specials = state.get("specials")
    loaded = (name for name, example in EXAMPLES.items() if (example.text, example.specials) == (text, specials))
    st.session_state[PILLS] = next(loaded, None)
    st.pills(
        _("Examples"),
        list(EXAMPLES),
        key=PILLS,
        format_func=lambda name: _(EXAMPLES[name].title),
        label_visibility="collapsed",
        wrap=True,
        on_change=_load_example,
    )


def _load_example() -> None:
    name = st.session_state[PILLS]
    if name is None:  # the loaded example was pressed once more: it stays
        return
    example, names = EXAMPLES[name], state.get("tokenizers")
    state.put(character=None, closely="gpt2", specials=example.specials)
    if example.shows not in names:
        state.put(tokenizers=[example.shows, *names])
    state.dismiss_notices()
    put_text(example.text)


def settings_sidebar() -> None:
    """Draw the choice of tokenizers, and behind "More" what those that are trained here are trained on."""
    with st.sidebar:
        st.pills(
            _("Tokenizers"),
            list(TOKENIZER_NAMES),
            selection_mode="multi",
            key="tokenizers",
            format_func=choice_title,
            wrap=True,
            on_change=state.dismiss_notices,
        )
        if not any(name in TRAINED_HERE for name in state.get("tokenizers")):
            return
        with st.expander(_("More")):
            titles = {"sentences": _("sentences"), "manual": _("Python’s manual"), "text": _("your text")}
            controls.choice_control("train_on", _("Train BPE, WordPiece and Unigram on"), titles)
            controls.number_control("pieces", _("Vocabulary size"), help_text=_("A short text gives fewer entries."))


def specials_control(setting: str) -> None:
    """Draw the switch between the two readings of a special token's name, of the chat or of the reader's text."""
    controls.choice_control(
        setting, _("Names of special tokens"), {"text": _("as text"), "special": _("one token each")}
    )


def _specials_in_text(text: str) -> None:
    """Let the reader say how the names of special tokens in their text are meant, where there are any."""
    known = {name for tokenizer in state.get("tokenizers") for name in specials_of(tokenizer)}
    names = sorted(name for name in known if name in text)
    if not names:
        return
    specials_control("specials")
    sentence = _("In your text: {names}. Only OpenAI’s tokenizers have them.")
    st.caption(sentence.format(names=", ".join(map(as_code, names))))
