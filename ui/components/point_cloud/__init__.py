"""Tens of thousands of points as one picture, in 2-D or 3-D: zoom, select, search."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from embedlib.components.cloud import (
    LABELS,
    Extent,
    Gradient,
    Kind,
    Points,
    Search,
    Token,
    coordinates_data,
    names_data,
    point_order,
    read_search,
    read_selection,
    search_texts,
)
from embedlib.components.payload import SharedData, pack
from ui.cache.bounded import BoundedCache
from ui.components import register
from ui.components._shared.data import serve
from ui.components._shared.reports import new_report, read_report, resolve_choice

__all__ = [
    "LABELS",
    "Extent",
    "Gradient",
    "Kind",
    "PointCloud",
    "Points",
    "Search",
    "Token",
    "point_cloud",
    "point_data",
    "point_order",
    "reported_search",
    "search_texts",
]

_component = register(
    "point-cloud",
    "point_cloud",
    styles=["point_cloud/scatter.css", "point_cloud/labels.css", "point_cloud/search.css"],
)


@dataclass(frozen=True, slots=True)
class PointCloud:
    """The user's choice and selection."""

    chosen: int | None
    """Index of the chosen point."""
    selection: list[int] | None
    """Indices of the points just marked with box or lasso, [] where the mark was cleared; None in every other run."""


class _EncodedPoints(NamedTuple):
    names: SharedData
    places: SharedData


# Of 50,000 points: 1.1 MB, and 25-50 ms to encode.
_encoded_points: BoundedCache[tuple[str, int], _EncodedPoints] = BoundedCache(
    64_000_000, lambda encoded: encoded.names.nbytes + encoded.places.nbytes
)


def point_data(
    coordinates: NDArray[np.float32], ids: NDArray[np.integer], labels: Sequence[str], *, cache_key: str | None = None
) -> str:
    """Serve points for all instances of `point_cloud` on the page.

    Names and coordinates have separate addresses: points that only move need new coordinates, 12 bytes each, or 8 if
    the third one is constantly 0. 50,000 points of GPT-2 take 1.1 MB at first.

    Args:
        coordinates: (n, 3) finite float32, any scale and centre; float32 so that zooming far in shows true places.
        ids: (n,) integers in 0..2**31-1, shown beside the labels.
        labels: of the n points.
        cache_key: identifies the points in all sessions: further calls with it return the first call's result and
            ignore their arguments. None for no caching.

    Returns:
        "names.places", the addresses for `point_cloud`; the first depends on ids and labels alone.
    """
    if cache_key is None:
        encoded = _encode_points(coordinates, ids, labels)
    else:
        encoded = _encoded_points.get((cache_key, len(labels)), lambda: _encode_points(coordinates, ids, labels))
    return f"{serve(encoded.names).address}.{serve(encoded.places).address}"


def _encode_points(coordinates: NDArray[np.float32], ids: NDArray[np.integer], labels: Sequence[str]) -> _EncodedPoints:
    return _EncodedPoints(names_data(ids, labels), coordinates_data(coordinates))


def point_cloud(
    points: Points,
    *,
    key: str,
    on_change: Callable[[], None],
    on_window_change: Callable[[], None] = lambda: None,
    on_search_change: Callable[[], None] = lambda: None,
    on_match_change: Callable[[], None] = lambda: None,
) -> PointCloud:
    """Draw the points that `point_data` serves.

    The browser keeps zoom and rotation through every run and through new places of the same points, to which they
    glide.

    Args:
        points: what is drawn.
        key: Streamlit key, without "__".
        on_change: called before the run that a choice or a mark starts.
        on_window_change: called before the run that the reader starts by moving a picture with an extent: the
            component's state "window" then has what is seen, unchecked: {"picture": str, "seen": [left, bottom, right,
            top], "size": [width, height] in px, "window": True where the reader chose it, False for all, None as it was
            given}.
        on_search_change: called before the run that a search starts, once the keys rest; see `reported_search`.
        on_match_change: called before the run that the choice of a match starts that is no point of the picture; its
            row is the component's "match", unchecked.
    """
    held = points.chosen if points.ids is None or points.chosen is None else int(points.ids[points.chosen])
    reported, turn = resolve_choice(key, "chosen", held)
    chosen = points.point_index(reported)
    result = _component(
        key=key,
        data=pack(
            points.header(chosen, turn, new_report(key, "search")[0], serve=serve),
            tail=points.masks,
            shared=serve(SharedData(points.colours.tobytes())),
        ),
        on_chosen_change=on_change,
        on_selection_change=on_change,
        on_window_change=on_window_change,
        on_search_change=on_search_change,
        on_match_change=on_match_change,
    )
    return PointCloud(chosen, read_selection(result.selection, len(points.colours)))


def reported_search(key: str) -> tuple[str, bool] | None:
    """Return the text that the user searches for, and whether it is a regular expression; None for none."""
    return read_search(read_report(key, "search"))
