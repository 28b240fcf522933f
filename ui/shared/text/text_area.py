"""The live text area and the worked examples above it."""

from collections.abc import Callable
from functools import partial
from typing import Literal

import streamlit as st

from embedlib.examples import EXAMPLES, in_language
from ui.components.live_text import live_text, reported_text
from ui.i18n import _, language
from ui.settings import state
from ui.shared.text.prepared import MAX_CHARACTERS, PreparedText, prepare

KEY = "live-text"


def text_section(title: str, ways: Callable[[], None] | None = None) -> PreparedText:
    """Draw the title with the examples beside it, and the text area; return the text that can be used.

    Args:
        title: of the page.
        ways: as `title_with_examples` takes it.
    """
    title_with_examples(title, _examples, ways)
    return text_area()


def title_with_examples(title: str, examples: Callable[[], None], ways: Callable[[], None] | None = None) -> None:
    """Draw a page's title, and beside it a button that opens its examples.

    Args:
        title: of the page.
        examples: draws what opens.
        ways: draws what else stands on the title's line.
    """
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="title"):
        st.title(title)
        if ways is not None:
            ways()
        with st.popover(_("Examples")):
            examples()


def _examples() -> None:
    example_pills(list(EXAMPLES), st.session_state.get("example_shown"), _load_example, label_visibility="collapsed")


def example_pills(
    names: list[str],
    chosen: str | None,
    load: Callable[[str], None],
    *,
    label_visibility: Literal["visible", "collapsed"] = "visible",
) -> None:
    """Draw examples to press, those named; where they must show what nobody pressed, with another key.

    Were the same ones set instead, a text that the browser sends before it has heard of it would press the old example.

    Args:
        names: in EXAMPLES.
        chosen: the one that is shown as pressed, if any.
        load: called with the one that is pressed; where that is the shown one, it stays.
        label_visibility: as Streamlit takes it.
    """
    count = st.session_state.setdefault("example_pills", 0)
    if st.session_state.get(_pills(count), chosen) != chosen:
        st.session_state["example_pills"] = count = count + 1
    st.pills(
        _("Examples"),
        names,
        default=chosen,
        key=_pills(count),
        format_func=lambda name: _(EXAMPLES[name].title),
        label_visibility=label_visibility,
        on_change=_press,
        args=(count, load),
    )


def _pills(count: int) -> str:
    return f"example-{count}" if count else "example"


def _press(count: int, load: Callable[[str], None]) -> None:
    name = st.session_state.get(_pills(count))
    if name is not None and count == st.session_state["example_pills"]:  # else pressed before the text was another
        load(name)


def current_text() -> PreparedText:
    """Return the text that can be used, for what is drawn above the text area."""
    content = reported_text(KEY, revision=_revision(), limit=MAX_CHARACTERS)
    if content is None:
        return prepare(state.get("text"))
    return prepare(content.text, total_characters=content.total_characters)


def text_area() -> PreparedText:
    """Draw the text area alone; return the text that can be used."""
    content = live_text(
        state.get("text"),
        revision=_revision(),
        limit=MAX_CHARACTERS,
        labels={"label": _("Your text")},
        key=KEY,
        on_change=_take_text,
    )
    state.put(text=content.text)
    state.note_control("text")
    return prepare(content.text, total_characters=content.total_characters)


def _revision() -> int:
    return int(st.session_state.setdefault("text_revision", 0))


def _take_text() -> None:
    st.session_state["example_shown"] = None
    state.dismiss_notices()


def put_text(text: str) -> None:
    """Put a text into the text area; call it from a callback, before the area is drawn."""
    state.put(text=text)
    st.session_state["example_shown"] = None
    st.session_state["text_revision"] = _revision() + 1


def _load_example(name: str) -> None:
    example = EXAMPLES[name]
    state.reset(**example.settings)
    put_text(in_language(example.text, language()))
    st.session_state["example_shown"] = name


def show_notices(prepared: PreparedText) -> None:
    """Say what was left out of a text, and that it is empty where it is."""
    for notice in prepared.notices:
        st.warning(notice)
    if not prepared.text:
        st.info(_("The text has no tokens: type something."))


def setting_area(setting: str, label: str, *, limit: int) -> PreparedText:
    """Draw a text area that holds a setting; return the text that can be used.

    Args:
        setting: a Text.
        label: what stands over the area.
        limit: most characters that are kept.
    """
    content = live_text(
        state.get(setting),
        revision=st.session_state.setdefault(f"{setting}_revision", 0),
        limit=limit,
        labels={"label": label},
        key=f"{setting}-area",
        on_change=partial(_take_setting, setting, limit),
    )
    state.note_control(setting)
    return prepare(content.text, total_characters=content.total_characters, limit=limit)


def put_in_areas(**texts: str) -> None:
    """Put texts into the areas of these settings; call it from a callback, before they are drawn."""
    state.put(**texts)
    state.renew_areas(texts)


def _take_setting(setting: str, limit: int) -> None:
    revision = st.session_state[f"{setting}_revision"]
    content = reported_text(f"{setting}-area", revision=revision, limit=limit)
    if content is not None:
        state.set_local(**{setting: content.text})
