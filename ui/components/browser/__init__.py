"""What a page asks of the browser around it: its address, width, theme, drawer, list of sections, and the charts on it.

One component holds all of it, since each that is mounted costs every run of the page 2 ms. A further part is a module
beside index.ts, a name in PARTS there, and an entry in the data that Python sends.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from typing import Any, Literal

import streamlit as st

from ui.components import register
from ui.components._shared import reports
from ui.session import has_browser

__all__ = [
    "BELOW",
    "begin_run",
    "browser",
    "browser_part",
    "chart_link",
    "narrow",
    "reported",
    "reported_query",
    "reported_right",
    "section_block",
    "should_draw_section",
]

BELOW = 640  # CSS px; Streamlit's own columns stack below it too
_KEY = "browser"
_PART = "browser-part"
_REQUESTED = "_browser_parts"  # in the session: what this run has asked for so far

_open: ContextVar[ExitStack | None] = ContextVar("open", default=None)  # what ends with the section that is being drawn

_mount = register("browser", "browser")


def browser(
    *,
    language: str,
    terms: Mapping[str, str],
    words: Mapping[str, str],
    page: str,
    title: str,
    group: int,
    query: str,
    texts: Sequence[str],
    session: str,
    run: int,
    contents: str,
    saving: str,
    copy: Mapping[str, str],
    secrets: Collection[str] = (),
    look: tuple[int, str] = (0, ""),
    light: tuple[str, str] | None = None,
    room: Mapping[str, object],
    slides: Mapping[str, object] | None = None,
    on_lost: Callable[[], None],
    on_back: Callable[[], None],
    on_room: Callable[[], None],
    on_present: Callable[[], None],
    on_turn: Callable[[], None],
) -> None:
    """Mount the component at the end of a run; it starts a run itself when the width or the theme changes.

    A control that is changed adds an entry to the browser's history, at most one a second. What is typed replaces the
    address in place: with Streamlit's own `st.query_params`, which adds an entry at every change, "back" would have to
    be pressed ten times after ten edits of a text.

    Args:
        language: of the page, as the attribute `lang` names it.
        terms: the English of each term of the field, by its forms in that language; none in English.
        words: of that language, by those that Streamlit says in English; none in English.
        page: which page is in view. On a narrow screen the drawer closes when it changes.
        title: what it is called in the bar above it.
        group: the place of its group in the navigation, from 0.
        query: of the address, URL-encoded, without "?"; "" removes it.
        texts: which settings in it are texts.
        session: names this visit on the server. When a tab meets another name, the server has forgotten the visit.
        run: counts the links of this visit; the browser passes over one that is older than what it has.
        contents: what the list of a long page's sections, in the sidebar, is called.
        saving: what is said where a figure's file cannot be made.
        copy: what the button is called that copies the link, "copy", and what it says then, "copied" or "by_hand".
        secrets: settings that no link has that is copied.
        look: how often the browser has been asked to show the page in a certain way, and what it was asked for last.
        light: the key of the part of the page that is lit, and what tells this occasion from others; None for none.
        room: of a lecture, as `ui.lecture.presenter.told` gives it.
        slides: what present.ts calls Shown; None where the page is no slide.
        on_lost: called then, before a run of the page; `reported_query("lost")` tells what the address was.
        on_back: called where the reader goes back or forward on a page; `reported_query("back")` tells where.
        on_room: called where the address has the right to present, which this visit does not know of; `reported_right`.
        on_present: called where a key begins or ends the slides; `reported("present")` tells which.
        on_turn: called where another slide is asked for; `reported("turn")` tells which.
    """

    def taking_up(callback: Callable[[], None]) -> Callable[[], None]:
        # What was typed meanwhile can stand against the address that was lost, and leave the query as it is: without
        # the count the data would be those of before, and the browser would not look at them again.
        def take_up() -> None:
            st.session_state["_recalled"] = st.session_state.get("_recalled", 0) + 1
            callback()

        return take_up

    recalled = st.session_state.get("_recalled", 0)
    visit = {"query": query, "session": session, "run": run, "recalled": recalled, "texts": list(texts), "look": look}
    data: dict[str, object] = {
        "language": language,
        "address": visit,
        "contents": {"label": contents},
        "copy": {"labels": dict(copy), "secrets": sorted(secrets)},
        "looks": True,
        "drawer": {"page": page, "title": title, "group": group},
        "present": slides,
        "room": dict(room),
        "saving": {"failed": saving},
        "terms": dict(terms),
        "words": dict(words),
        "theme": True,
        **({"light": {"key": light[0], "stop": light[1]}} if light else {}),
        **_take_parts(),
        **st.session_state.pop(_REQUESTED, {}),
    }
    _mount(
        key=_KEY,
        data=data,
        on_lost_change=taking_up(on_lost),
        on_back_change=taking_up(on_back),
        on_narrow_change=lambda: None,
        on_near_change=lambda: None,
        on_present_change=on_present,
        on_room_change=on_room,
        on_switched_change=lambda: None,
        on_turn_change=on_turn,
    )


def browser_part(*, query: str, session: str, run: int) -> None:
    """Mount what a part of the page needs that runs by itself: the address now right, its charts and its sections.

    Args:
        query: as `browser` takes it, which must be mounted outside of the part.
        session: the same.
        run: the same.
    """
    visit = {"query": query, "session": session, "run": run, "part": True}
    _mount(key=_PART, data={"address": visit, **_take_parts()}, on_near_change=lambda: None)


def begin_run() -> None:
    """Forget what the browser said before a run of the page, or of what follows its controls; a run may break off."""
    _requested().pop("came", None)


def reported_query(what: Literal["lost", "back"]) -> str:
    """Return the query that the tab had before the server forgot the visit, or to which the reader went back.

    Returns:
        As in an address; "" where the tab says nothing sound.
    """
    query = reported(what)
    return query if isinstance(query, str) else ""


def reported_right() -> object:
    """Return the right to present that the tab's address has, as it stands there."""
    return reported("room")


