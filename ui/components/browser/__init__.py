"""The page's link to the browser: address, width, theme, sidebar, sections, and charts.

One component does it all, since each mounted one costs every run of the page 2 ms. A further feature is a module beside
index.ts, a name in PARTS there, and an entry in the data that Python sends.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from html import escape
from typing import Any, Literal

import streamlit as st

from ui.components import register
from ui.components._shared import reports
from ui.embed import embedded_section
from ui.i18n import _
from ui.session import has_browser

__all__ = [
    "BELOW",
    "begin_run",
    "browser",
    "browser_report",
    "fragment_browser",
    "is_narrow",
    "link_chart",
    "reported_query",
    "reported_right",
    "section_block",
    "should_draw_section",
]

BELOW = 640  # CSS px; Streamlit's own columns stack below it too
_KEY = "browser"
_PART = "browser-part"
_AROUND = ("contents", "copy", "drawer", "focus", "present", "room")  # parts that an embedded section lacks
_REQUESTED = "_browser_parts"  # session key: charts and sections requested by this run

_open: ContextVar[ExitStack | None] = ContextVar("open", default=None)  # closed at the section's end

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
    labels: Mapping[str, str],
    saving: Mapping[str, object],
    section: str = "",
    copy: Mapping[str, str],
    secrets: Collection[str] = (),
    look: tuple[int, str] = (0, ""),
    light: tuple[str, str, str] | None = None,
    room: Mapping[str, object],
    slides: Mapping[str, object] | None = None,
    on_lost: Callable[[], None],
    on_back: Callable[[], None],
    on_room: Callable[[], None],
    on_present: Callable[[], None],
    on_turn: Callable[[], None],
) -> None:
    """Mount the component at the end of a run; it requests a rerun itself when the width or the theme changes.

    A changed control adds an entry to the browser's history, at most one a second. Typing replaces the address:
    Streamlit's own `st.query_params` adds an entry at every change, so that after ten edits of a text "back" would take
    ten clicks.

    Args:
        language: of the page, as the attribute `lang` names it.
        terms: English terms by their translated forms; empty in English.
        words: translations of Streamlit's English strings.
        page: address of the page in view. On a narrow screen the sidebar closes when it changes.
        title: of the page in the navigation.
        group: index of its group in the navigation.
        query: of the address, URL-encoded, without "?"; "" removes it.
        texts: names of the settings in it that are texts.
        session: name of this session. When a tab sees another name, the server has lost the session.
        run: number of the link in this session; the browser ignores older ones.
        labels: of the button of the sidebar, "settings", and of the list of the page's sections, "contents".
        saving: "failed", the error message for a figure's file that cannot be made; and "embed", the labels and data of
            the dialog of what embeds a figure.
        section: key of the one section that an embedded page shows; "" for a whole page.
        copy: labels of the button that copies the link: "copy", then "copied" or "by_hand".
        secrets: settings that copied links omit.
        look: number of requests for a view state so far, and the last one.
        light: of a page under a lesson's panel, keys of the highlighted part and of the part that is in view with it,
            "" for none, and an id of this occasion; None without a panel.
        room: of a lecture, as `ui.lecture.presenter.room_data` gives it.
        slides: `Deck` in ../slides/index.ts; None if the page is not a slide.
        on_lost: called when the server has lost the session; `reported_query("lost")` returns the query.
        on_back: called when the user goes back or forward on a page; `reported_query("back")` returns the query.
        on_room: called when the address has a right to present that this session lacks; see `reported_right`.
        on_present: called when a key starts or ends the slides; see `browser_report("present")`.
        on_turn: called when another slide is requested; see `browser_report("turn")`.
    """

    def count_recalls(callback: Callable[[], None]) -> Callable[[], None]:
        # The restored settings may lead to the same query as before: without the count the data would be unchanged, and
        # the browser would ignore them.
        def recall() -> None:
            st.session_state["_recalled"] = st.session_state.get("_recalled", 0) + 1
            callback()

        return recall

    recalled = st.session_state.get("_recalled", 0)
    visit = {"query": query, "session": session, "run": run, "recalled": recalled, "texts": list(texts), "look": look}
    data: dict[str, object] = {
        "language": language,
        "address": visit,
        "contents": {"label": labels["contents"]},
        "copy": {"labels": dict(copy), "secrets": sorted(secrets)},
        "page_state": True,
        "drawer": {"page": page, "title": title, "group": group, "settings": labels["settings"]},
        "present": slides,
        "focus": True,
        "room": dict(room),
        "saving": dict(saving),
        "terms": dict(terms),
        "words": dict(words),
        "theme": True,
        **({"light": dict(zip(("key", "control", "stop"), light, strict=True))} if light else {}),
        **_pop_requests(),
        **st.session_state.pop(_REQUESTED, {}),
    }
    if section:
        data = {name: value for name, value in data.items() if name not in _AROUND} | {"embedded": section}
    _mount(
        key=_KEY,
        data=data,
        on_lost_change=count_recalls(on_lost),
        on_back_change=count_recalls(on_back),
        on_narrow_change=lambda: None,
        on_near_change=lambda: None,
        on_present_change=on_present,
        on_room_change=on_room,
        on_switched_change=lambda: None,
        on_turn_change=on_turn,
    )


def fragment_browser(*, query: str, session: str, run: int) -> None:
    """Mount the fragment's own instance: its present address, charts and sections.

    Args:
        query: as for `browser`, which must be mounted outside of the fragment.
        session: the same.
        run: the same.
    """
    visit = {"query": query, "session": session, "run": run, "part": True}
    _mount(key=_PART, data={"address": visit, **_pop_requests()}, on_near_change=lambda: None)


def begin_run() -> None:
    """Discard the reports that an interrupted run has cached; call it at the start of a page or fragment run."""
    _requests().pop("came", None)


def reported_query(what: Literal["lost", "back"]) -> str:
    """Return the tab's query before the server lost the session, or after the user went back.

    Returns:
        As in a URL; "" for none or an invalid report.
    """
    query = browser_report(what)
    return query if isinstance(query, str) else ""


def reported_right() -> object:
    """Return the right to present in the tab's address, untrusted."""
    return browser_report("room")


