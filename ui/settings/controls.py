"""Controls of settings: each is drawn by one call, which takes from its row of the table what the page does not say."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from ui import cache
from ui.cache.minilm import has_minilm
from ui.i18n import NAMES, _, languages
from ui.settings import state
from ui.settings.kinds import Choice, Flag, Real, Setting, Text, Whole

_LANGUAGE = "language"  # key of the menu
_OWN = object()
# What a widget calls the value that it begins with, where that is not "value".
_FIRST = {"multiselect": "default", "pills": "default", "segmented_control": "default", "expander": "expanded"}


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
    """Draw the control of a setting, and return what the widget returns.

    Args:
        name: of the setting.
        widget: as `st.slider`, also of a column; None for the one that the kind of setting usually has.
        *args: those of the widget after its label.
        label: None for that of the setting's row.
        titles: what each option is called, translated.
        value: what the control shows in place of the setting's value, which may not fit what is drawn now; the setting
            keeps its own until the control is used.
        collapsed: whether the label is only for those who do not see the page.
        key: tells the control from another of the same setting on a page.
        on_change: called when the reader has changed it, after the setting has the value.
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
    first = {"index": list(args[0]).index(shown)} if kind == "selectbox" else {_FIRST.get(kind, "value"): shown}
    return widget(
        _(row.label) if label is None else label,
        *args,
        key=key,
        on_change=_take,
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
    """Return how far one click goes: a tenth of the default, 1 where that would be a broken number of a few."""
    return 1.0 if 2 <= default < 100 else default / 10 or 0.1


def _take(name: str, key: str, on_change: Callable[[], None] | None) -> None:
    if not state.is_current(key):
        return
    state.set_local(**{name: st.session_state[key]})
    if on_change is not None:
        on_change()


def language_control() -> None:
    """Choose the language of the app, in the bar above every page."""
    st.menu_button(
        NAMES[state.get("lang")],
        languages(),
        key=_LANGUAGE,
        format_func=lambda code: NAMES[code],
        icon=":material/language:",
        type="tertiary",
        on_click=lambda: state.put(lang=st.session_state[_LANGUAGE]),
    )


def device_badge() -> None:
    """Name the device that computed the numbers."""
    st.sidebar.caption(str(cache.device().device).upper())


def reset_control() -> None:
    """Offer the defaults of all settings that this page reads; texts and the language stay."""
    st.button(_("Reset settings"), key="reset", icon=":material/restart_alt:", on_click=state.reset_page)


def tokenizer_control(table: str = "table", *, setting: str = "tokenizer", help_text: str | None = None) -> None:
    """Choose a tokenizer; another than MiniLM's takes the grammar's rows in place of MiniLM's.

    Args:
        table: the setting that says where the page's rows come from.
        setting: the one that names the page's tokenizer.
        help_text: what is said about it on demand; None for nothing.
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
    """Name the tokenizers for people."""
    return {
        "minilm": _("MiniLM (WordPiece)"),
        "gpt2": _("gpt2 (byte-level BPE)"),
        "r50k_base": _("r50k_base (GPT-3)"),
        "cl100k_base": _("cl100k_base (GPT-4)"),
        "o200k_base": _("o200k_base (GPT-4o)"),
        "bytes": _("bytes"),
        "characters": _("characters"),
        "words": _("words"),
    }


def d_model_control() -> None:
    """Choose the width of the rows."""
    control("d_model", help=_("Numbers per row."))


def heads_control() -> None:
    """Choose the number of attention heads."""
    control("heads", help=_("Each is d_model / heads wide."))


def seed_control() -> None:
    """Choose the seed of the random table."""
    control("seed", help=_("Same seed, same random numbers."))