def narrow() -> bool:
    """Tell whether the page has less than BELOW pixels beside the sidebar, and run it again when that changes.

    Before the browser has measured, phones are known by the name that they give themselves, which saves most of them
    from being drawn for twice.
    """
    measured = reported("narrow")
    if not isinstance(measured, bool):
        measured = "Mobi" in st.context.headers.get("User-Agent", "")
    _requested()["width"] = {"narrow": measured, "below": BELOW}
    return measured


def chart_link(chart: str, *, tokens: int, labels: Sequence[str] = ()) -> None:
    """Tie a chart that is drawn on this page to the pointer that all views share.

    Args:
        chart: the `key` of the `st.plotly_chart`, whose points carry the token's position as customdata.
        tokens: how many tokens the chart shows; traces of as many points are taken for the tokens' own.
        labels: how each token is written; the chosen one's stands beside its point. Empty for a chart that needs none.
    """
    _requested().setdefault("charts", {})[chart] = {"chart": chart, "tokens": tokens, "names": list(labels)}


def should_draw_section(key: str) -> bool:
    """Return whether a section is to be drawn: the reader is near it. The page runs again once that happens.

    Until then an empty placeholder stands for it, of the height that the browser remembers from the last visit; then
    what is drawn from here to the end of the `section_block` has one block, so that what follows keeps its place.
    Where no browser tells what is in its viewport, as in AppTest, every section is drawn.

    Args:
        key: unique among all pages.
    """
    if not has_browser():
        _begin_block(key)
        return True
    parts = _requested()
    waiting = parts.setdefault("near", [])
    if key not in waiting:  # a fragment that runs every second asks again and again
        waiting.append(key)
    if "came" not in parts:  # each look at a component's state takes 0.1 ms
        lists = [reported("near", at) for at in (_PART, _KEY)]
        parts["came"] = {near for names in lists if isinstance(names, list) for near in names if isinstance(near, str)}
    if key in parts["came"]:
        _begin_block(key)
        return True
    st.html(f'<div data-near="{key}"></div>')
    return False


def _begin_block(name: str) -> None:
    """Give a section's block its key, from here to the section's end."""
    if (stack := _open.get()) is not None:
        stack.enter_context(st.container(key=f"near-{name}"))


@contextmanager
def section_block() -> Iterator[None]:
    """Context of a section of a page, which asks `should_draw_section` after its heading."""
    with ExitStack() as stack:
        before = _open.set(stack)
        try:
            yield
        finally:
            _open.reset(before)


def _take_parts() -> dict[str, object]:
    """Return the data of what has been asked for since the last time: charts that are tied, sections that can wait."""
    requested = _requested()
    requested.pop("came", None)
    return {"charts": list(requested.pop("charts", {}).values()), "near": {"sections": requested.pop("near", [])}}


def _requested() -> dict[str, Any]:
    parts: dict[str, Any] = st.session_state.setdefault(_REQUESTED, {})
    return parts


def reported(name: str, key: str = _KEY) -> object:
    """Return what the browser has told under a name: anything, for it can be forged; None for nothing."""
    return reports.reported(key, name)
