"""The reader's text under the picture: its text area, and its tokens as rows of the table."""

import streamlit as st

from ui.components._shared.reports import read_number
from ui.i18n import _, separator
from ui.markdown import as_code
from ui.projection.view import MAX_POINTS, View, choose_row
from ui.settings import state
from ui.shared.examples import examples
from ui.shared.text.text_area import current_text, set_text, text_area
from ui.shared.token_choice import token_choice

CHIPS = "projection-chips"
# Two that the grammar has all the words of, and one for Python's manual: words of tables that are English.
EXAMPLES = [state.DEFAULT_TEXT, "The princess loves her little dog", "The function returns a list of strings"]


def text_and_examples() -> None:
    """Draw the text area and a few example texts."""
    text = current_text().text
    shown = text if text in EXAMPLES else None
    examples({text: text for text in EXAMPLES}, set_text, shown=shown, key="text_to_begin_with")
    for notice in text_area().notices:
        st.warning(notice)


def text_chips(view: View) -> None:
    """Show the text as tokens of the table; a chosen token is the chosen row of the picture."""
    text = view.text
    position = state.get("token")
    rows = {row.position: row.row for row in text.rows}
    if position is not None and rows.get(position) != state.get("row"):
        state.put(token=None)  # something else has been chosen since
    st.session_state["projection_rows"] = rows
    token_choice(text.chips, key=CHIPS, on_chosen=_select_token)
    if text.unknown:
        st.caption(
            _("No row for {word}.").format(word=separator(", ").join(as_code(word) for word in text.unknown[:12]))
        )
    if text.total > MAX_POINTS:
        st.caption(_("The picture shows the first {count} tokens.").format(count=MAX_POINTS))


def _select_token() -> None:
    """Choose the row of a clicked token, in a callback."""
    position = read_number(CHIPS, "chosen")
    rows = st.session_state.get("projection_rows", {})
    choose_row(rows.get(position))
    state.set_local(token=position if position in rows else None)
