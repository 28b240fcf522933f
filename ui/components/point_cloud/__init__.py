"""Tens of thousands of points as one picture, flat or turned in space: zoom, choose, search, mark, follow a text."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, fields
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ui.components import register
from ui.components._shared.data import SharedData
from ui.components._shared.payload import pack
from ui.components._shared.reports import last_word
from ui.components.point_cloud.data import density_data, point_data, point_order
from ui.components.point_cloud.given import (
    Extent,
    Gradient,
    Kind,
    PathPoint,
    ranked,
)
from ui.components.point_cloud.labels import LABELS
from ui.components.point_cloud.selection import read_selection

__all__ = [
    "LABELS",
    "Extent",
    "Gradient",
    "Kind",
    "PathPoint",
    "PointCloud",
    "point_cloud",
    "point_data",
    "point_order",
]

NAMED_AT_MOST = 400  # of the highlighted points; a screen has room for a few dozen names

_PATH = tuple(field.name for field in fields(PathPoint))
_component = register("point-cloud", "point_cloud", styles=["_shared/tip.css", "point_cloud/scatter.css"])


@dataclass(frozen=True, slots=True)
class PointCloud:
    """What the reader did."""

    chosen: int | None
    """Index of the chosen point."""
    selection: list[int] | None
    """Indices of the points just marked with box or lasso, [] where the mark was cleared; None in every other run."""


def point_cloud(
    data: str,
    *,
    colours: bytes | NDArray[np.uint8],
    palette: Sequence[str],
    legend: Sequence[Kind] | Gradient,
    dimensions: Literal[2, 3],
    chosen: int | None,
    neighbours: Sequence[tuple[int, float]],
    highlighted: NDArray[np.uint8] | Sequence[int] | None,
    path: Sequence[PathPoint],
    marked: Sequence[int] = (),
    moved: bool,
    axes: Sequence[str],
    labels: Mapping[str, str],
    height: int,
    beside: int = 0,
    key: str,
    on_change: Callable[[], None],
    picture: str = "",
    landmarks: SharedData | Literal["all"] | None = None,
    named: Sequence[int] = (),
    ids: NDArray[np.int64] | None = None,
    extent: Extent | None = None,
    on_window_change: Callable[[], None] = lambda: None,
) -> PointCloud:
    """Draw the points that `point_data` serves.

    The browser keeps zoom and rotation through every run and through new places of the same points, to which they
    glide; they start anew where `picture` or the names are others.

    See `reports.last_word` for `chosen`.

    Args:
        data: what `point_data` returned, in the same run.
        colours: n, the index of each point's colour in the palette.
        palette: at most 256 colours as "#rrggbb".
        legend: kinds by name, or what the palette's ends mean.
        dimensions: 2 draws the first two coordinates, 3 all of them, turned by dragging.
        chosen: index of the chosen point, None for none; one that does not exist counts as None.
        neighbours: the chosen point's, nearest first: index and similarity. Lines lead to them.
        highlighted: what a search found, as a mask (n,) or as indices, the best first; None where nothing is sought.
        path: the text's tokens in order; a line joins them.
        marked: what is marked with box or lasso. The browser follows where this changes: its own marks are as it says.
        moved: whether they are drawn where their positions move them; the reader can drag them in between.
        axes: 2 or 3 titles.
        labels: the entries of LABELS, translated.
        height: of the picture in px, at least 200; a phone's screen limits it further.
        beside: px of the window's height that are kept for what stands above; where the rest is less than `height` the
            picture takes that, down to 380 px.
        key: Streamlit key, without "__".
        on_change: called before the run that a choice or a mark starts.
        picture: what the coordinates are, such as "gpt2/pca".
        landmarks: points to be named while nothing is chosen, sought or marked, the most important first, by
            `point_order`; "all" in their own order; as many are as have room, and more by zooming in. None names none.
        named: points whose names always stand, such as the words that an axis of meaning is made of.
        ids: rising, (n,), where points come and go while the reader looks: a click is reported by the point's id.
        extent: of a flat picture of more points than it is given; None where it has all.
        on_window_change: called before the run that the reader starts by moving such a picture: the component's state
            "window" then has what is seen, unchecked: {"picture": str, "seen": [left, bottom, right, top], "size":
            [width, height] in px, "window": True where the reader chose it, False for all, None as it was given}.
    """
    n_points = len(colours)
    indices = np.frombuffer(colours, np.uint8) if isinstance(colours, bytes) else colours
    matches = None if highlighted is None else ranked(highlighted)
    if landmarks is None or landmarks == "all":
        order = "" if landmarks else None
    else:
        order = landmarks.address
    if ids is None:
        chosen, turn = last_word(key, "chosen", chosen)
    else:
        row, turn = last_word(key, "chosen", None if chosen is None else int(ids[chosen]))
        chosen = None if row is None else int(np.searchsorted(ids, row))
        if chosen is not None and (chosen == n_points or ids[chosen] != row):
            chosen = None
    if chosen is not None and not 0 <= chosen < n_points:
        chosen = None
    header: dict[str, Any] = {
        "data": data,
        "picture": picture,
        "count": n_points,
        "palette": list(palette),
        "legend": {"gradient": asdict(legend)}
        if isinstance(legend, Gradient)
        else {"kinds": [astuple(kind) for kind in legend]},
        "dimensions": dimensions,
        "chosen": chosen,
        "turn": turn,
        "neighbours": [[int(at), float(similarity)] for at, similarity in neighbours],
        "found": None if matches is None else matches[:NAMED_AT_MOST].tolist(),
        "marked": len(marked),
        "named": list(named),
        "landmarks": order,
        "path": [{name: getattr(point, name) for name in _PATH} for point in path],  # asdict copies each deeply
        "moved": moved,
        "axes": list(axes),
        "height": height,
        "beside": beside,
        "labels": dict(labels),
        "extent": None if extent is None else _extent_header(extent),
    }
    tail = b""
    for masked in (matches, marked if len(marked) else None):
        if masked is not None:
            mask = np.zeros(n_points, np.uint8)
            mask[np.asarray(masked, dtype=np.int64)] = 1
            tail += np.packbits(mask, bitorder="little").tobytes()
    result = _component(
        key=key,
        data=pack(header, (), tail, shared=SharedData(indices.tobytes())),
        on_chosen_change=on_change,
        on_selection_change=on_change,
        on_window_change=on_window_change,
    )
    return PointCloud(chosen, read_selection(result.selection, n_points))


def _extent_header(extent: Extent) -> dict[str, Any]:
    """Describe the points that the browser does not have, with the address of their counts."""
    left, bottom, right, top = extent.box
    return {
        "low": [left, bottom],
        "high": [right, top],
        "count": extent.n_points,
        "window": extent.window,
        "turn": extent.turn,
        "cells": "" if extent.counted is None else density_data(extent.counted[0]).address,
        "over": None if extent.counted is None else extent.counted[1],
        "most": 0 if extent.counted is None else int(extent.counted[0].max()),
    }
