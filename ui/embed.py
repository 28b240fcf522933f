"""One section of a page alone, as a frame in somebody's page shows it: `?embed=true&section=KEY` in the address."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from functools import wraps
from typing import ParamSpec

import streamlit as st

P = ParamSpec("P")

FRAME_ANCESTORS = "EMBEDDING_EXPLORER_FRAME_ANCESTORS"  # origins of the sites whose pages may show the app in a frame
_JOINED = {"rows-matrix": "rows-sum"}  # sections of links that exist, by those that show the same now
_DRAWN = "_embedded_section_drawn"  # session key
_current_section: ContextVar[str] = ContextVar("open_section", default="")


def embedded_section() -> str:
    """Return the key of the section that the address asks for alone; "" for a whole page."""
    asked = st.query_params.get("section", "")
    return _JOINED.get(asked, asked)


def current_section() -> str:
    """Return the key of the section that is being drawn; "" outside of any."""
    return _current_section.get()


@contextmanager
def section_scope(key: str, part: str = "") -> Iterator[bool]:
    """Context manager around drawing a section; yields False if `?section=` names another section.

    What is drawn although another one is asked for stays hidden. A section within a section is part of the outer one.

    Args:
        key: unique among all pages.
        part: names what is drawn of the section at another place of the page; "" for all of it, or the first.
    """
    if _current_section.get():
        yield True
        return
    asked, before = embedded_section(), _current_section.set(key)
    try:
        if asked == key:
            st.session_state[_DRAWN] = True
        with st.container(key=f"embedded-{part}") if asked == key else nullcontext():
            yield asked in ("", key)
    finally:
        _current_section.reset(before)


def embeddable(key: str) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """Make a function a section that is drawn at once, with a heading of its own or none."""

    def wrap(draw: Callable[P, None]) -> Callable[P, None]:
        @wraps(draw)
        def draw_in_scope(*args: P.args, **kwargs: P.kwargs) -> None:
            with section_scope(key) as is_drawn:
                if is_drawn:
                    draw(*args, **kwargs)

        return draw_in_scope

    return wrap


def shared_controls(name: str, *sections: str) -> AbstractContextManager[object]:
    """Context of controls that stand outside of the sections that follow them: one shown alone has them above it.

    Args:
        name: of the controls.
        *sections: keys of those that follow them.
    """
    return st.container(key=f"embedded-{name}") if embedded_section() in sections else nullcontext()


def missing_section() -> str:
    """Return the key of the section that the address asks for if this run has not drawn it, else ""."""
    return "" if st.session_state.pop(_DRAWN, False) else embedded_section()
