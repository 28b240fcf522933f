"""The switch between the two readings of a special token's name: of the chat, and of the reader's text."""

import streamlit as st

from ui.i18n import _
from ui.settings import state
from ui.shared.markdown import as_code
from ui.tokens.cache import specials_of


def specials_control(setting: str) -> None:
    """Draw the switch between the two readings of a special token's name, of the chat or of the reader's text."""
    st.segmented_control(
        _("Names of special tokens"),
        state.options(setting),
        key=setting,
        format_func=lambda name: {"text": _("typed as text"), "special": _("one token each")}[name],
        required=True,
        on_change=state.dismiss_notices,
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
