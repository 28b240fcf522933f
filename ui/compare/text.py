"""The text that is compared on, and examples that leave alone what is compared."""

import streamlit as st

from embedlib.examples import EXAMPLES
from ui.i18n import _
from ui.settings import state
from ui.shared.text.prepared import PreparedText
from ui.shared.text.text_area import current_text, put_text, text_area

# An example with sizes of its own is about them, and here the sizes are what is compared.
NAMES = [name for name, example in EXAMPLES.items() if not example.settings.keys() - {"table"}]
PILLS = "example"


def text_to_compare() -> PreparedText:
    """Draw the text area, and the examples under it; return the text that can be used."""
    text = current_text().text
    prepared = text_area()
    st.session_state[PILLS] = next((name for name in NAMES if EXAMPLES[name].text == text), None)
    st.pills(_("Examples"), NAMES, key=PILLS, format_func=lambda name: _(EXAMPLES[name].title), on_change=_load_example)
    return prepared


def _load_example() -> None:
    name = st.session_state[PILLS]
    if name is None:  # the chosen example was pressed once more: it stays
        return
    tokenizer = state.SETTINGS["tokenizer"].default  # the one that the examples are about
    state.put(token=None, tokenizer=tokenizer, **EXAMPLES[name].settings)
    state.dismiss_notices()
    put_text(EXAMPLES[name].text)
