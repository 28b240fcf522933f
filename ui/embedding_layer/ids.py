"""Ids that are typed instead of a text: their field, how they are read, and what is said about parts that are none."""

import re

import streamlit as st

from ui.i18n import _, ngettext
from ui.settings import state
from ui.shared.markdown import as_code

NAMED = 5  # typed parts that are no ids and are named
_ID = re.compile(r"[\s,;]+")


def ids_field() -> None:
    """Draw the field in which ids can be typed instead of the text's own."""
    st.text_input(
        _("Ids to look up"),
        key="layer_ids",
        placeholder=_("those of your text"),
        max_chars=400,
        on_change=state.dismiss_notices,
        help=_("Whole numbers with spaces or commas, such as 2 3 5 1. Left empty, the tokens of your text are taken."),
    )
    if not str(state.get("layer_ids")).strip():
        return
    with st.container(horizontal=True, vertical_alignment="center", key="layer-ids-rule"):
        st.caption(
            _("These ids are looked up in place of your text, which still says which words E has rows for.")
            if state.get("tokenizer") in ("words", "characters") or state.get("layer_matrix") != "random"
            else _("These ids are looked up in place of your text: changing it changes nothing.")
        )
        st.button(_("Use the text"), key="layer_use_text", on_click=_use_text)


def _use_text() -> None:
    state.put(layer_ids="")
    state.dismiss_notices()


def read_ids(raw: str, vocab_size: int) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Read ids as people type them.

    Args:
        raw: whole numbers with white space, commas or semicolons between them.
        vocab_size: rows of the table.

    Returns:
        The ids that are rows of the table, and the parts that are none, each once.
    """
    found, passed = [], []
    for part in _ID.split(raw.strip("[]() \t\n,;")):
        if part.isascii() and part.isdecimal() and len(part) <= 12 and int(part) < vocab_size:
            found.append(int(part))
        elif part:
            passed.append(part)
    return tuple(found), tuple(dict.fromkeys(passed))


def passed_over(parts: tuple[str, ...], table: str, vocab_size: int) -> str:
    """Say which parts of typed ids are none, and what ids are.

    Args:
        parts: at least one, as read_ids gives them.
        table: what the table is called, translated.
        vocab_size: its rows.
    """
    named = ", ".join(as_code(part[:20]) for part in parts[:NAMED])
    if len(parts) > NAMED:
        named += " " + _("and {count} more").format(count=len(parts) - NAMED)
    return ngettext(
        "No row of {table} has the id {named}: ids are whole numbers from 0 to {last:,} here. It is passed over.",
        "No row of {table} has the ids {named}: ids are whole numbers from 0 to {last:,} here. They are passed over.",
        len(parts),
    ).format(table=table, named=named, last=vocab_size - 1)


def typed_ids(vocab_size: int) -> tuple[int, ...] | None:
    """Return the ids that are typed, or None where there are none; say which parts are none."""
    ids, passed = read_ids(str(state.get("layer_ids")), vocab_size)
    if passed:
        told = passed_over(passed, _("E"), vocab_size)
        st.warning(told if ids else told + " " + _("No id is left, so the tokens of your text are looked up instead."))
    return ids or None
