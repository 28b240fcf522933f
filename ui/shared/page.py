"""How a page is drawn: sections, reserved heights, tables, and a pause before heavy scripts."""

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from html import escape
from typing import ParamSpec, TypeVar

import streamlit as st

from ui.components.browser import section_block, should_draw_section
from ui.embed import section_scope
from ui.i18n import _, separator
from ui.page_list import BY_ADDRESS
from ui.settings import state
from ui.theme import current_theme

__all__ = [
    "current_theme",
    "page_lead",
    "page_title",
    "pause_for_first_paint",
    "principal_titles",
    "reserve_height",
    "section",
    "text_table",
]

# Once a chart or a program arrives, the browser parses Plotly (4.7 MB) and a highlighter (1.5 MB) for about a second,
# and draws nothing meanwhile, not even earlier elements.
PAUSE = 0.6  # seconds

P = ParamSpec("P")
T = TypeVar("T")


def pause_for_first_paint() -> None:
    """Pause once per session, so that a new visitor's browser can draw the first elements."""
    if not st.session_state.get("drawn_first"):
        st.session_state["drawn_first"] = True
        time.sleep(PAUSE)


def page_title() -> None:
    """Draw the heading, the lead and the question of the page in view."""
    st.title(_(BY_ADDRESS[state.page_in_view()].heading))
    page_lead()


def page_lead() -> None:
    """Draw the lead and the question of the page in view, for a page that draws its heading itself."""
    entry = BY_ADDRESS[state.page_in_view()]
    if entry.lead:
        with st.container(key="page-lead"):
            st.write(f"{_(entry.lead)}{separator(' ')}**{_(entry.question)}**")


def reserve_height(key: str, *, wide: int, narrow: int, until_drawn: bool = False) -> None:
    """Reserve a component's height until the browser has drawn it, so that nothing below it jumps.

    Args:
        key: its Streamlit key.
        wide: minimal height in CSS px on a large screen.
        narrow: the same on a phone.
        until_drawn: whether to release the height once the component sets data-drawn.
    """
    waits = f".st-key-{key}" + (":not(:has([data-drawn]))" if until_drawn else "")
    st.html(
        f"<style>{waits} {{ min-height: {wide}px; }} @media (max-width: 640px) {{ {waits} "
        f"{{ min-height: {narrow}px; }} }}</style>"
    )


def section(
    key: str, title: str | Callable[..., str], *, lead: str = "", heading: Callable[[str], object] = st.header
) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """Make a function a section of a page: a heading, a sentence, and its drawing once the user scrolls near.

    Args:
        key: unique among all pages: part of links to the section, of its CSS class and of what embeds it.
        title: heading, marked for translation; or a function of the section's arguments that returns it translated.
        lead: sentence under the heading, marked for translation.
        heading: draws the heading; `st.subheader` for a subsection.
    """

    def wrap(draw: Callable[P, None]) -> Callable[P, None]:
        @wraps(draw)
        def draw_in_block(*args: P.args, **kwargs: P.kwargs) -> None:
            with section_scope(key) as is_drawn, section_block():
                if not is_drawn:
                    return
                heading(_(title) if isinstance(title, str) else title(*args, **kwargs))
                if lead:
                    st.write(_(lead))
                if should_draw_section(key):
                    draw(*args, **kwargs)

        return draw_in_block

    return wrap


def principal_titles(shares: Iterable[float]) -> list[str]:
    """Return titles of principal axes, with their shares of the variance."""
    return [_("PC {number} ({share:.1%})").format(number=n, share=share) for n, share in enumerate(shares, start=1)]


def text_table(columns: Mapping[str, Sequence[str]], *, alt: str) -> None:
    """Draw columns of text under their names; only **bold** is rendered as markdown.

    Streamlit's own table renders each cell as markdown: sixty cells take a browser a tenth of a second.

    Args:
        columns: by their names, all of one length.
        alt: describes the table for screen readers.
    """
    head = "".join(f'<th scope="col"><div>{_cell(name)}</div></th>' for name in columns)
    rows = "".join(f"<tr>{_cells(row)}</tr>" for row in zip(*columns.values(), strict=True))
    st.html(
        f'<div class="text-table"><table aria-label="{escape(alt)}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _cells(texts: Iterable[str]) -> str:
    return "".join(f"<td><div>{_cell(text)}</div></td>" for text in texts)


def _cell(text: str) -> str:
    return re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", escape(text)) or "&nbsp;"
