"""What of a large table's picture the browser shows: as it says itself, and as a link or a button asks for."""

from collections.abc import Mapping

import streamlit as st

from embedlib.projection import Window, window_around
from ui.components.point_cloud import Extent
from ui.projection.places import Places, Seen
from ui.projection.tables import ShownTable
from ui.projection.view import PICTURE, View
from ui.projection.whole import Whole, known_whole
from ui.settings import Window as WindowSetting
from ui.settings import state

_AT_FIRST = 840, 560  # px, until the browser has said how large the picture is
_FREE = 18  # px around all points, as in camera.ts
_LEAST, _MOST = 50, 4_000  # px that are believed
_NEAR = 5_000  # rows around one that is zoomed to
_SEEN, _ASKED = "window_seen", "window_asked"


def seen_of(view: View, whole: Whole) -> Seen:
    """Return what the browser shows of this table, before it has said so what it is going to show."""
    picture, seen = st.session_state.get(_SEEN, ("", None))
    if picture == view.picture:
        return Seen(*seen)
    width, height = seen[1:] if seen else _AT_FIRST
    wanted = state.get("seen")
    window, free = (Window(*wanted), 0) if wanted else (whole.box, _FREE)
    return Seen(_with_shape(window, width, height, free), width, height)


def extent_of(places: Places) -> Extent | None:
    """Return what a picture of a density is told besides its points; None for other pictures."""
    of = places.density
    if of is None:
        return None
    turn = st.session_state.get(_ASKED, 0)
    counted = None if of.counts is None else (of.counts, of.window)
    return Extent(of.box, of.n_rows, state.get("seen"), turn, counted)


def take_window(picture: str) -> None:
    """Take up what the browser shows of the picture in view, before the run that this starts; it can say anything."""
    sent = st.session_state.get(PICTURE)
    report = sent.get("window") if isinstance(sent, Mapping) else None
    if not isinstance(report, Mapping) or report.get("picture") != picture:
        return
    seen, size, wanted = (report.get(name) for name in ("seen", "size", "window"))
    numbers = [*seen, *size] if isinstance(seen, list) and isinstance(size, list) else []
    if len(numbers) != 6 or any(type(number) not in (int, float) or number != number for number in numbers):
        return
    width, height = (int(min(max(length, _LEAST), _MOST)) for length in numbers[4:])
    rule = state.SETTINGS["seen"]
    assert isinstance(rule, WindowSetting)
    if not rule.is_sound(numbers[:4]):
        return
    window = Window(*map(float, numbers[:4]))
    st.session_state[_SEEN] = picture, (window, width, height)
    if wanted is not None:  # else the one in the link is what is seen
        state.set_local(seen=tuple(window) if wanted is True else None)


def zoom_to(table: ShownTable, row: int) -> None:
    """Ask the browser to show a row among those around it."""
    whole = known_whole(table)
    if whole is not None:
        state.set_local(seen=tuple(window_around(whole.places, row, whole.box, most=_NEAR)))
        st.session_state[_ASKED] = st.session_state.get(_ASKED, 0) + 1


def _with_shape(window: Window, width: int, height: int, free: int) -> Window:
    """Return the least window around another that has a picture's shape, with so many pixels free on each side."""
    left, bottom, right, top = window
    unit = max((right - left) / (width - 2 * free), (top - bottom) / (height - 2 * free)) or 1.0  # of one pixel
    x, y = (left + right) / 2, (bottom + top) / 2
    return Window(x - width * unit / 2, y - height * unit / 2, x + width * unit / 2, y + height * unit / 2)
