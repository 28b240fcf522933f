"""Widgets for settings: one call each, with defaults from the setting's row in the table."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from ui.cache.minilm import has_minilm
from ui.i18n import NAMES, _, languages
from ui.settings import state
from ui.settings.kinds import Choice, Flag, Real, Setting, Text, Whole

_LANGUAGE = "language"  # key of the menu
_OWN = object()
# The widget's parameter for its initial value, where that is not "value".
_INITIAL_VALUE = {"multiselect": "default", "pills": "default", "segmented_control": "default", "expander": "expanded"}


def control(
    name: str,
    widget: Callable[..., Any] | None = None,
    *args: Any,
    label: str | None = None,
    titles: Mapping[Any, str] | Callable[[Any], str] | None = None,
    value: Any = _OWN,
    collapsed: bool = False,
    key: str = "",
    on_change: Callable[[], None] | None = None,
    **options: Any,
) -> Any:
    """Draw the widget of a setting, and return the widget's value.

    Args:
        name: of the setting.
        widget: such as `st.slider`, also of a column; None for the usual one of the setting's kind.
        *args: those of the widget after its label.
        label: None for that of the setting's row.
        titles: of the options, translated.
        value: shown in place of the setting's value, which may not fit the present options; the setting stays until
            the widget is used.
        collapsed: whether the label is visible to screen readers only.
        key: of this widget, if the page has another one for the setting.
        on_change: called after the user has changed the setting.
        **options: further ones of the widget.
    """
    row = state.SETTINGS[name]
    if widget is None:
        widget, args, usual = _usual_widget(row)
        options = usual | options
    shown = state.get(name) if value is _OWN else value
    key = state.widget_key(name, shown, key)
    if titles is not None:
        options["format_func"] = titles if callable(titles) else titles.__getitem__
    if collapsed:
        options["label_visibility"] = "collapsed"
    kind = widget.__name__
    first = {"index": list(args[0]).index(shown)} if kind == "selectbox" else {_INITIAL_VALUE.get(kind, "value"): shown}
    return widget(
        _(row.label) if label is None else label,
        *args,
        key=key,
        on_change=_store,
        args=(name, key, on_change),
        **first,
        **options,
    )


def _usual_widget(row: Setting) -> tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]:
    match row:
        case Flag():
            return st.toggle, (), {}
        case Choice():
            return st.segmented_control, (row.options,), {"required": True}
        case Real():  # nine digits are all of a float32's, without the tail of 0.1 + 0.2
            return st.number_input, (row.minimum, row.maximum), {"step": _step(row.default), "format": "%.9g"}
        case Whole():
            return st.number_input, (row.minimum, row.maximum), {}
        case Text():
            return st.text_input, (), {}
    raise TypeError(row)


def _step(default: float) -> float:
    """Return the step of a number input: a tenth of the default, or 1 for defaults from 2 to 100."""
    return 1.0 if 2 <= default < 100 else default / 10 or 0.1


def _store(name: str, key: str, on_change: Callable[[], None] | None) -> None:
    if not state.is_current(key):
        return
    state.set_local(**{name: st.session_state[key]})
    if on_change is not None:
        on_change()


def language_control() -> None:
    """Draw the language menu in the bar above every page."""
    st.menu_button(
        NAMES[state.get("lang")],
        languages(),
        key=_LANGUAGE,
        format_func=lambda code: NAMES[code],
        icon=":material/language:",
        type="tertiary",
        on_click=lambda: state.put(lang=st.session_state[_LANGUAGE]),
    )


def reset_control() -> None:
    """Draw the button that resets the settings of this page; texts and the language stay."""
    st.button(_("Reset settings"), key="reset", icon=":material/restart_alt:", on_click=state.reset_page)


def tokenizer_control(table: str = "table", *, setting: str = "tokenizer", help_text: str | None = None) -> None:
    """Draw the tokenizer control; a choice other than MiniLM's also replaces MiniLM's rows by the grammar's.

    Args:
        table: the setting of the page's rows.
        setting: the one that names the page's tokenizer.
        help_text: the widget's tooltip; None for none.
    """

    def leave_minilm() -> None:
        if state.get(setting) != "minilm" and state.get(table) == "minilm":
            state.put(**{table: state.SETTINGS[table].default}, d_model=state.SETTINGS["d_model"].default)

    titles = tokenizer_titles()
    control(
        setting,
        st.selectbox,
        [name for name in state.options(setting) if name != "minilm" or has_minilm()],
        titles=lambda name: titles.get(name, name),
        help=help_text,
        on_change=leave_minilm,
    )


def tokenizer_titles() -> dict[str, str]:
    """Return the titles of the tokenizers, by name."""
    return {
        "minilm": _("MiniLM (WordPiece)"),
        "gpt2": _("GPT-2 (byte-level BPE)"),
        "r50k_base": _("r50k_base (GPT-3)"),
        "cl100k_base": _("cl100k_base (GPT-4)"),
        "o200k_base": _("o200k_base (GPT-4o)"),
        "bytes": _("bytes"),
        "characters": _("characters"),
        "words": _("words"),
    }


def d_model_control() -> None:
    """Draw the control of the row width."""
    control("d_model", help=_("Numbers per row."))


def heads_control() -> None:
    """Draw the control of the number of attention heads."""
    control("heads", help=_("Each is d_model / heads wide."))


def seed_control() -> None:
    """Draw the control of the random table's seed."""
    control("seed", help=_("Same seed, same random numbers."))
