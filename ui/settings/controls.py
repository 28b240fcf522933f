"""Controls that two or more pages share. Each keeps its value in the session under its setting's name."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from ui import cache
from ui.cache.minilm import has_minilm
from ui.i18n import NAMES, _, languages
from ui.settings import state
from ui.settings.kinds import Real, Whole

_LANGUAGE = "language"  # key of the menu


def language_control() -> None:
    """Choose the language of the app, in the bar above every page."""
    st.menu_button(
        NAMES[state.get("lang")],
        languages(),
        key=_LANGUAGE,
        format_func=lambda code: NAMES[code],
        icon=":material/language:",
        type="tertiary",
        on_click=_choose_language,
    )


def _choose_language() -> None:
    state.put(lang=st.session_state[_LANGUAGE])
    state.dismiss_notices()


def device_badge() -> None:
    """Say what computed the numbers."""
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
    titles = tokenizer_titles()
    st.selectbox(
        _("Tokenizer"),
        [name for name in state.options(setting) if name != "minilm" or has_minilm()],
        key=setting,
        format_func=lambda name: titles.get(name, name),
        help=help_text,
        on_change=_choose_tokenizer,
        args=(table, setting),
    )


def _choose_tokenizer(table: str, setting: str) -> None:
    if state.get(setting) != "minilm" and state.get(table) == "minilm":
        state.put(**{table: state.SETTINGS[table].default}, d_model=state.SETTINGS["d_model"].default)
    state.dismiss_notices()


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


def choice_control(
    setting: str,
    label: str,
    titles: Mapping[Any, str] | Callable[[Any], str],
    *,
    collapsed: bool = False,
    help_text: str | None = None,
    on_change: Callable[[], None] = state.dismiss_notices,
) -> None:
    """Choose among a setting's few options, side by side.

    Args:
        setting: name of the setting.
        label: what stands over it.
        titles: what each option is called, translated.
        collapsed: whether the label is for those only who do not see the page.
        help_text: what is said about it on demand; None for nothing.
        on_change: called when another one is chosen.
    """
    st.segmented_control(
        label,
        state.options(setting),
        key=setting,
        format_func=titles if callable(titles) else lambda option: titles[option],
        required=True,
        help=help_text,
        label_visibility="collapsed" if collapsed else "visible",
        on_change=on_change,
    )


def d_model_control() -> None:
    """Choose the width of the rows."""
    number_control("d_model", _("d_model"), help_text=_("Numbers per row."))


def heads_control() -> None:
    """Choose the number of attention heads."""
    number_control("heads", _("Heads"), help_text=_("Each is d_model / heads wide."))


def seed_control() -> None:
    """Choose the seed of the random table."""
    number_control(
        "seed",
        _("Seed"),
        help_text=_("Same seed, same random numbers."),
    )


def number_control(setting: str, label: str, *, help_text: str | None, maximum: int | None = None) -> None:
    """Choose a number.

    Args:
        setting: name of the setting, whose rule gives the bounds.
        label: what stands over it.
        help_text: what is said about it on demand; None for nothing.
        maximum: what the page can show at most, where that is less than the setting may be.
    """
    rule = state.SETTINGS[setting]
    assert isinstance(rule, Whole | Real)
    # Nine digits are all of a float32's, without the tail of 0.1 + 0.2.
    steps: dict[str, Any] = {"step": _step(rule.default), "format": "%.9g"} if isinstance(rule, Real) else {}
    largest = rule.maximum if maximum is None else maximum
    st.number_input(label, rule.minimum, largest, key=setting, help=help_text, on_change=_edited, **steps)


def fitting_value(setting: str, value: Any) -> dict[str, Any]:
    """Let a widget show a value in place of a setting's, which may not fit what is drawn now.

    The setting keeps what the reader chose, here or on another page, until this widget is used.

    Args:
        setting: name of the setting.
        value: what the widget shows; the setting's own value where that fits.

    Returns:
        The keywords that the widget takes.
    """
    key = f"shown_{setting}"
    st.session_state[key] = value
    return {"key": key, "on_change": _chosen, "args": (setting, key)}


def _chosen(setting: str, key: str) -> None:
    chosen = st.session_state[key]
    state.put_own(**{setting: [0] if chosen == [] else chosen})  # a link cannot say "none of them"
    state.dismiss_notices()


def _step(default: float) -> float:
    """Return how far one click goes: a tenth of the default, 1 where that would be a broken number of a few."""
    return 1.0 if 2 <= default < 100 else default / 10 or 0.1


def _edited() -> None:
    state.dismiss_notices()