def is_narrow() -> bool:
    """Return whether the page is narrower than BELOW pixels; reruns the page when that changes.

    Before the browser has measured, phones are recognised by their User-Agent, which saves most of them a second run.
    """
    measured = browser_report("narrow")
    if not isinstance(measured, bool):
        measured = "Mobi" in st.context.headers.get("User-Agent", "")
    _requests()["width"] = {"narrow": measured, "below": BELOW}
    return measured


def link_chart(chart: str, *, tokens: int, labels: Sequence[str] = ()) -> None:
    """Connect a chart on this page to the pointer that all views share.

    Args:
        chart: the `key` of the `st.plotly_chart`, whose points carry the token's position as customdata.
        tokens: number of tokens in the chart; traces with as many points are those of the tokens.
        labels: of the tokens; the chosen one's is drawn beside its point. Empty for none.
    """
    _requests().setdefault("charts", {})[chart] = {"chart": chart, "tokens": tokens, "names": list(labels)}


def should_draw_section(key: str) -> bool:
    """Return whether to draw a section: the user is near it. The page reruns once they are.

    Until then it has a placeholder, of the height that the browser remembers from the last visit; then all
    elements to the end of the `section_block` go into one container, so that later ones keep their position. Without
    a browser, as in AppTest, and in an embedded page every section is drawn.

    Args:
        key: unique among all pages.
    """
    if not has_browser() or embedded_section():
        _enter_section_container(key)
        return True
    parts = _requests()
    waiting = parts.setdefault("near", [])
    if key not in waiting:  # a fragment with run_every calls this repeatedly
        waiting.append(key)
    if "came" not in parts:  # reading a component's state takes 0.1 ms
        lists = [browser_report("near", at) for at in (_PART, _KEY)]
        parts["came"] = {near for names in lists if isinstance(names, list) for near in names if isinstance(near, str)}
    if key in parts["came"]:
        _enter_section_container(key)
        return True
    st.html(f'<div data-near="{key}">{escape(_("Loading…"))}</div>')
    return False


def _enter_section_container(name: str) -> None:
    """Open a container with the section's key, until the section's end."""
    if (stack := _open.get()) is not None:
        stack.enter_context(st.container(key=f"near-{name}"))


@contextmanager
def section_block() -> Iterator[None]:
    """Context of a section of a page, which calls `should_draw_section` after its heading."""
    with ExitStack() as stack:
        before = _open.set(stack)
        try:
            yield
        finally:
            _open.reset(before)


def _pop_requests() -> dict[str, object]:
    """Return and clear the data of the charts and sections requested in this run."""
    requested = _requests()
    requested.pop("came", None)
    return {"charts": list(requested.pop("charts", {}).values()), "near": {"sections": requested.pop("near", [])}}


def _requests() -> dict[str, Any]:
    parts: dict[str, Any] = st.session_state.setdefault(_REQUESTED, {})
    return parts


def browser_report(name: str, key: str = _KEY) -> object:
    """Return the browser's last report of a name, untrusted; None for none."""
    return reports.read_report(key, name)
