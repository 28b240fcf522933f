"""Tens of thousands of points as one picture, in 2-D or 3-D: zoom, select, search."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ui.components import register
from ui.components._shared.data import SharedData
from ui.components._shared.payload import pack
from ui.components._shared.reports import new_report, read_report, resolve_choice
from ui.components.point_cloud.data import density_data, point_data, point_order, search_texts
from ui.components.point_cloud.labels import LABELS
from ui.components.point_cloud.selection import read_selection
from ui.components.point_cloud.types import (
    Extent,
    Gradient,
    Kind,
    Search,
    Token,
    to_indices,
)

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

_LONGEST_SEARCH = 200  # characters
NAMED_AT_MOST = 400  # of the highlighted points; a screen has room for a few dozen names

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


@dataclass(frozen=True, kw_only=True, eq=False)
class Points:
    """The contents of a picture."""

    data: str
    """Returned by `point_data` in the same run."""
    picture: str = ""
    """Identifies the coordinates, such as "gpt2/pca": a change resets zoom and rotation."""
    colours: NDArray[np.uint8]
    """(n,), the index of each point's colour in the palette."""
    palette: Sequence[str]
    """At most 256 colours as "#rrggbb"."""
    legend: Sequence[Kind] | Gradient
    """Kinds by name, or the values of the palette's ends."""
    dimensions: Literal[2, 3]
    """2 draws the first two coordinates, 3 all of them, turned by dragging."""
    axes: Sequence[str]
    """2 or 3 titles."""
    labels: Mapping[str, str]
    """The entries of LABELS, translated."""
    height: int
    """Of the picture in px, at least 200; a phone's screen limits it further."""
    beside: int = 0
    """Px of the window's height reserved for elements above; if less than `height` remains, the picture takes that, but
    at least 380 px."""
    chosen: int | None
    """Index of the chosen point; None, or an invalid one, for none. See `reports.resolve_choice`."""
    neighbours: Sequence[tuple[int, float]] = ()
    """The chosen point's, nearest first: index and similarity. Lines lead to them."""
    highlighted: NDArray[np.uint8] | Sequence[int] | None = None
    """What Python has found, as a mask (n,) or as indices, the best first; None where it has not searched."""
    search: Search | None = None
    """None for a picture without a search."""
    marked: Sequence[int] = ()
    """The points selected with box or lasso. The browser adopts changes; its own selection wins otherwise."""
    tokens: Sequence[Token] = ()
    """The text's tokens, drawn as points with names."""
    landmarks: SharedData | Literal["all"] | None = None
    """Points to label while nothing is chosen, searched or selected, the most important first, by `point_order`; "all"
    in their own order. As many are labelled as fit, more after zooming in. None for no labels."""
    named: Sequence[int] = ()
    """Points with permanent labels, such as the words that define an axis of meaning."""
    lines: Sequence[tuple[int, int]] = ()
    """Pairs of points, each joined by a line."""
    ids: NDArray[np.int64] | None = None
    """Ascending, (n,), if points come and go while the user looks: clicks are reported by the point's id."""
    extent: Extent | None = None
    """Of a 2-D picture with more points than the browser gets; None if it gets all."""

    def point_index(self, row: int | None) -> int | None:
        """Return the index of a reported point; None for none."""
        if row is None or self.ids is None:
            index = row
        else:
            index = int(np.searchsorted(self.ids, row))
            if index < len(self.ids) and self.ids[index] != row:
                return None
        return index if index is not None and 0 <= index < len(self.colours) else None

    def payload(self, chosen: int | None, turn: int, search_turn: int) -> bytes:
        """Return the payload for the browser, with the numbers of the user's last choice and last search."""
        matches = None if self.highlighted is None else to_indices(self.highlighted)
        legend, landmarks = self.legend, self.landmarks
        header = {
            "data": self.data,
            "picture": self.picture,
            "count": len(self.colours),
            "palette": list(self.palette),
            "legend": {"gradient": asdict(legend)}
            if isinstance(legend, Gradient)
            else {"kinds": [astuple(kind) for kind in legend]},
            "dimensions": self.dimensions,
            "chosen": chosen,
            "turn": turn,
            "neighbours": [[int(at), float(similarity)] for at, similarity in self.neighbours],
            "search": None if self.search is None else _search_header(self.search, search_turn),
            "found": None if matches is None else matches[:NAMED_AT_MOST].tolist(),
            "marked": len(self.marked),
            "named": list(self.named),
            "lines": list(self.lines),
            "landmarks": landmarks.address if isinstance(landmarks, SharedData) else {"all": "", None: None}[landmarks],
            "tokens": [{"position": one.position, "label": one.label, "place": one.place} for one in self.tokens],
            "axes": list(self.axes),
            "height": self.height,
            "beside": self.beside,
            "labels": dict(self.labels),
            "extent": None if self.extent is None else _extent_header(self.extent),
        }
        masks = [np.asarray(rows) for rows in (matches, self.marked if len(self.marked) else None) if rows is not None]
        return pack(header, (), b"".join(map(self._bits, masks)), shared=SharedData(self.colours.tobytes()))

    def _bits(self, indices: NDArray[np.int64]) -> bytes:
        mask = np.zeros(len(self.colours), np.uint8)
        mask[indices.astype(np.int64)] = 1
        return np.packbits(mask, bitorder="little").tobytes()


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
        data=points.payload(chosen, turn, new_report(key, "search")[0]),
        on_chosen_change=on_change,
        on_selection_change=on_change,
        on_window_change=on_window_change,
        on_search_change=on_search_change,
        on_match_change=on_match_change,
    )
    return PointCloud(chosen, read_selection(result.selection, len(points.colours)))


def reported_search(key: str) -> tuple[str, bool] | None:
    """Return the text that the user searches for, and whether it is a regular expression; None for none."""
    report = read_report(key, "search")
    text = report.get("text") if isinstance(report, Mapping) else None
    return (text[:_LONGEST_SEARCH], report.get("expression") is True) if isinstance(text, str) else None


def _search_header(search: Search, turn: int) -> dict[str, Any]:
    texts = search.texts
    return {
        "text": search.text,
        "expression": search.expression,
        "turn": turn,
        "texts": texts.address if isinstance(texts, SharedData) else {"labels": "", None: None}[texts],
        "answer": {"count": search.count, "first": [*map(list, search.first)]} if search.count is not None else None,
    }


def _extent_header(extent: Extent) -> dict[str, Any]:
    """Return the header of the points that the browser does not have, with the address of their density."""
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
