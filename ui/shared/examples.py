"""The examples of a page, as pills; the shown one stays marked."""

from collections.abc import Callable, Mapping
from typing import Literal

import streamlit as st

from ui.i18n import _
from ui.page_list import BY_ADDRESS
from ui.settings import state
from ui.shared.page import page_lead


def title_with_examples(
    draw: Callable[[], None], draw_beside: Callable[[], None] | None = None, *, key: str = "title"
) -> None:
    """Draw the page's title, beside it a popover with its examples, and below it the page's lead and question.

    Args:
        draw: draws the popover's contents.
        draw_beside: draws more on the title's line.
        key: of the container.
    """
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key=key):
        st.title(_(BY_ADDRESS[state.page_in_view()].heading))
        if draw_beside is not None:
            draw_beside()
        with st.popover(_("Examples")):
            draw()
    page_lead()


def examples(
    titles: Mapping[str, str],
    load: Callable[[str], None],
    *,
    shown: str | None,
    key: str,
    label_visibility: Literal["visible", "collapsed"] = "collapsed",
) -> None:
    """Draw the examples as pills.

    To mark an example that was not clicked they get a new key: otherwise a text that the browser sends before it learns
    of the change would select the old example again.

    Args:
        titles: the examples' titles by their names.
        load: callback that loads the clicked example; called for another than the shown one.
        shown: the one that the page shows, if any.
        key: of the widget, with a revision number after the first.
        label_visibility: as Streamlit takes it.
    """
    if st.session_state.get(_widget(key), shown) != shown:
        st.session_state[f"{key}_revision"] = _revision(key) + 1
    st.pills(
        _("Examples"),
        list(titles),
        default=shown,
        key=_widget(key),
        format_func=lambda name: titles.get(name, name),
        label_visibility=label_visibility,
        wrap=True,
        on_change=_load_chosen,
        args=(key, _widget(key), load),
    )


def _revision(key: str) -> int:
    return int(st.session_state.get(f"{key}_revision", 0))


def _widget(key: str) -> str:
    revision = _revision(key)
    return f"{key}-{revision}" if revision else key


def _load_chosen(key: str, widget: str, load: Callable[[str], None]) -> None:
    name = st.session_state.get(widget)
    if name is not None and widget == _widget(key):  # else clicked before the page showed something else
        state.dismiss_notices()
        load(name)
