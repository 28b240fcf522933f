"""The visible window of a large table's picture: as the browser reports it, or as a link or a button sets it."""

from collections.abc import Mapping

import streamlit as st

from embedlib.projection import Window, window_around
from ui.components.point_cloud import Extent
from ui.projection.places import Places, VisibleWindow
from ui.projection.tables import ShownTable
from ui.projection.view import PICTURE, View
from ui.projection.whole import WholeTable, known_whole
from ui.settings import Window as WindowSetting
from ui.settings import state

_AT_FIRST = 840, 560  # px, until the browser has reported the size of the picture
_MARGINS = 62, 40  # px beside and above all points, as in camera.ts
_LEAST, _MOST = 50, 4_000  # px that are believed
_NEAR = 5_000  # rows around one that is zoomed to
_SEEN, _ASKED = "window_seen", "window_asked"


def visible_window(view: View, whole: WholeTable) -> VisibleWindow:
    """Return the window that the browser shows of this table, or is going to show before its first report."""
    picture, seen = st.session_state.get(_SEEN, ("", None))
    if picture == view.picture:
        return VisibleWindow(*seen)
    width, height = seen[1:] if seen else _AT_FIRST
    wanted = state.get("seen")
    window, margins = (Window(*wanted), (0, 0)) if wanted else (whole.box, _MARGINS)
    return VisibleWindow(_fit_to_shape(window, width, height, margins), width, height)


def picture_extent(places: Places) -> Extent | None:
    """Return the component's data of a density besides its points; None for other pictures."""
    of = places.density
    if of is None:
        return None
    turn = st.session_state.get(_ASKED, 0)
    counted = None if of.counts is None else (of.counts, of.window)
    return Extent(of.box, of.n_rows, state.get("seen"), turn, counted)


def apply_reported_window(picture: str) -> None:
    """Apply the window that the browser reports of the picture in view, in a callback; the report is untrusted."""
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
    """Zoom the browser's picture to a row and its surroundings."""
    whole = known_whole(table)
    if whole is not None:
        state.set_local(seen=tuple(window_around(whole.places, row, whole.box, most=_NEAR)))
        st.session_state[_ASKED] = st.session_state.get(_ASKED, 0) + 1


def _fit_to_shape(window: Window, width: int, height: int, margins: tuple[int, int]) -> Window:
    """Return the smallest window around another with a picture's aspect ratio and margins in pixels."""
    left, bottom, right, top = window
    across, up = width - 2 * margins[0], height - 2 * margins[1]
    unit = max((right - left) / max(across, 1), (top - bottom) / max(up, 1)) or 1.0  # of one pixel
    x, y = (left + right) / 2, (bottom + top) / 2
    return Window(x - width * unit / 2, y - height * unit / 2, x + width * unit / 2, y + height * unit / 2)
